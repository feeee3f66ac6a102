import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { startService, type TestService } from '../../../../test/call.ts'
import { createDatabase, type TestDatabase } from '../../../../test/database.ts'
import { createScimCaller, makeScimCredential, replaySequence } from '../../../../test/scim.ts'
import { createTenant, type Tenant } from '../../../../test/tenant.ts'

let database: TestDatabase
let tenant: Tenant
let service: TestService

before(async () => {
  database = await createDatabase()
  tenant = await createTenant(database)
  service = startService(database)
})
after(async () => {
  await Promise.all([service.stop(), tenant.close()])
  await database.drop()
})

/** Replays the requests that the documentation of a provider lists, in that order. */
async function replay(context: TestContext, file: string, root: 'workspace' | 'alone'): Promise<void> {
  const { value } = await makeScimCredential(tenant, tenant[root])
  const url = new URL(`sequences/${file}.jsonl`, import.meta.url)
  const { requests, failures } = await replaySequence(createScimCaller(service, value), url)
  context.diagnostic(`${file}: ${requests} requests, ${failures.length} failures`)
  assert.deepEqual(failures, [])
  assert.ok(requests > 30)
}

test('the requests of Okta get the responses that it expects', (context) =>
  replay(context, 'okta', 'workspace'))

test('the requests of Entra get the responses that it expects', (context) =>
  replay(context, 'entra', 'alone'))

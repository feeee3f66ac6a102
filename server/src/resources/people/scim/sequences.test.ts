import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { createScimCaller, makeScimCredential, replaySequence } from '../../../../test/scim.ts'

const { database, tenant, use } = await openTenant()
const service = use(startService(database))

/** Replays the requests that the documentation of a provider lists, in that order. */
async function replay(context: TestContext, file: string, root: 'workspace' | 'alone'): Promise<void> {
  const { value } = await makeScimCredential(tenant, tenant[root])
  const url = new URL(`sequences/${file}.jsonl`, import.meta.url)
  const { requests, failures } = await replaySequence(createScimCaller(service, value), url)
  context.diagnostic(`${file}: ${requests} requests, ${failures.length} failures`)
  assert.deepEqual(failures, [])
  assert.ok(requests > 30)
}

test('the requests of Okta get the responses that it expects [P13-scim-2]', (context) =>
  replay(context, 'okta', 'workspace'))

test('the requests of Entra get the responses that it expects [P13-scim-2]', (context) =>
  replay(context, 'entra', 'alone'))

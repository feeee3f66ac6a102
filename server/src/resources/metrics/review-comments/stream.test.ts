import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { startService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { plantPullRequest } from '../../../../test/planted/pull-request.ts'
import { createTestWriter } from '../../../../test/pull-requests.ts'
import type { TestKey } from '../../../../test/tenant.ts'
import { waitForLocks } from '../../../../test/wait.ts'

const ROWS = 3
const path = '/v1/metrics/review-comments?start_date=2026-01-01&end_date=2026-01-31&limit=100000'

const { database, superuser, tenant, use } = await openTenant()
const locker = use(new pg.Client({ connectionString: database.superuserUrl }))
await locker.connect()
const service = use(startService(database, { LIMIT_METRICS: 'off' }))
const url = (await service.listen()) + path
const writer = createTestWriter(database)
for (let number = 1; number <= ROWS; number++) {
  const [organization] = tenant.workspace.organizations
  await plantPullRequest(writer, organization, { day: '2026-01-15', word: 'stream', number })
}
await writer.close()
// As if one entry filled a page, so that each page has one entry.
await superuser.query('update metrics_head set largest_entry = 4000000')

/** Reads the stream; `change` happens after the request was admitted and before its first page is read. */
async function readStream(key: TestKey, change?: string): Promise<{ lines: string[]; complete: boolean }> {
  await locker.query('begin; lock table metrics_head in access exclusive mode')
  const request = fetch(url, { headers: { 'x-service-api-key': key.value, accept: 'application/x-ndjson' } })
  await waitForLocks(superuser)
  if (change !== undefined) await superuser.query(change, change.includes('$1') ? [key.id] : [])
  await locker.query('commit')
  const response = await request
  assert.equal(response.status, 200)
  let text = ''
  let complete = true
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString()
  } catch {
    complete = false
  }
  return { lines: text.split('\n').filter(Boolean), complete }
}

test('a stream whose key keeps its access has every entry and the line of the cursor', async () => {
  const { lines, complete } = await readStream(await tenant.createKey('workspace'))
  assert.deepEqual([complete, lines.length], [true, ROWS + 1])
  assert.deepEqual(JSON.parse(lines.at(-1) ?? ''), { next_cursor: null })
})

for (const [what, change] of [
  ['is revoked', 'update api_key set revoked_at = now() where id = $1'],
  ['expires', 'update api_key set expires_at = now() where id = $1'],
  ['loses its permission', `update api_key set permissions = '{}' where id = $1`],
  [
    'loses an organization',
    'update organization set active = false where root_id = (select root_id from api_key where id = $1)',
  ],
  [
    'belongs to a person who is deactivated',
    'update person set active = false where id = (select owner_id from api_key where id = $1)',
  ],
] as const) {
  test(`a stream whose key ${what} is cut off after the page, without the line of the cursor`, async () => {
    const { lines, complete } = await readStream(await tenant.createKey('workspace'), change)
    await superuser.query('update organization set active = true')
    assert.equal(complete, false)
    assert.ok(lines.length <= 1, `${lines.length} entries`)
    assert.ok(lines.every((line) => !line.includes('next_cursor')))
  })
}

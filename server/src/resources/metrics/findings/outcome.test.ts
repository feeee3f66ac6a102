import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type pg from 'pg'
import { createBus } from '../../../../test/bus.ts'
import { startService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { ingestSettings } from '../../../../test/ingest.ts'
import { plantPullRequest } from '../../../../test/planted/pull-request.ts'
import { startWorker } from '../../../../test/process.ts'
import { createTestWriter } from '../../../../test/pull-requests.ts'
import { waitFor } from '../../../../test/wait.ts'
import type { FindingRecord } from './schema.ts'

const words: string[] = []

const { database, superuser, tenant, use } = await openTenant()
const bus = use(await createBus())
const settings = ingestSettings(bus)
const service = use(startService(database, { ...settings, LIMIT_METRICS: 'off' }))
use(await startWorker(database, settings))
const user = (await tenant.createKey('user')).value
const writer = createTestWriter(database)
for (const organization of tenant.workspace.organizations) {
  const word = randomUUID()
  words.push(word)
  await plantPullRequest(writer, organization, { day: '2026-01-15', word })
}
await writer.close()

async function findFinding(word: string | undefined, key: string): Promise<FindingRecord> {
  const path = `/v1/metrics/findings?start_date=2026-01-15&end_date=2026-01-15&reviewer=${word}`
  const { status, body, text } = await service.call(path, { key })
  assert.equal(status, 200, text)
  return (body as unknown as { data: FindingRecord[] }).data[0] ?? assert.fail('not listed')
}

const setOutcome = (id: string, accepted: boolean | null, key = user) =>
  service.call(`/v1/metrics/findings/${id}/outcome`, { key, method: 'PUT', body: { accepted } })

test('a person overrules an outcome, and a withdrawal lets the earlier source count again [P14-outcome-1]', async () => {
  const first = await findFinding(words[0], user)
  assert.equal(first.accepted, true)
  const reply = await setOutcome(first.id, false)
  assert.equal(reply.status, 202, reply.text)
  const { id, finding_id, pull_request_key } = first
  assert.deepEqual(reply.body, { id, finding_id, pull_request_key, accepted: false, source: 'person' })
  await waitFor('the outcome is stored', async () => (await findFinding(words[0], user)).accepted === false)
  const overruled = await findFinding(words[0], user)
  assert.deepEqual([overruled.source, overruled.rule], ['person', 'verdict'])
  assert.equal((await setOutcome(id, null)).status, 202)
  await waitFor('the outcome is withdrawn', async () => (await findFinding(words[0], user)).accepted === true)
  const { rows } = await superuser.query<{ action: string; metadata: { before: unknown; after: unknown } }>(
    `select action, metadata from audit_log where resource_id = $1 order by position`,
    [id],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['finding_outcome_set', 'finding_outcome_withdrawn'],
  )
})

test('a finding of another organization is answered like one that does not exist [P14-outcome-1]', async () => {
  const workspace = (await tenant.createKey('workspace')).value
  const foreign = await findFinding(words[1], workspace)
  const [hidden, unknown] = await Promise.all([
    setOutcome(foreign.id, false),
    setOutcome(randomUUID(), false),
  ])
  assert.equal(hidden.status, 404)
  assert.deepEqual([hidden.status, hidden.body], [unknown.status, unknown.body])
  assert.equal((await setOutcome(foreign.id, false, workspace)).status, 403, 'people decide, not tokens')
  // The first part of the id is that of the pull request; the rest must match too.
  const own = await findFinding(words[0], user)
  const similar = `${own.id.slice(0, -4)}${own.id.endsWith('0000') ? '1111' : '0000'}`
  assert.equal((await setOutcome(similar, false)).status, 404)
  assert.equal((await setOutcome('no-uuid', false)).status, 400)
  assert.equal((await findFinding(words[1], workspace)).accepted, foreign.accepted)
})

test('the pull request of an id is found by an index', async () => {
  const { rows } = await superuser
    .query<{ 'QUERY PLAN': string }>(
      `set enable_seqscan = off; explain select 1 from pull_request where root_id = '${tenant.workspace.root}'
     and pull_request_key between '01234567-89ab-0000-0000-000000000000' and '01234567-89ab-ffff-ffff-ffffffffffff'`,
    )
    .then(
      (results) => (results as unknown as pg.QueryResult<{ 'QUERY PLAN': string }>[]).at(-1) ?? assert.fail(),
    )
  assert.match(
    rows.map((row) => row['QUERY PLAN']).join('\n'),
    /pull_request_key >= .* AND .*pull_request_key <= /,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { createEvent, eventually, ownOrganization, send } from './metrics-data.ts'
import { found, ownRepository, readFindings, scanOf, storeScan } from './security-data.ts'
import { assertPage, at, call, demo, home, type KeyName } from './service.ts'

const path = '/v1/security/summary'
const DAY_MS = 86_400_000

type Group = { group: Record<string, string>; findings: number; oldest_first_seen_at: string | null }

const ask = (query: string, key: KeyName = 'workspace') => call(`${path}?${query}`, { key: demo.keys[key] })

async function summarize(query: string, key: KeyName = 'workspace'): Promise<Group[]> {
  const reply = await ask(query, key)
  assertPage(reply)
  assert.deepEqual(Object.keys(reply.body as object), ['data'])
  return (reply.body as { data: Group[] }).data
}

test('a summary of security findings has exactly group, findings and oldest_first_seen_at [P12-security-3]', async () => {
  const repository = ownRepository()
  const empty = await summarize(`repo_id=${repository}`)
  assert.deepEqual(empty, [{ group: {}, findings: 0, oldest_first_seen_at: null }])
  const scan = scanOf(repository, [found(), found({ severity: 'low' })])
  await storeScan(scan, 2)
  const { scanned_at } = scan.payload as { scanned_at: string }
  const total = at(await summarize(`repo_id=${repository}`), 0)
  assert.deepEqual(Object.keys(total), ['group', 'findings', 'oldest_first_seen_at'])
  assert.deepEqual(total, { group: {}, findings: 2, oldest_first_seen_at: scanned_at })
  const bySeverity = await summarize(`repo_id=${repository}&group_by=severity`)
  assert.deepEqual(
    bySeverity.map(({ group, findings }) => [group, findings]),
    [
      [{ severity: 'high' }, 1],
      [{ severity: 'low' }, 1],
    ],
  )
})

test('security findings are summarized by severity, state, repository and age, open ones unless state says more [P12-security-2]', async () => {
  const repository = ownRepository()
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS - 60_000).toISOString()
  const samples = [0, 7, 8, 30, 31, 90, 91].map((days) => ({ days, finding: found({ title: `${days}` }) }))
  for (const [index, { days }] of samples.toReversed().entries()) {
    const seen = samples.slice(samples.length - 1 - index).map(({ finding }) => finding)
    await storeScan(scanOf(repository, seen, { scanned_at: daysAgo(days) }), seen.length)
  }
  const byAge = await summarize(`repo_id=${repository}&group_by=age`)
  assert.deepEqual(
    byAge.map(({ group, findings }) => [group['age'], findings]),
    [
      ['0-7', 2],
      ['8-30', 2],
      ['31-90', 2],
      ['91+', 1],
    ],
  )
  const { data } = await readFindings(`repo_id=${repository}`)
  await send(
    [
      createEvent('security_finding.dismissed', new Date().toISOString(), {
        organization: ownOrganization,
        finding_id: at(data, 0).id,
        reason: 'used_in_tests',
      }),
    ],
    'ingest',
  )
  await eventually('a finding is dismissed', async () => {
    const states = await summarize(`repo_id=${repository}&group_by=state&state=all`)
    return states.some(({ group, findings }) => group['state'] === 'dismissed' && findings === 1)
  })
  const whole = await summarize(`repo_id=${repository}&group_by=repository,state&state=all`)
  assert.deepEqual(
    whole.map(({ group, findings }) => [group, findings]),
    [
      [{ state: 'open', repository, repository_name: 'booking-api' }, 6],
      [{ state: 'dismissed', repository, repository_name: 'booking-api' }, 1],
    ],
  )
  assert.equal(at(await summarize(`repo_id=${repository}`), 0).findings, 6)
})

test('a summary of security findings counts what the list of the same key returns [P12-security-2]', async () => {
  const repository = ownRepository()
  await storeScan(scanOf(repository, [found(), found()]), 2)
  for (const key of ['organization', 'user', 'workspace', 'instance', 'other_tenant'] as const) {
    const expected = (await readFindings(`repo_id=${repository}&limit=1000`, key)).data.length
    assert.equal(at(await summarize(`repo_id=${repository}`, key), 0).findings, expected, key)
  }
  const narrowed = await summarize(`repo_id=${repository}&org_id=${home.org_id}`)
  assert.equal(at(narrowed, 0).findings, 2)
})

test('a summary of security findings refuses unknown keys to group by, and agentic and legacy keys [P12-security-1]', async () => {
  for (const query of ['group_by=author', 'group_by=age,age', 'state=none', 'limit=1']) {
    assertError(await ask(query), 400, 'INVALID_REQUEST')
  }
  assertError(await ask('', 'legacy'), 410, 'LEGACY_API_KEY')
  assertError(await ask('', 'agentic'), 403, 'KEY_KIND_NOT_ALLOWED')
})

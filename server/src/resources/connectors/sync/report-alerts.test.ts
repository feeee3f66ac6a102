import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAlert } from '../../../../test/connectors/alert.ts'
import { ConnectorTest } from '../../../../test/connectors/connector-test.ts'
import { toSnapshot } from '../../../../test/connectors/parser-corpus.ts'
import { runUntilIdle } from '../../../../test/connectors/test-sync.ts'
import { DAY_MS, HOUR_MS } from '../../../time.ts'
import { ProviderUnavailableError } from '../git-providers/provider-client.ts'
import { parseReview } from '../parsers/parse-review.ts'
import { readAlerts } from './detect.ts'

const connector = await ConnectorTest.open()

const AT = '2026-10-05T10:00:00Z'

const sync = () => connector.createSync()
const readDaily = async () => {
  connector.clock += DAY_MS + HOUR_MS
  await runUntilIdle(sync())
}
interface SentScan {
  readonly branch: string
  readonly category: string
  readonly findings: readonly { readonly fingerprint: string; readonly suppression?: unknown }[]
}
const scans = () =>
  connector.sent
    .filter(({ type }) => type === 'security_scan.completed')
    .map(({ payload }) => payload as unknown as SentScan)
const counts = () => scans().map(({ branch, findings }) => [branch, findings.length])

test('alerts are sent once, and again when one is fixed, dismissed or reopened', async () => {
  connector.forge.alerts.set('700', [createAlert(1), createAlert(2)])
  await runUntilIdle(sync())
  for (let days = 0; days < 3; days++) await readDaily()
  assert.deepEqual(counts(), [['main', 2]])
  connector.forge.alerts.set('700', [createAlert(1, { state: 'fixed', fixedAt: AT }), createAlert(2)])
  await readDaily()
  connector.forge.alerts.set('700', [
    createAlert(1, { state: 'fixed', fixedAt: AT }),
    createAlert(2, { state: 'dismissed' }),
  ])
  await readDaily()
  connector.forge.alerts.set('700', [createAlert(1), createAlert(2)])
  await readDaily()
  assert.deepEqual(
    counts().map(([, findings]) => findings),
    [2, 1, 1, 2],
  )
  const events = connector.sent.filter(({ type }) => type === 'security_scan.completed')
  assert.equal(new Set(events.map(({ id }) => id)).size, 4)
  const times = events.map(({ occurred_at }) => occurred_at)
  assert.deepEqual(times, times.toSorted())
  assert.equal(new Set(times).size, 4)
})

test('only the series that changed is sent, and what was fixed before the first read is not', async () => {
  const old = Array.from({ length: 100 }, (_, index) => createAlert(index + 1, { state: 'fixed' }))
  connector.forge.alerts.set('700', [...old, createAlert(150), createAlert(250)])
  await runUntilIdle(sync())
  connector.forge.alerts.set('700', [...old, createAlert(150, { state: 'fixed' }), createAlert(250)])
  await readDaily()
  assert.deepEqual(
    scans().map(({ category, findings }) => [category, findings.length]),
    [
      ['code-scanning-2', 1],
      ['code-scanning-3', 1],
      ['code-scanning-2', 0],
    ],
  )
})

test('after the branch was renamed, nothing stays open on the former one', async () => {
  connector.forge.alerts.set('700', [createAlert(1)])
  await runUntilIdle(sync())
  connector.forge.alerts.set('700', [createAlert(1, { ref: 'refs/heads/trunk' })])
  await readDaily()
  assert.deepEqual(counts(), [
    ['main', 1],
    ['trunk', 1],
    ['main', 0],
  ])
})

test('without the permission, or when code scanning is switched off, nothing is sent and the connector is well', async () => {
  connector.forge.alerts.set('700', [createAlert(1)])
  await runUntilIdle(sync())
  connector.forge.alerts.delete('700')
  const earlier = connector.forge.requests.filter((name) => name === 'alerts').length
  await readDaily()
  assert.equal(connector.forge.requests.filter((name) => name === 'alerts').length, earlier + 1)
  assert.deepEqual(counts(), [['main', 1]])
  const { rows } = await connector.superuser.query('select status, error from connector')
  assert.deepEqual(rows, [{ status: 'active', error: null }])
  connector.forge.alerts.set('700', [createAlert(1)])
  await readDaily()
  assert.deepEqual(counts(), [['main', 1]])
})

test('a hook that arrives during the read has the alerts read again', async () => {
  connector.forge.alerts.set('700', [createAlert(1)])
  let hooks = 0
  connector.forge.beforeRequest = async (name) => {
    if (name !== 'alerts' || hooks++ > 0) return
    await connector.superuser.query(
      `insert into connector_code_scanning as s (root_id, organization_id, connector_id, repository_id, due_at, marks)
       select root_id, organization_id, id, '700', $1, 1 from connector
       on conflict (root_id, connector_id, repository_id) do update set marks = s.marks + 1`,
      [new Date(connector.clock).toISOString()],
    )
  }
  await runUntilIdle(sync())
  assert.equal(connector.forge.requests.filter((name) => name === 'alerts').length, 2)
  assert.deepEqual(counts(), [['main', 1]])
})

test('a list that ends early says nothing about the rest', async () => {
  connector.forge.alerts.set('700', [createAlert(1), createAlert(2)])
  await runUntilIdle(sync())
  const client = connector.forge.createClient()
  const broken = connector.createSync({
    createClient: () => ({
      ...client,
      async *listCodeScanningAlerts() {
        yield createAlert(1)
        throw new ProviderUnavailableError('closed')
      },
    }),
  })
  connector.clock += DAY_MS + HOUR_MS
  await runUntilIdle(broken)
  assert.deepEqual(counts(), [['main', 2]])
})

test('two workers send the same alerts once', async () => {
  connector.forge.alerts.set('700', [createAlert(1)])
  for (const id of ['701', '702', '703']) {
    connector.forge.addRepository(id)
    connector.forge.alerts.set(id, [createAlert(1)])
  }
  await Promise.all([runUntilIdle(sync()), runUntilIdle(sync())])
  assert.equal(scans().length, 4)
})

test('the outcome of a finding of code scanning follows its alert', async () => {
  const body =
    '## Missing check\n\nText.\n\n[Show more details](https://github.com/acme/r700/security/code-scanning/43)'
  const snapshot = {
    ...toSnapshot({ bot: 'codeql', location: 'thread', body }),
    repository: { id: '700', fullName: 'acme/r700', isPrivate: true },
  }
  const review = parseReview(snapshot)
  const [finding] = review.findings
  assert.ok(finding)
  const read = () => readAlerts(connector.forge.createClient(), snapshot, review)
  connector.forge.alerts.set('700', [createAlert(43)])
  assert.deepEqual([...(await read())], [[finding.id, { state: 'open', at: null }]])
  connector.forge.alerts.set('700', [createAlert(43, { state: 'fixed', fixedAt: AT })])
  assert.deepEqual([...(await read())], [[finding.id, { state: 'fixed', at: AT }]])
  connector.forge.alerts.set('700', [createAlert(43, { state: 'dismissed', dismissedAt: AT })])
  assert.deepEqual([...(await read())], [[finding.id, { state: 'dismissed', at: AT }]])
  connector.forge.alerts.clear()
  assert.deepEqual([...(await read())], [])
})

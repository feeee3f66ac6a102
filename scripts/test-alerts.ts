// Tests the alerts of deploy/prometheus and the dashboards of deploy/grafana: promtool with written series, then Prometheus on an API
// process and a worker, while every fault that an alert is for happens. Needs root and Debian, like scripts/engines.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runOnce } from '../server/test/proofs/own-engines.ts'
import { createScratch, startInstallation, startPrometheus } from './alerts-fixture.ts'
import { repository, startEngines } from './installation.ts'

process.env['SCHOLIAST_ENGINES_EXTRA'] = `${process.env['SCHOLIAST_ENGINES_EXTRA'] ?? ''} prometheus`
startEngines()

const MAX_WAIT_MS = 60_000
const cleanup = new AsyncDisposableStack()
after(() => cleanup.disposeAsync())

const read = (file: string) => readFileSync(`${repository}${file}`, 'utf8')
const rules = read('deploy/prometheus/rules.yml')
const alerts = [...rules.matchAll(/alert: Scholiast(\w+)/g)].map(([, name = '']) => name)
const panels = ['service', 'engines-and-connectors'].flatMap((name) => {
  const dashboard = JSON.parse(read(`deploy/grafana/${name}.json`)) as {
    panels: { targets: { expr: string; legendFormat: string }[] }[]
  }
  return dashboard.panels.flatMap(({ targets }) => targets)
})

/** Durations that a test can wait for. Shares, counts and thresholds of days are as they are. */
const shortened = [
  [/for: \d+[mh]$/gm, 'for: 0s'],
  [/\[\d+[mhd]\]/g, '[15s]'],
  [/\[1d:1m\]/g, '[2m:1s]'],
  [/(?<=stage="queue"\}\)) > 3600/g, ' > 3'],
  [/(?<=lag_seconds_bucket\[15s\]\)\)\)) > 3600/g, ' > 10'],
] as const

test('promtool accepts the rules, and every alert fires for its reasons only', () => {
  const { outside, inside } = createScratch(cleanup)
  for (const file of ['rules.yml', 'rules.test.yml'])
    writeFileSync(`${outside}/${file}`, read(`deploy/prometheus/${file}`))
  runOnce('promtool', 'check', 'rules', `${inside}/rules.yml`)
  runOnce('promtool', 'test', 'rules', `${inside}/rules.test.yml`)
  const tested = [...read('deploy/prometheus/rules.test.yml').matchAll(/"Scholiast(\w+)"/g)]
  assert.deepEqual([...new Set(tested.map(([, name]) => name))], alerts)
})

test('every alert has a section in Troubleshooting', () => {
  const sections = (read('docs/troubleshooting.md').split('\n## Alerts\n')[1] ?? '').split(/^### /m).slice(1)
  const slugs = sections.map((section) => section.split('\n')[0]?.toLowerCase().replaceAll(' ', '-'))
  assert.deepEqual(
    slugs,
    [...rules.matchAll(/runbook: docs\/troubleshooting\.md#(\S+)/g)].map(([, slug]) => slug),
  )
  assert.equal(slugs.length, alerts.length)
  for (const section of sections)
    for (const part of ['Symptom', 'Look at', 'Do', 'Verify'])
      assert.ok(section.includes(`**${part}.**`), section)
})

test('every alert fires when its fault happens, and none before', async (context) => {
  const running = await startInstallation(cleanup)
  const faster = shortened.reduce((text, [from, to]) => {
    assert.match(text, from)
    return text.replaceAll(from, to)
  }, rules)
  const address = await startPrometheus(cleanup, running.metricsPorts, faster)
  const query = createQuery(address)
  const evaluate = async (expression: string) =>
    (await query<{ result: Series[] }>(`query?query=${encodeURIComponent(expression)}`)).result
  const listFiring = async () =>
    (await evaluate('group by (alertname) (ALERTS{alertstate="firing"})')).map(({ metric }) =>
      metric['alertname']?.replace('Scholiast', ''),
    )
  const check = (name: string, fault: () => Promise<unknown>) =>
    context.test(name, async () => {
      const [happened] = await Promise.all([
        fault(),
        waitFor(name, async () => (await listFiring()).includes(name)),
      ])
      return happened as undefined
    })

  await waitFor('a scrape of both', async () => (await evaluate('up == 1')).length === 2)
  await waitFor('a sample', async () => (await evaluate('scholiast_database_standbys == 1')).length === 1)
  await sleep(5_000)
  await context.test('nothing fires before', async () => assert.deepEqual(await listFiring(), []))

  await Promise.all([
    check('SearchesWithoutModel', () => running.repeat('/v1/learnings?search=retry', 30)),
    check('OrganizationWithoutAdmin', running.deactivateAdmin),
    check('ExpiresSoon', () => running.renewCertificate(2)),
    check('TimerFailing', () => running.superuser.query('revoke select on role_job from scholiast_worker')),
  ])
  await Promise.all([running.sendPoison(), running.refuseSignIn()])
  await check('EventsDelayed', running.stopWorker)
  await Promise.all([running.connectAndMerge(), running.stopStandby(), running.ageDrill(36)])
  // A shorter lag would be in the first bucket.
  await sleep(10_000)
  const started = running.startWorker()
  await Promise.all([
    check('ConnectorsBehind', () => started),
    check('DeadLetters', () => started),
    check('StandbyMissing', () => started),
    check('RestoreDrillOverdue', () => started),
  ])
  await waitFor('a worker that reads the queue', async () => !(await listFiring()).includes('EventsDelayed'))
  await running.lockOrganizations(async () => {
    const requests = running.repeat('/v1/organizations', 60)
    await Promise.all([
      check('ApiFailing', () => requests),
      check('ApiSlow', () => requests),
      check('StreamNearlyFull', () => running.fillQueue()),
      check('EventsDelayed', () => requests),
    ])
  })

  await context.test('every query finds its metrics and labels', async () => {
    const expressions = [...faster.matchAll(/expr: (?:\|\n((?: {10}.*\n)+)|(.+))/g)].map(
      ([, block, line]) => block ?? line ?? '',
    )
    assert.equal(expressions.length, alerts.length)
    const queries = panels.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m'))
    const missing: string[] = []
    for (const expression of [...expressions, ...queries]) await evaluate(expression)
    for (const expression of [...expressions, ...queries].flatMap((text) => text.split(/\sor\s/))) {
      const labels = [...expression.matchAll(/ by \(([^)]+)\)/g)].flatMap(([, names = '']) =>
        names.split(', '),
      )
      for (const [selector] of expression.matchAll(
        /\b(?:up|scholiast_\w+|nodejs_\w+|process_\w+)(?:\{[^}]*\})?/g,
      )) {
        const found = await evaluate(`last_over_time(${selector}[5m])`)
        const lacks = labels.filter((label) => !found.some(({ metric }) => Object.hasOwn(metric, label)))
        if (found.length === 0 || lacks.length > 0) missing.push(`${selector} ${lacks.join(' ')}`)
      }
    }
    assert.deepEqual(missing, [])
  })

  await context.test('every metric has an alert or a panel, and no tenant', async () => {
    const pages = await Promise.all(
      Object.values(running.metricsPorts).map(async (port) => {
        const response = await fetch(`http://127.0.0.1:${port}/metrics`)
        return response.text()
      }),
    )
    const names = [...pages.join('\n').matchAll(/^# TYPE (scholiast_\w+)/gm)].map(([, name = '']) => name)
    const used = `${rules}${panels.map(({ expr }) => expr).join('\n')}`
    assert.deepEqual(
      [...new Set(names)].filter((name) => !new RegExp(`\\b${name}(?:_bucket|_count)?\\b`).test(used)),
      [],
    )
    assert.doesNotMatch(pages.join('\n'), /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/)
  })
})

interface Series {
  readonly metric: Readonly<Record<string, string>>
}

function createQuery(address: string) {
  return async <Result>(path: string): Promise<Result> => {
    const response = await fetch(`${address}/api/v1/${path}`)
    const { data, error } = (await response.json()) as { data: Result; error?: string }
    assert.equal(error, undefined, path)
    return data
  }
}

async function waitFor(what: string, isReached: () => Promise<boolean>): Promise<void> {
  // Prometheus may not listen yet.
  for (const deadline = Date.now() + MAX_WAIT_MS; !(await isReached().catch(() => false)); await sleep(200))
    assert.ok(Date.now() < deadline, `timed out: ${what}`)
}

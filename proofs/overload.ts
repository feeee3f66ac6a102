import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BulkRoot, createBulkRoots } from '../server/test/bulk/tenants.ts'
import { createBus } from '../server/test/bus.ts'
import { createDatabase, type TestDatabase } from '../server/test/database.ts'
import { createCredential, ingestSettings, sendEvents } from '../server/test/ingest.ts'
import { limitsOff } from '../server/test/limits-off.ts'
import { startApi, startWorker } from '../server/test/process.ts'
import { testRing } from '../server/test/tenant.ts'
import { createPullRequestEvent } from './fairness/pull-request.ts'
import { type Answers, generate, type Template } from './overload/generator.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { quantile } from './tools/quantile.ts'
import { type Measurement, report } from './tools/report.ts'

const TENANTS = 10
const CALLERS = 16
const BEFORE_SECONDS = 5
const PULL_REQUESTS = 400
const EVENTS = 20
const TIMES = 5
const MAX_P99_MS = 500
const MAX_RECOVERY_MS = 5_000

const withoutLimit: SourceEdit = {
  file: 'http/connections/slots.ts',
  name: '#isLimited',
  by: '#isLimited() { return false }',
}

/** Five times what a node can carry: what it accepts is answered soon, and the rest is refused with Retry-After. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const seconds = quick || withoutCure ? 10 : 60
  const copy = withoutCure ? await copyWithout([withoutLimit]) : null
  const [database, bus] = await Promise.all([createDatabase(), createBus()])
  const settings = { ...ingestSettings(bus), ...limitsOff }
  const worker = await startWorker(database, settings)
  const api = await startApi(database, settings, copy?.apiEntry)
  setPriority(api.process.pid ?? 0, -10)
  try {
    const roots = await createBulkRoots(database, TENANTS)
    await fill(api.url, database, roots)
    const templates = roots.flatMap(createTemplates)
    await generate({ url: api.url, templates, seconds: 3, load: { callers: CALLERS } })
    const before = await generate({
      url: api.url,
      templates,
      seconds: BEFORE_SECONDS,
      load: { callers: CALLERS },
    })
    const carried = before.acceptedMs.length / BEFORE_SECONDS
    console.error(`  one node carries ${Math.round(carried)} requests a second`)
    const over = await generate({ url: api.url, templates, seconds, load: { perSecond: TIMES * carried } })
    const ended = performance.now()
    let after: Answers
    let recoveryMs: number
    do {
      after = await generate({ url: api.url, templates, seconds: 1, load: { callers: CALLERS } })
      recoveryMs = performance.now() - ended
    } while (!isNormal(after, before) && recoveryMs < 4 * MAX_RECOVERY_MS)
    const title = `overload: ${TIMES} times what one node carries, for ${seconds} s`
    report(withoutCure ? `${title}, without the limit` : title, measure(before, over, recoveryMs, seconds))
  } finally {
    await Promise.all([api.stop(), worker.stop('SIGKILL')])
    await copy?.remove()
    await bus.drop()
    await database.drop()
  }
}

function createTemplates({ root, orgId, keys: [key = ''] }: BulkRoot): Template[] {
  const today = new Date().toISOString().slice(0, 10)
  const window = `start_date=2026-01-01&end_date=${today}`
  const event = JSON.stringify(createPullRequestEvent({ orgId, number: 1, findings: 2 }))
  const events = Array.from({ length: EVENTS }, (_, index) =>
    event.replace(/"id":"[^"]*"/, `"id":"{id}-${index}"`).replace('"number":1', `"number":{id}${index + 10}`),
  )
  return [
    { method: 'GET', path: '/v1/organizations', key },
    { method: 'GET', path: '/v1/learnings', key },
    { method: 'GET', path: '/v1/users', key },
    { method: 'GET', path: `/v1/metrics/reviews?${window}`, key },
    { method: 'GET', path: `/v1/metrics/review-comments?${window}`, key },
    {
      method: 'POST',
      path: '/ingest/v1/events',
      key: createCredential(testRing, root).value,
      body: `[${events.join()}]`,
    },
  ]
}

/** Each tenant has pages to read. */
async function fill(url: string, database: TestDatabase, roots: readonly BulkRoot[]): Promise<void> {
  for (const { root, orgId } of roots) {
    const credential = createCredential(testRing, root).value
    const numbers = Array.from({ length: PULL_REQUESTS }, (_, index) => index + 1)
    const events = numbers.map((number) => createPullRequestEvent({ orgId, number, findings: 10 }))
    // Until the worker has made the queue, events are refused.
    while ((await sendEvents(url, credential, events)).status !== 202) await sleep(200)
  }
  const superuser = database.superuser()
  let stored = 0
  while (stored < TENANTS * PULL_REQUESTS) {
    await sleep(200)
    const { rows } = await superuser.query<{ stored: number }>(
      'select count(*)::int as stored from pull_request',
    )
    stored = rows[0]?.stored ?? 0
  }
  await superuser.end()
}

/** Nothing is refused, and it is not much slower than before. */
function isNormal(after: Answers, before: Answers): boolean {
  const slow = quantile(after.acceptedMs, 0.5) > 2 * quantile(before.acceptedMs, 0.5)
  return after.refused === 0 && Object.keys(after.other).length === 0 && !slow
}

function measure(before: Answers, over: Answers, recoveryMs: number, seconds: number): Measurement[] {
  const { sent, acceptedMs, refused, other, longestMs } = over
  const accepted = acceptedMs.length
  const p99 = quantile(acceptedMs, 0.99)
  const others = Object.entries(other)
  const rate = Math.round(sent / seconds)
  return [
    {
      measure: `${sent} requests, ${rate} a second (alone: ${Math.round(before.acceptedMs.length / BEFORE_SECONDS)} answered, p99 ${Math.round(quantile(before.acceptedMs, 0.99))} ms); accepted ${accepted}, refused with Retry-After ${refused}`,
      goal: 'both > 0',
      result: `${accepted}, ${refused}`,
      met: accepted > 0 && refused > 0,
    },
    {
      measure: 'p99 of the accepted',
      goal: `< ${MAX_P99_MS} ms`,
      result: `${Math.round(p99)} ms`,
      met: p99 < MAX_P99_MS,
    },
    {
      measure: 'other answers, or none',
      goal: '0',
      result: others.length === 0 ? 0 : others.map(([status, times]) => `${times} × ${status}`).join(', '),
      met: others.length === 0,
    },
    {
      measure: 'longest request',
      goal: '≤ 5 s',
      result: `${(longestMs / 1000).toFixed(1)} s`,
      met: longestMs <= 5_000,
    },
    {
      measure: 'nothing refused and the median normal again after',
      goal: `≤ ${MAX_RECOVERY_MS / 1000} s`,
      result: `${(recoveryMs / 1000).toFixed(1)} s`,
      met: recoveryMs <= MAX_RECOVERY_MS,
    },
  ]
}

import { setTimeout as sleep } from 'node:timers/promises'
import { type BulkRoot, createBulkRoots } from '../server/test/bulk/tenants.ts'
import { createBus, type TestBus } from '../server/test/bus.ts'
import { createDatabase, type TestDatabase } from '../server/test/database.ts'
import { createCredential, ingestSettings, sendEvents } from '../server/test/ingest.ts'
import { limitsOff } from '../server/test/limits-off.ts'
import { startApi, startWorker } from '../server/test/process.ts'
import { testRing } from '../server/test/tenant.ts'
import { type AttackName, attacks, startAttack } from './fairness/attack.ts'
import { connectorCures, runConnectorAttack } from './fairness/connectors.ts'
import { createPullRequestEvent } from './fairness/pull-request.ts'
import { attackSearch, searchCures } from './fairness/search.ts'
import { joinObserved, type Observed, observeTenants, type QuietTenant } from './fairness/tenants.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { p99 } from './tools/quantile.ts'
import { type Measurement, report } from './tools/report.ts'

const TENANTS = 199
const MAX_RATIO = 1.5
const MAX_LAG_MS = 2_000
/** In the quick form, which also runs beside other work: a lag that comes from waiting for another tenant is longer. */
const MAX_QUICK_LAG_MS = 10_000
const CREDENTIALS_PER_ATTACKER = 3

// A consumer for each root, so that one root's events never stand before another's.
const queueByRoot: SourceEdit = {
  file: 'bus/queue/subjects.ts',
  name: 'toQueueSubject',
  wrap: "(toSubject, bus, _root, bytes) => toSubject(bus, 'shared', bytes)",
}
// A root that has filled its share of the queue is refused.
const sharesOfQueue: SourceEdit = {
  file: 'bus/queue/sender-limits.ts',
  name: 'watchSenderLimits',
  wrap: 'async (watch, ...given) => ({ ...(await watch(...given)), checkShares() {} })',
}
// One root holds at most a quarter of the slots of a node.
const slotsByRoot: SourceEdit = {
  file: 'http/connections/slots.ts',
  name: 'quarterOf',
  by: 'export function quarterOf(slots: number): number { return slots }',
}

/** What keeps each attack from the other tenants. */
const cures: Readonly<Record<AttackName, SourceEdit>> = {
  unresolvable: queueByRoot,
  'large-events': sharesOfQueue,
  'slow-bodies': slotsByRoot,
  'slow-events': slotsByRoot,
  sarif: slotsByRoot,
  'no-reading': slotsByRoot,
}
const names = Object.keys(attacks) as AttackName[]

interface Plan {
  /** Stretches with and without the attack alternate, so that other load of the machine affects both. */
  readonly rounds: number
  /** Length of a stretch with the attack; those without are half as long. */
  readonly seconds: number
  readonly maxLagMs: number
  /** Too few requests for a 99th percentile leave the ratio out. */
  readonly judgesRatio: boolean
  /** The first attack that harms the others ends the proof. */
  readonly stopsAtHarm: boolean
}

/** One tenant takes as much as it can in each of these ways; 199 others must not notice. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const plan: Plan = quick
    ? { rounds: 1, seconds: 3, maxLagMs: MAX_QUICK_LAG_MS, judgesRatio: false, stopsAtHarm: withoutCure }
    : { rounds: 4, seconds: 8, maxLagMs: MAX_LAG_MS, judgesRatio: true, stopsAtHarm: false }
  const title = `fairness: one tenant of ${TENANTS + 1} takes as much as it can`
  if (withoutCure) {
    const measurements = await runAttacks(names, plan, [queueByRoot, sharesOfQueue, slotsByRoot])
    if (measurements.every(({ met }) => met) || !plan.stopsAtHarm) {
      measurements.push(...(await attackSearch(plan, searchCures)))
      measurements.push(...(await runConnectorAttack(plan, connectorCures)))
    }
    return report(`${title}, without shares`, measurements)
  }
  const measurements = await runAttacks(names, plan, [])
  measurements.push(...(await attackSearch(plan, [])))
  measurements.push(...(await runConnectorAttack(plan, [])))
  if (!quick) {
    measurements.push(toHarm('connectors', await runConnectorAttack(plan, connectorCures)))
    for (const cure of new Set(Object.values(cures))) {
      for (const name of names.filter((attack) => cures[attack] === cure)) {
        measurements.push(toHarm(name, await runAttacks([name], { ...plan, rounds: 1 }, [cure])))
      }
    }
    measurements.push(toHarm('search', await attackSearch({ ...plan, rounds: 1 }, searchCures)))
  }
  report(title, measurements)
}

/** Without its cure each attack must harm the others; otherwise the proof would not notice. */
function toHarm(name: string, measurements: readonly Measurement[]): Measurement {
  return {
    measure: `${name} without its cure: refused; p99 of the lags; p99 of requests ÷ p99 without the attack`,
    goal: 'harm',
    result: measurements.map(({ result }) => result).join('; '),
    met: measurements.some(({ met }) => !met),
  }
}

async function runAttacks(
  chosen: readonly AttackName[],
  plan: Plan,
  edits: readonly SourceEdit[],
): Promise<Measurement[]> {
  const database = await createDatabase()
  const bus = await createBus()
  const copy = edits.length === 0 ? null : await copyWithout(edits)
  const settings = { ...ingestSettings(bus), ...limitsOff, ...smallShares }
  const worker = await startWorker(database, settings, copy?.workerEntry)
  const api = await startApi(database, settings, copy?.apiEntry)
  const superuser = database.superuser()
  try {
    const roots = await createBulkRoots(database, TENANTS + chosen.length, 4)
    const attackers = roots.slice(TENANTS)
    const tenants = roots.slice(0, TENANTS).map((root) => ({ ...root, credential: createCredentialOf(root) }))
    await waitForEvents(api.url, tenants)
    const reader = attackers[chosen.indexOf('no-reading')]
    if (reader !== undefined) await seedPages(api.url, reader, superuser)
    const observe = (seconds: number) => observeTenants(api.url, tenants, superuser, seconds)
    await observe(plan.seconds / 2)
    const measurements: Measurement[] = []
    for (const [index, name] of chosen.entries()) {
      const attacker = attackers[index]
      if (attacker === undefined) throw new Error('Every attack needs a tenant of its own.')
      const credentials = Array.from({ length: CREDENTIALS_PER_ATTACKER }, () => createCredentialOf(attacker))
      const quiet: Observed[] = []
      const attacked: Observed[] = []
      for (let round = 0; round < plan.rounds; round++) {
        quiet.push(await observe(plan.seconds / 2))
        const attack = startAttack({
          name,
          url: api.url,
          orgId: attacker.orgId,
          keys: attacker.keys,
          credentials,
          seconds: plan.seconds + 2,
        })
        await sleep(1_000)
        attacked.push(await observe(plan.seconds))
        const { sent, refused } = await attack.finished
        console.error(`  ${name}: the attacker sent ${sent}, of which ${refused} were refused`)
        await removeMessages(bus.bus, attacker)
      }
      measurements.push(...measure(name, joinObserved(attacked), joinObserved(quiet), plan))
      if (plan.stopsAtHarm && measurements.some(({ met }) => !met)) break
    }
    return measurements
  } finally {
    await superuser.end()
    await Promise.all([api.stop(), worker.stop('SIGKILL')])
    await copy?.remove()
    await bus.drop()
    await database.drop()
  }
}

function measure(
  name: AttackName,
  { requests, refused, times, lags }: Observed,
  quiet: Observed,
  { judgesRatio, maxLagMs }: Plan,
): Measurement[] {
  const ratio = p99(times) / p99(quiet.times)
  const lag = p99(lags)
  const kinds = [...Map.groupBy(refused, (what) => what)].map(([what, all]) => `${all.length} × ${what}`)
  return [
    {
      measure: `${name}: of ${requests} requests of the others, refused; p99 of ${lags.length} ingest lags in ms`,
      goal: `0; ≤ ${maxLagMs}`,
      result: `${refused.length === 0 ? 0 : kinds.join(', ')}; ${Math.round(lag)}`,
      met: refused.length === 0 && lag <= maxLagMs && lags.length > 0,
    },
    {
      measure: `${name}: p99 of ${times.length} requests ÷ p99 without the attack (${p99(times).toFixed(0)} ms)`,
      goal: judgesRatio ? `≤ ${MAX_RATIO}` : 'shown',
      result: ratio.toFixed(2),
      met: !judgesRatio || ratio <= MAX_RATIO,
    },
  ]
}

/** Small shares, so that an attacker needs few messages and connections to fill them. */
const smallShares = {
  MAX_IN_FLIGHT: '80',
  INGEST_MAX_BYTES: String(16 * 1024 ** 2),
  INGEST_MAX_PARKED_MESSAGES: '50',
}

function createCredentialOf({ root }: BulkRoot): string {
  return createCredential(testRing, root).value
}

/** The API accepts events when it has read the list of revoked credentials. */
async function waitForEvents(url: string, tenants: readonly QuietTenant[]): Promise<void> {
  const [tenant] = tenants
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await sendEvents(url, tenant?.credential ?? '', [])
    if (response.status === 400) return
    await sleep(200)
  }
  throw new Error('The API did not accept events within 20 seconds.')
}

/** So that a page of the attacker is larger than the buffers of a connection. */
async function seedPages(
  url: string,
  attacker: BulkRoot,
  superuser: ReturnType<TestDatabase['superuser']>,
): Promise<void> {
  const events = Array.from({ length: 400 }, (_, index) =>
    createPullRequestEvent({ orgId: attacker.orgId, number: 1_000_000 + index, findings: 10, padding: 500 }),
  )
  const response = await sendEvents(url, createCredentialOf(attacker), events)
  if (response.status !== 202) throw new Error(`The seed was refused: ${await response.text()}`)
  for (let attempt = 0; attempt < 300; attempt++) {
    const { rowCount } = await superuser.query('select from pull_request where root_id = $1', [attacker.root])
    if (rowCount === events.length) return
    await sleep(100)
  }
  throw new Error('The seed was not stored within 30 seconds.')
}

/** The next attack starts from an empty queue. */
async function removeMessages(bus: TestBus['bus'], { root }: BulkRoot): Promise<void> {
  for (const name of [root, 'shared']) {
    const filter = bus.subject(`queue.${name}.>`)
    await bus.manager.streams.purge(bus.streamName('QUEUE'), { filter })
  }
}

import { createDatabase, type TestDatabase } from '../server/test/database.ts'
import { limitsOff } from '../server/test/limits-off.ts'
import { type Canaries, canaryOrigin, createCanaries } from '../server/test/planted/canaries.ts'
import { startApi } from '../server/test/process.ts'
import { eventKinds, loadEventHandler } from '../server/test/proofs/isolation.ts'
import { sendForeignEvents } from './isolation/events.ts'
import { hasForeignWord, listOperations, type Operation, pick, sendRequest } from './isolation/requests.ts'
import { withoutRequestScope, withoutWorkerScope } from './isolation/statement-scope.ts'
import { listChangedTables, readVictimState } from './isolation/victim-state.ts'
import type { ProofOptions } from './run.ts'
import { runConcurrently } from './tools/client.ts'
import { copyWithout } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

interface Round {
  readonly name: string
  readonly withoutStatementScope: boolean
  readonly withoutRowSecurity: boolean
  readonly requests: number
  readonly events: number
}

interface Installation {
  readonly superuser: ReturnType<TestDatabase['superuser']>
  readonly canaries: Canaries
  readonly urls: readonly string[]
  /** Gives events of any tenant to the worker's handlers; returns how many were stored. */
  readonly sendEvents: (count: number, type?: string) => Promise<number>
}

const operations = listOperations()
const PROBES = 60
const MAX_PROBE_ATTEMPTS = 20
const WARM_UP_REQUESTS = 500

/**
 * Operations and events that name nothing foreign, or whose rows a foreign key to root and organization rejects: even with
 * both layers off they reveal and change nothing.
 */
const withoutForeignRows: ReadonlySet<string> = new Set([
  // Digests and hashes of the own root; resources/audit-logs/chain.test.ts compares those of two roots.
  'GET /v1/audit-logs/chain',
  'POST /v1/users/seats/assignment',
  'GET /v1/roles/permissions',
  // Numbers and choices of the selected organization, which is checked before.
  'GET /v1/settings',
  'PATCH /v1/settings',
  // No canary has a connector; resources/connectors/connectors.test.ts names those of other tenants.
  'GET /v1/connectors',
  'POST /v1/connectors',
  'DELETE /v1/connectors/{connector_id}',
  // Numbers and a time.
  'GET /v1/ingest/status',
  // Nobody knows the id of a foreign finding: it is a hash. findings/outcome.test.ts sends those of others.
  'PUT /v1/metrics/findings/{id}/outcome',
  'POST /v1/keys',
  'GET /v1/keys/self',
  'POST /v1/keys/{key_id}/rotate',
  'POST /v1/learnings',
  'POST /v1/learnings/approvals',
  'POST /v1/learnings/{learning_id}/approval',
  'POST /mcp propose_learning',
  'inventory.changed',
  'learning.proposed',
  'learning.used',
  'reviewer.tagged',
])

/**
 * The rows of each organization contain its own word, and some organizations have no caller. No response may contain the
 * word of an organization out of scope, and no request or event may change a row of an organization without a caller.
 */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const counts = quick ? { requests: 1_000, events: 150 } : { requests: 100_000, events: 5_000 }
  const rounds: Round[] = [
    { name: 'both layers on', withoutStatementScope: false, withoutRowSecurity: false, ...counts },
    { name: "the statements' scope off", withoutStatementScope: true, withoutRowSecurity: false, ...counts },
    { name: 'row-level security off', withoutStatementScope: false, withoutRowSecurity: true, ...counts },
  ]
  const bothOff = { name: 'both layers off', withoutStatementScope: true, withoutRowSecurity: true }
  const measurements: Measurement[] = []
  if (withoutCure)
    measurements.push(...(await runRound({ ...bothOff, requests: quick ? 1_000 : 6_000, events: 300 })))
  else {
    for (const round of rounds) measurements.push(...(await runRound(round)))
    measurements.push(...(await probeOperations(bothOff)))
  }
  report(`isolation: canary fuzz over ${operations.length} operations and all events`, measurements)
}

async function runRound(round: Round): Promise<Measurement[]> {
  return withInstallation(round, async ({ canaries, urls, superuser, sendEvents }) => {
    const before = await readVictimState(superuser, canaries.victims)
    // Without both layers a foreign key still rejects rows, which is a 500.
    const mayFail = round.withoutStatementScope && round.withoutRowSecurity
    const { foreign, served } = await fuzz({ ...round, mayFail }, urls, canaries)
    const stored = await sendEvents(round.events)
    const changed = listChangedTables(before, await readVictimState(superuser, canaries.victims))
    return [
      {
        measure: `${round.name}: foreign words in ${round.requests} responses (${served} successful)`,
        goal: '0',
        result: foreign,
        met: foreign === 0 && served > round.requests / 5,
      },
      {
        measure: `${round.name}: of ${before.size} tables, changed for organizations without a caller (${stored} of ${round.events} events stored)`,
        goal: '0',
        result: changed.length === 0 ? 0 : changed.join(', '),
        met: changed.length === 0 && stored > 0,
      },
    ]
  })
}

/** With both layers off they end the keys and roles of other callers too, who then reach nothing. */
const endsAccess = [
  'DELETE /v1/keys/{key_id}',
  'DELETE /v1/users/{cr_user_id}/sessions',
  'POST /v1/users/roles',
  'POST /v1/users/offboarding',
]

/** Reads first, because writes replace the words; last what leaves fewer callers for the next operation. */
function getProbeRank({ name, writes }: Operation): number {
  return writes ? 1 + endsAccess.indexOf(name) : -1
}

/** With both layers off, every operation and every kind of event must reveal or change foreign rows: the fuzz would notice. */
async function probeOperations(layers: Pick<Round, 'name' | 'withoutStatementScope' | 'withoutRowSecurity'>) {
  return withInstallation(layers, async ({ canaries, urls, superuser, sendEvents }) => {
    let before = await readVictimState(superuser, canaries.victims)
    const countChanged = async (): Promise<number> => {
      const after = await readVictimState(superuser, canaries.victims)
      const changed = listChangedTables(before, after)
      before = after
      return changed.length
    }
    const probeOperation = async (operation: Operation): Promise<number> => {
      const probe = { requests: PROBES, mayFail: true }
      const { foreign } = await fuzz(probe, urls, canaries, [operation])
      return operation.writes ? (await countChanged()) + foreign : foreign
    }
    const probes = [...operations]
      .sort((a, b) => getProbeRank(a) - getProbeRank(b))
      .map((operation) => [operation.name, () => probeOperation(operation)] as const)
    const eventProbes = eventKinds.map(
      ({ type }) => [type, () => sendEvents(PROBES, type).then(countChanged)] as const,
    )
    const measurements: Measurement[] = []
    for (const [name, probe] of [...probes, ...eventProbes]) {
      if (withoutForeignRows.has(name)) continue
      let found = 0
      for (let attempt = 0; attempt < MAX_PROBE_ATTEMPTS && found === 0; attempt++) found = await probe()
      measurements.push({
        measure: `${layers.name}: noticed at ${name}`,
        goal: '> 0',
        result: found,
        met: found > 0,
      })
    }
    return measurements
  })
}

type Layers = Pick<Round, 'withoutStatementScope' | 'withoutRowSecurity'>

async function withInstallation<Result>(
  layers: Layers,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const database = await createDatabase()
  const copies = layers.withoutStatementScope
    ? { api: await copyWithout([withoutRequestScope]), worker: await copyWithout([withoutWorkerScope]) }
    : null
  const settings = { ...limitsOff, PUBLIC_URL: canaryOrigin }
  // Two processes: the machine has two cores, and a cursor of one must be valid on the other.
  const nodes = await Promise.all([1, 2].map(() => startApi(database, settings, copies?.api.apiEntry)))
  const canaries = await createCanaries(database)
  const superuser = database.superuser()
  const handler = await loadEventHandler(database, copies?.worker.folder)
  try {
    const urls = nodes.map(({ url }) => url)
    if (layers.withoutRowSecurity) {
      // A process that opens its first connection without row-level security refuses to run.
      await fuzz({ requests: WARM_UP_REQUESTS, mayFail: true }, urls, canaries)
      await switchRowSecurityOff(superuser)
    }
    return await work({
      superuser,
      canaries,
      urls,
      sendEvents: (count, type) => sendForeignEvents(handler, canaries, count, type),
    })
  } finally {
    await handler.close()
    await canaries.close()
    await superuser.end()
    await Promise.all(nodes.map((node) => node.stop()))
    await copies?.api.remove()
    await copies?.worker.remove()
    await database.drop()
  }
}

interface FuzzResult {
  /** Responses that contain the word of an organization out of scope. */
  readonly foreign: number
  readonly served: number
}

async function fuzz(
  { name, requests, mayFail = false }: { name?: string; requests: number; mayFail?: boolean },
  urls: readonly string[],
  canaries: Canaries,
  among: readonly Operation[] = operations,
): Promise<FuzzResult> {
  let foreign = 0
  let served = 0
  const cursors: string[] = []
  await runConcurrently(requests, 32, name, async (index) => {
    const caller = pick(canaries.callers)
    const operation = pick(among)
    const request = operation.build(caller, canaries, cursors)
    const { status, text } = await sendRequest(urls[index % urls.length] ?? '', request, caller)
    if (status === 500 && !mayFail) throw new Error(`A request to ${operation.name} failed: ${text}`)
    if (status >= 200 && status < 300) served += 1
    if (hasForeignWord(text, caller)) foreign += 1
    const cursor = /"next_cursor":"([^"]{1,2000})"/.exec(text)?.[1]
    if (cursor !== undefined) cursors[index % Math.min(cursors.length + 1, 200)] = cursor
  })
  return { foreign, served }
}

async function switchRowSecurityOff(superuser: ReturnType<TestDatabase['superuser']>): Promise<void> {
  const { rows } = await superuser.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of rows) await superuser.query(`alter table ${name} disable row level security`)
}

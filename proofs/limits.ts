import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { addUserKeys, createOrganizationsWithKeys } from '../server/test/bulk/tenants.ts'
import { createDatabase, type TestDatabase } from '../server/test/database.ts'
import { type ApiProcess, startApi } from '../server/test/process.ts'
import { proveHostileTenant } from './limits/hostile-tenant.ts'
import type { ProofOptions } from './run.ts'
import { get, type HttpResult, runConcurrently, sendJson } from './tools/client.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { flood } from './tools/flood.ts'
import { p99, quantile } from './tools/quantile.ts'
import { type Measurement, report } from './tools/report.ts'

const LIMIT = 10
const CALLERS = 50
const FLOOD_RUNS = 5
const FLOOD_ROUNDS = 4
const STRETCH_SECONDS = 8

/** Every admission, by the clock of the database, as the rate limit recorded it. */
const createAdmissionLog = `
  create unlogged table admission (owner_id uuid not null, at timestamptz not null);
  create function note_admission() returns trigger language plpgsql security definer as $$
    begin insert into admission values (new.owner_id, new.stamps[cardinality(new.stamps)]); return null; end $$;
  create trigger note after insert or update on limit_window for each row execute function note_admission()`

const selectMostAdmitted = `
  select max(admitted)::int as most from (
    select count(*) over (partition by owner_id order by at range between $1::interval preceding and current row)
      as admitted from admission) windows`

// The row still records the last admission, but not those before, so that it never limits any.
const forgetAdmissions = `
  create function forget_admissions() returns trigger language plpgsql as $$
    begin new.stamps := new.stamps[cardinality(new.stamps):]; return new; end $$;
  create trigger forget before insert or update on limit_window for each row execute function forget_admissions()`

// One tenant may hold every slot.
const withoutShares: SourceEdit = {
  file: 'http/connections/slots.ts',
  name: 'quarterOf',
  by: 'export function quarterOf(slots: number): number { return slots }',
}

export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const seconds = quick ? 3 : 60
  const database = await createDatabase()
  const copy = withoutCure ? await copyWithout([withoutShares]) : null
  const limit = `${LIMIT}/${seconds}`
  const settings = { LIMIT_ORGANIZATIONS: limit, LIMIT_CUSTOM_ROLES: limit }
  const nodes = await Promise.all([1, 2, 3].map(() => startApi(database, settings, copy?.apiEntry)))
  const superuser = database.superuser()
  try {
    await superuser.query(createAdmissionLog)
    if (withoutCure) await superuser.query(forgetAdmissions)
    const keys = await createOrganizationsWithKeys(database, quick ? 101 : 2_401)
    const [victim = '', ...others] = keys
    const sleepers = others.splice(0, quick ? 80 : 1_000)
    const [writer = '', attacker = '', ...bystanders] = others.splice(0, 12)
    const writerKeys = await addUserKeys(superuser, writer, 3)
    const readOne = (url: string) => get(`${url}/v1/organizations`, victim)
    const writeOne = (url: string, call: number) =>
      sendJson('DELETE', `${url}/v1/roles/${randomUUID()}`, writerKeys[call % writerKeys.length] ?? '')
    const measurements = [
      ...(await proveWindow(superuser, nodes, seconds, {
        what: 'reads of one key',
        admitted: 200,
        call: readOne,
      })),
      ...(await proveWindow(superuser, nodes, seconds, {
        what: `writes of ${writerKeys.length} keys of one organization`,
        admitted: 404,
        call: writeOne,
      })),
      await proveRetryAfter(nodes, sleepers),
      ...(await proveHostileTenant(
        database,
        copy?.apiEntry,
        await addUserKeys(superuser, attacker, 3),
        bystanders,
      )),
    ]
    const title = `limits: 3 API processes, ${LIMIT} in ${seconds} s`
    // Times require an idle machine; counts are exact on any.
    if (!withoutCure && !quick) measurements.push(...(await proveFlood(nodes, victim, others)))
    report(withoutCure ? `${title}, without the window's judgement` : title, measurements)
  } finally {
    await superuser.end()
    await Promise.all(nodes.map((node) => node.stop()))
    await copy?.remove()
    await database.drop()
  }
}

interface WindowCalls {
  readonly what: string
  /** The status of an admitted request. */
  readonly admitted: number
  readonly call: (url: string, index: number) => Promise<HttpResult>
}

async function proveWindow(
  superuser: ReturnType<TestDatabase['superuser']>,
  nodes: readonly ApiProcess[],
  seconds: number,
  { what, admitted: admittedStatus, call }: WindowCalls,
): Promise<Measurement[]> {
  await superuser.query('truncate admission')
  const windows = 3
  const started = performance.now()
  const end = started + (windows * seconds + seconds / 2) * 1000
  let admitted = 0
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      for (let callIndex = caller; performance.now() < end; callIndex++) {
        const node = nodes[callIndex % nodes.length]
        const { status } = await call(node?.url ?? '', callIndex)
        if (status === admittedStatus) admitted += 1
        await sleep(20)
      }
    }),
  )
  const { rows } = await superuser.query<{ most: number }>(selectMostAdmitted, [`${seconds} seconds`])
  const most = rows[0]?.most ?? 0
  const allowed = LIMIT * (windows + 1)
  const share = admitted / allowed
  return [
    {
      measure: `${what}: maximum admitted in any sliding ${seconds} s`,
      goal: `≤ ${LIMIT}`,
      result: most,
      met: most <= LIMIT,
    },
    {
      measure: `${what}: admitted of ${allowed} allowed, ${CALLERS} callers`,
      goal: '≥ 99 %',
      result: `${(share * 100).toFixed(1)} %`,
      met: share >= 0.99 && share <= 1,
    },
  ]
}

/** Each caller fills its window, is rejected, sleeps exactly Retry-After and retries once. */
async function proveRetryAfter(nodes: readonly ApiProcess[], keys: readonly string[]): Promise<Measurement> {
  let accepted = 0
  await runConcurrently(keys.length, keys.length, 'sleepers', async (index) => {
    const key = keys[index] ?? ''
    const url = `${nodes[index % nodes.length]?.url}/v1/organizations`
    let response = await getUnlessOverloaded(url, key)
    for (let calls = 1; response.status === 200 && calls < 5 * LIMIT; calls++)
      response = await getUnlessOverloaded(url, key)
    await sleep(response.retryAfter * 1000)
    response = await getUnlessOverloaded(url, key)
    if (response.status === 200) accepted += 1
  })
  return {
    measure: 'accepted after sleeping exactly Retry-After',
    goal: `${keys.length} of ${keys.length}`,
    result: accepted,
    met: accepted === keys.length,
  }
}

/** So many callers at once may be too many for the node, which says so before it looks at the rate limit. */
async function getUnlessOverloaded(url: string, key: string): ReturnType<typeof get> {
  for (;;) {
    const response = await get(url, key)
    if (response.status !== 503) return response
    await sleep(response.retryAfter * 1000)
  }
}

/** A ratio of single requests varies from run to run, so the flood must be harmless in every one of them. */
async function proveFlood(
  nodes: readonly ApiProcess[],
  victim: string,
  others: readonly string[],
): Promise<Measurement[]> {
  const runs: FloodRun[] = []
  for (let run = 1; run <= FLOOD_RUNS; run++) {
    const result = await runFlood(nodes, victim, others)
    runs.push(result)
    console.error(
      `  flood ${run} of ${FLOOD_RUNS}: ${result.perSecond} rejected per second; p99 ${describeTimes(result.flooded)}` +
        `, without the flood ${describeTimes(result.calm)}`,
    )
  }
  const rates = runs.map(({ perSecond }) => perSecond)
  const ratios = runs.map(({ calm, flooded }) => p99(flooded) / p99(calm))
  return [
    {
      measure: 'rejected requests per second of one key, in each run',
      goal: '≥ 4000',
      result: rates.join(', '),
      met: rates.every((rate) => rate >= 4_000),
    },
    {
      measure: `p99 of other tenants, flooded ÷ calm, in ${FLOOD_RUNS} runs`,
      goal: '≤ 1.5 in each',
      result: ratios.map((ratio) => ratio.toFixed(2)).join(', '),
      met: ratios.every((ratio) => ratio <= 1.5),
    },
  ]
}

interface FloodRun {
  readonly perSecond: number
  readonly calm: readonly number[]
  readonly flooded: readonly number[]
}

/** Periods with and without a flood alternate, so that other load affects both. */
async function runFlood(
  nodes: readonly ApiProcess[],
  victim: string,
  others: readonly string[],
): Promise<FloodRun> {
  const baseUrls = nodes.map(({ url }) => url)
  const size = Math.floor(others.length / (2 * FLOOD_ROUNDS + 1))
  const keySlice = (index: number) => others.slice(index * size, (index + 1) * size)
  const calm: number[] = []
  const flooded: number[] = []
  let refused = 0
  await callSteadily(nodes, keySlice(2 * FLOOD_ROUNDS))
  for (let round = 0; round < FLOOD_ROUNDS; round++) {
    calm.push(...(await callSteadily(nodes, keySlice(2 * round))))
    const flooding = flood({ baseUrls, key: victim, perSecond: 5_000, seconds: STRETCH_SECONDS + 1 })
    await sleep(1_000)
    flooded.push(...(await callSteadily(nodes, keySlice(2 * round + 1))))
    refused += await flooding
  }
  return { perSecond: Math.round(refused / FLOOD_ROUNDS / (STRETCH_SECONDS + 1)), calm, flooded }
}

/** Each key stays within its own rate limit. */
async function callSteadily(nodes: readonly ApiProcess[], keys: readonly string[]): Promise<number[]> {
  const times: number[] = []
  const total = keys.length * 5
  const pause = (STRETCH_SECONDS * 1000) / total
  const started = performance.now()
  const calls: Promise<void>[] = []
  for (let index = 0; index < total; index++) {
    const due = started + index * pause
    await sleep(Math.max(due - performance.now(), 0))
    calls.push(timeOne(nodes[index % nodes.length]?.url ?? '', keys[index % keys.length] ?? '', times))
  }
  await Promise.all(calls)
  return times
}

async function timeOne(url: string, key: string, times: number[]): Promise<void> {
  const started = performance.now()
  const { status, text } = await get(`${url}/v1/organizations`, key)
  if (status !== 200) throw new Error(`A request within its rate limit returned ${status}: ${text}`)
  times.push(performance.now() - started)
}

function describeTimes(times: readonly number[]): string {
  return `${p99(times).toFixed(1)} ms, median ${quantile(times, 0.5).toFixed(1)}`
}

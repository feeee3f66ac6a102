import { setTimeout as sleep } from 'node:timers/promises'
import type { ProofOptions } from './run.ts'
import { type SeatCaller, type SeatsInstallation, startSeatsInstallation } from './seats/installation.ts'
import { postJson } from './tools/client.ts'
import { copyWithout } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

const PEOPLE = 200
const SEATS = 10
// On a busy machine, the server may be overloaded for a moment and return 503.
const MAX_RETRIES = 10

// The count is still read, but concurrent decisions do not wait for each other.
const withoutLock = {
  file: 'access/sql.ts',
  name: 'lockSeats',
  by: "export const lockSeats = statement('access.lock-no-seats', 'select $1::uuid')",
}

interface SeatResponse {
  readonly candidate: SeatCaller
  /** Whether the response says that the person has a seat; null = it does not say. */
  readonly seat: boolean | null
  /** How often the request was repeated because the server was overloaded. */
  readonly retries: number
}

interface Tally {
  rounds: number
  requests: number
  most: number
  over: number
  given: number
  untrue: number
  unclear: number
  again: number
  miscounted: number
}

/** Concurrent requests for shared seats: no seat is assigned twice. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const rounds = quick ? 12 : 1_000
  const copy = withoutCure ? await copyWithout([withoutLock]) : null
  const installation = await startSeatsInstallation({ people: PEOPLE, seats: SEATS }, copy?.apiEntry)
  try {
    const tally = await runRounds(installation, rounds)
    const title = `seats: ${PEOPLE} requests at once on ${SEATS} free seats, 3 API processes`
    report(withoutCure ? `${title}, without the lock` : title, [
      ...toMeasurements(tally, rounds),
      await measureAudit(installation),
    ])
  } finally {
    await installation.stop()
    await copy?.remove()
  }
}

/**
 * In every second round all seats are free and everybody requests one. In the other rounds, everybody with a seat
 * returns it while all others request one.
 */
async function runRounds(installation: SeatsInstallation, rounds: number): Promise<Tally> {
  const tally: Tally = {
    rounds: 0,
    requests: 0,
    most: 0,
    over: 0,
    given: 0,
    untrue: 0,
    unclear: 0,
    again: 0,
    miscounted: 0,
  }
  for (let round = 0; round < rounds; round++) {
    const before = await installation.readSeats()
    if (round % 2 === 0) {
      const seated = installation.people.filter(({ id }) => before.seated.has(id))
      await Promise.all(seated.map((candidate) => requestSeat(candidate, 'unassign')))
    }
    const { seated } = await installation.readSeats()
    const responses = await Promise.all(
      installation.people.map((candidate) =>
        requestSeat(candidate, seated.has(candidate.id) ? 'unassign' : 'assign'),
      ),
    )
    await checkRound(installation, responses, seated.size === 0, tally)
    if ((round + 1) % Math.ceil(rounds / 5) === 0) console.error(`  rounds: ${round + 1} of ${rounds}`)
  }
  return tally
}

async function checkRound(
  installation: SeatsInstallation,
  responses: readonly SeatResponse[],
  fresh: boolean,
  tally: Tally,
): Promise<void> {
  const { seated, counted } = await installation.readSeats()
  tally.rounds += 1
  tally.requests += responses.length
  tally.most = Math.max(tally.most, seated.size)
  if (seated.size > SEATS) tally.over += 1
  // If all seats were free, each of them is assigned.
  if (fresh && responses.filter(({ seat }) => seat === true).length === SEATS) tally.given += 1
  tally.unclear += responses.filter(({ seat }) => seat === null).length
  tally.again += responses.reduce((sum, { retries }) => sum + retries, 0)
  tally.untrue += responses.filter(
    ({ candidate, seat }) => seat !== null && seat !== seated.has(candidate.id),
  ).length
  if (counted !== seated.size) tally.miscounted += 1
}

async function requestSeat(candidate: SeatCaller, action: 'assign' | 'unassign'): Promise<SeatResponse> {
  const { account, key, node } = candidate
  const body = JSON.stringify({ action, user_ids: [account] })
  for (let retries = 0; ; retries++) {
    const { status, text, retryAfter } = await postJson(`${node}/v1/users/seats`, key, body)
    if (status === 200) return { candidate, retries, seat: parseSeat(text, account, action) }
    if ((status !== 429 && status !== 503) || retries === MAX_RETRIES)
      return { candidate, retries, seat: null }
    await sleep(retryAfter * 1000)
  }
}

function parseSeat(text: string, account: string, action: 'assign' | 'unassign'): boolean | null {
  const { succeeded, failed } = JSON.parse(text) as {
    succeeded: string[]
    failed: { id: string; code: string }[]
  }
  if (succeeded.includes(account)) return action === 'assign'
  return failed.some(({ id, code }) => id === account && code === 'NO_SEATS_AVAILABLE') ? false : null
}

function toMeasurements(tally: Tally, rounds: number): Measurement[] {
  const fresh = Math.ceil(rounds / 2)
  const expectZero = (measure: string, result: number) => ({ measure, goal: '0', result, met: result === 0 })
  return [
    {
      measure: 'rounds',
      goal: `${rounds}`,
      result: tally.rounds,
      met: tally.rounds === rounds,
    },
    {
      measure: 'maximum number of assigned seats',
      goal: `${SEATS}`,
      result: tally.most,
      met: tally.most === SEATS,
    },
    expectZero('rounds with more assigned than purchased', tally.over),
    {
      measure: `rounds on ${SEATS} free seats in which exactly ${SEATS} were assigned`,
      goal: `${fresh}`,
      result: tally.given,
      met: tally.given === fresh,
    },
    expectZero(`answers that were not true, of ${tally.requests}`, tally.untrue),
    expectZero(`answers that said neither yes nor no (busy, and asked again: ${tally.again})`, tally.unclear),
    expectZero('rounds in which the counter was wrong', tally.miscounted),
  ]
}

/** The audit log has one row per change: seats assigned minus seats unassigned are those in use. */
async function measureAudit(installation: SeatsInstallation): Promise<Measurement> {
  const [{ seated }, audited] = [await installation.readSeats(), await installation.countAuditedSeats()]
  return {
    measure: 'seats in use according to the audit log',
    goal: `${seated.size}`,
    result: audited,
    met: audited === seated.size,
  }
}

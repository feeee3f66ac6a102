import { setTimeout as sleep } from 'node:timers/promises'
import type { BulkRoot } from '../../server/test/bulk/tenants.ts'
import type { TestDatabase } from '../../server/test/database.ts'
import { get, sendJson } from '../tools/client.ts'
import { createSarif } from './attack.ts'
import { createPullRequestEvent } from './pull-request.ts'

export interface QuietTenant extends BulkRoot {
  readonly credential: string
}

/** What the other tenants saw in a stretch of time. */
export interface Observed {
  readonly requests: number
  /** Statuses other than success, and connections without a response. */
  readonly refused: readonly string[]
  /** Milliseconds of each request to the API. */
  readonly times: readonly number[]
  /** Milliseconds from the 202 to the committed row, for each event; Infinity if there is none. */
  readonly lags: readonly number[]
}

export function joinObserved(stretches: readonly Observed[]): Observed {
  return {
    requests: stretches.reduce((sum, { requests }) => sum + requests, 0),
    refused: stretches.flatMap(({ refused }) => refused),
    times: stretches.flatMap(({ times }) => times),
    lags: stretches.flatMap(({ lags }) => lags),
  }
}

interface SentEvent {
  readonly number: number
  readonly at: number
}

const READ_EVERY_MS = 40
const WRITE_EVERY_MS = 120
const EVENT_EVERY_MS = 80
const UPLOAD_EVERY_MS = 1_500
const POLL_MS = 50
const MAX_LAG_MS = 15_000
let nextNumber = 1

/** Tenants that read, write, send events and upload files at a low, steady rate, each within its limits. */
export async function observeTenants(
  url: string,
  tenants: readonly QuietTenant[],
  superuser: ReturnType<TestDatabase['superuser']>,
  seconds: number,
): Promise<Observed> {
  const refused: string[] = []
  const times: number[] = []
  const events: SentEvent[] = []
  const lags: number[] = []
  const calls: Promise<void>[] = []
  let turn = 0
  const nextTenant = (): QuietTenant => {
    const tenant = tenants[turn++ % tenants.length]
    if (tenant === undefined) throw new Error('There is no tenant to observe.')
    return tenant
  }
  const note = (what: string, status: number) => {
    if (status < 200 || status > 299) refused.push(`${what} ${status}`)
  }

  async function timed(what: string, send: () => Promise<{ readonly status: number }>): Promise<void> {
    const started = performance.now()
    const { status } = await send().catch(() => ({ status: 0 }))
    times.push(performance.now() - started)
    note(what, status)
  }

  async function sendEvent({ orgId, credential }: QuietTenant): Promise<void> {
    const number = nextNumber++
    const body = JSON.stringify([createPullRequestEvent({ orgId, number, findings: 1 })])
    const { status } = await sendJson('POST', `${url}/ingest/v1/events`, credential, body).catch(() => ({
      status: 0,
    }))
    note('event', status)
    if (status === 202) events.push({ number, at: performance.now() })
  }

  async function upload({ orgId, credential }: QuietTenant): Promise<void> {
    const query = `provider=github&org_id=${orgId}&repo_id=1`
    const { status } = await sendJson(
      'POST',
      `${url}/ingest/v1/sarif?${query}`,
      credential,
      createSarif(3),
    ).catch(() => ({ status: 0 }))
    note('upload', status)
  }

  const actions = [
    [READ_EVERY_MS, ({ keys: [key = ''] }) => timed('read', () => get(`${url}/v1/organizations`, key))],
    [
      WRITE_EVERY_MS,
      ({ keys: [key = ''] }) =>
        timed('write', () =>
          sendJson('POST', `${url}/v1/users/seats`, key, '{"action":"unassign","user_ids":["nobody"]}'),
        ),
    ],
    [EVENT_EVERY_MS, sendEvent],
    [UPLOAD_EVERY_MS, upload],
  ] as const satisfies readonly (readonly [number, (tenant: QuietTenant) => Promise<void>])[]

  const started = performance.now()
  const due = actions.map(() => started)
  let settled = false
  const watching = watchLags(superuser, events, lags, () => settled)
  while (performance.now() < started + seconds * 1000) {
    for (const [index, [everyMs, act]] of actions.entries()) {
      if ((due[index] ?? 0) > performance.now()) continue
      due[index] = (due[index] ?? 0) + everyMs
      calls.push(act(nextTenant()))
    }
    await sleep(5)
  }
  await Promise.all(calls)
  settled = true
  await watching
  return { requests: calls.length, refused, times, lags }
}

/** Looks for the rows of the events until all are there, or the last one has been missing for long. */
async function watchLags(
  superuser: ReturnType<TestDatabase['superuser']>,
  events: SentEvent[],
  lags: number[],
  isSettled: () => boolean,
): Promise<void> {
  for (let lastSeen = performance.now(); !isSettled() || events.length > 0; ) {
    const { rows } = await superuser.query<{ number: string }>(
      'select number from pull_request where number = any ($1::bigint[])',
      [events.map(({ number }) => number)],
    )
    const now = performance.now()
    const stored = new Set(rows.map(({ number }) => Number(number)))
    for (const event of events.filter(({ number }) => stored.has(number))) {
      lags.push(now - event.at)
      events.splice(events.indexOf(event), 1)
      lastSeen = now
    }
    if (isSettled() && now - lastSeen > MAX_LAG_MS) break
    await sleep(POLL_MS)
  }
  for (const _ of events) lags.push(Number.POSITIVE_INFINITY)
}

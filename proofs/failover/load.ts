import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPoller, type Poller } from '../audit/poller.ts'
import { getBlock, type NumberedEvents } from '../ingest/events.ts'
import { type Acknowledged, noneAcknowledged } from '../ingest/sender.ts'
import { type Reader, readChanges } from '../paging/readers.ts'
import { sendRequest } from '../tools/client.ts'
import type { Revocable, Service } from './service.ts'

export const callKinds = ['read', 'write', 'ingest'] as const
export type CallKind = (typeof callKinds)[number]

/** What callers of one kind saw. */
export interface CallLog {
  sent: number
  /** The caller repeats the request. */
  refused: number
  longestMs: number
  lastAnswerAt: number
  /** The longest time in which a caller repeated a request until it was answered, since it was last set to 0. */
  gapMs: number
  markedAt: number
}

export interface Load {
  readonly logs: Readonly<Record<CallKind, CallLog>>
  readonly acknowledged: Acknowledged
  /** Ids of what was created, as answered. */
  readonly learnings: ReadonlySet<string>
  readonly roles: ReadonlySet<string>
  readonly follower: Reader
  readonly poller: Poller
  readonly revoked: readonly Revocable[]
  /** Requests with a credential whose revocation had been answered. */
  readonly afterRevocation: { asked: number; accepted: number }
  /** Refusals to be repeated, and responses that are neither that nor a success; each with how often. */
  readonly refusals: ReadonlyMap<string, number>
  readonly wrong: ReadonlyMap<string, number>
  /** Sets the gaps to 0. */
  mark(): void
  /** Whether each kind of caller has been answered since the moment. */
  isAnsweredSince(at: number): boolean
  stop(): Promise<void>
}

const PAUSE_MS = 100
const RETRY_MS = 100
const REVOKE_PAUSE_MS = 1_000
/** No response, in progress with the same key, too many, no node, unavailable. */
const REFUSALS = new Set([0, 409, 429, 502, 503])

function count(of: Map<string, number>, what: string): void {
  of.set(what, (of.get(what) ?? 0) + 1)
}

/** Callers of every kind, each of which repeats what was refused until it is answered. */
export function startLoad(service: Service, events: NumberedEvents, eventsPerSecond: number): Load {
  const createLog = (): CallLog => ({
    sent: 0,
    refused: 0,
    longestMs: 0,
    lastAnswerAt: performance.now(),
    gapMs: 0,
    markedAt: 0,
  })
  const logs = { read: createLog(), write: createLog(), ingest: createLog() }
  const acknowledged = noneAcknowledged()
  const learnings = new Set<string>()
  const roles = new Set<string>()
  const refusals = new Map<string, number>()
  const wrong = new Map<string, number>()
  const revoked: Revocable[] = []
  const afterRevocation = { asked: 0, accepted: 0 }
  const stopping = new AbortController()
  const keyHeader = { 'x-service-api-key': service.key }
  const [organization] = service.root.organizations

  /** Repeats the request until it is answered with one of the expected statuses. */
  async function call(
    kind: CallKind,
    expected: readonly number[],
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<{ readonly text: string }> {
    const log = logs[kind]
    const called = performance.now()
    for (;;) {
      const started = performance.now()
      const response = await sendRequest(method, service.url + path, headers, body).catch(
        (error: unknown) => ({
          status: 0,
          text: String(error),
        }),
      )
      const now = performance.now()
      log.sent += 1
      log.longestMs = Math.max(log.longestMs, now - started)
      // Also while it is refused, as it may never be answered.
      log.gapMs = Math.max(log.gapMs, now - Math.max(called, log.markedAt))
      if (expected.includes(response.status)) {
        log.lastAnswerAt = now
        return response
      }
      const isRefusal = REFUSALS.has(response.status)
      if (isRefusal) log.refused += 1
      const what = `${method} ${path.split(/[?]|\/[0-9a-f-]{36}/)[0]} ${response.status} ${response.text.slice(0, 120)}`
      count(isRefusal ? refusals : wrong, what)
      await sleep(RETRY_MS)
    }
  }

  const reads = [
    '/v1/organizations',
    `/v1/learnings?org_id=${organization.orgId}`,
    '/v1/metrics/review-comments?start_date=2026-05-01&end_date=2026-05-31&limit=50',
    '/v1/keys/self',
  ]
  let nextRead = 0
  let nextBlock = 0

  async function read(): Promise<void> {
    await call('read', [200], 'GET', reads[nextRead++ % reads.length] ?? '', keyHeader)
    await sleep(PAUSE_MS)
  }

  async function send(): Promise<void> {
    const { pullRequests, outcomes } = getBlock(nextBlock++)
    const sent = [
      ...outcomes.map((number) => events.outcome(number)),
      ...pullRequests.map((number) => events.finalized(number)),
    ]
    const started = performance.now()
    const headers = { 'x-service-api-key': service.credential }
    await call('ingest', [202], 'POST', '/ingest/v1/events', headers, JSON.stringify(sent))
    for (const number of pullRequests) acknowledged.pullRequests.add(number)
    for (const number of outcomes) acknowledged.outcomes.add(number)
    await sleep(Math.max(0, (sent.length / eventsPerSecond) * 1_000 - (performance.now() - started)))
  }

  async function writeLearning(): Promise<void> {
    const data = [
      {
        repository_id: organization.repositories[0]?.repositoryId,
        learning: `Check the size of ${randomUUID()} before it is sent.`,
      },
    ]
    const body = JSON.stringify({ org_id: organization.orgId, data })
    const headers = { ...keyHeader, 'idempotency-key': randomUUID() }
    const { text } = await call('write', [200], 'POST', '/v1/learnings', headers, body)
    const { results } = JSON.parse(text) as { results: readonly { readonly id?: string }[] }
    learnings.add(results[0]?.id ?? text)
    await sleep(PAUSE_MS)
  }

  async function writeRole(): Promise<void> {
    const body = JSON.stringify({ org_id: organization.orgId, name: `Role ${randomUUID()}` })
    const headers = { ...keyHeader, 'idempotency-key': randomUUID() }
    const { text } = await call('write', [201], 'POST', '/v1/roles', headers, body)
    roles.add((JSON.parse(text) as { id: string }).id)
    await sleep(PAUSE_MS)
  }

  /** Revoked once each; a repeated request finds nothing any more. */
  async function revoke(): Promise<void> {
    const one = service.revocable[revoked.length]
    if (one === undefined) return sleep(REVOKE_PAUSE_MS).then(() => undefined)
    const { method, path, headers } = one.end
    await call('write', [200, 204, 401, 404], method, path, headers)
    revoked.push(one)
    await checkRevoked(service, one, afterRevocation)
    await sleep(REVOKE_PAUSE_MS)
  }

  const repeatGet = async (url: string, key: string) => {
    const { text } = await call('read', [200], 'GET', url, { 'x-service-api-key': key })
    return { status: 200, text, retryAfter: 0 }
  }
  const follower = readChanges({ name: 'changes', baseUrl: '', key: service.key, call: repeatGet })
  const poller = createPoller('audit log', '', service.key, 'actions=role_created', {
    call: repeatGet,
    identify: ({ metadata }) => metadata.resource_id,
  })
  const follow = async (reader: { poll(): Promise<boolean> }) => {
    if (!(await reader.poll())) await sleep(PAUSE_MS)
  }
  const repeat = async (work: () => Promise<void>) => {
    while (!stopping.signal.aborted) await work()
  }
  const callers = [
    repeat(read),
    repeat(send),
    repeat(writeLearning),
    repeat(writeRole),
    repeat(revoke),
    repeat(() => follow(follower)),
    repeat(() => follow(poller)),
  ]
  return {
    logs,
    acknowledged,
    learnings,
    roles,
    follower,
    poller,
    revoked,
    afterRevocation,
    refusals,
    wrong,
    mark() {
      for (const kind of callKinds) {
        logs[kind].gapMs = 0
        logs[kind].markedAt = performance.now()
      }
    },
    isAnsweredSince: (at) => callKinds.every((kind) => logs[kind].lastAnswerAt > at),
    async stop() {
      stopping.abort()
      await Promise.all(callers)
    },
  }
}

/** Asks every API process; one that cannot say is asked again. */
export async function checkRevoked(
  { nodes }: Service,
  { headers }: Revocable,
  tally: { asked: number; accepted: number },
): Promise<void> {
  await Promise.all(
    nodes.map(async (url) => {
      for (;;) {
        const response = await sendRequest('GET', `${url}/v1/organizations`, headers).catch(() => null)
        if (response !== null && response.status < 500) {
          tally.asked += 1
          if (response.status === 200) tally.accepted += 1
          return
        }
        await sleep(RETRY_MS)
      }
    }),
  )
}

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { getBlock, type NumberedEvents } from '../ingest/events.ts'
import { type Acknowledged, noneAcknowledged } from '../ingest/sender.ts'
import { type HttpResult, sendRequest } from '../tools/client.ts'

export interface Load {
  readonly acknowledged: Acknowledged
  /** Ids of Learnings by the text that was sent. */
  readonly learnings: ReadonlyMap<string, string>
  readonly counts: LoadCounts
  /** Stops the callers and waits for their last responses. */
  stop(): Promise<void>
}

export interface LoadCounts {
  reads: number
  writes: number
  /** Requests that were refused with 503, and repeated. */
  repeated: number
  /** Responses other than expected, or none. */
  failed: number
  /** The first of each kind. */
  readonly failures: Map<string, string>
  /** Requests that were sent again with their Idempotency-Key and returned something else. */
  appliedTwice: number
  longestReadMs: number
  longestWriteMs: number
  /** What the longest write waited for, as the phase that was set then. */
  longestWritePhase: string
}

export interface LoadTarget {
  readonly url: string
  readonly key: string
  readonly credential: string
  readonly organizationId: string
  readonly orgId: string
  readonly repositoryId: string
  readonly events: NumberedEvents
  /** The step of the upgrade that is in progress. */
  readonly phase: () => string
  /** How often a request that was refused with 503 is repeated. */
  readonly retries: number
}

const READERS = 2
const SENDERS = 1
const READ_PAUSE_MS = 100
const SEND_PAUSE_MS = 500
const WRITE_PAUSE_MS = 150

/** Reads of every kind, events, and writes with an Idempotency-Key, until it is stopped. */
export function startLoad(target: LoadTarget): Load {
  const counts: LoadCounts = {
    reads: 0,
    writes: 0,
    repeated: 0,
    failed: 0,
    failures: new Map(),
    appliedTwice: 0,
    longestReadMs: 0,
    longestWriteMs: 0,
    longestWritePhase: '',
  }
  const acknowledged = noneAcknowledged()
  const learnings = new Map<string, string>()
  const stopping = new AbortController()
  const paths = listReads(target)
  let block = 0
  let reads = 0

  async function call(
    kind: 'read' | 'write',
    expected: number,
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
    retries = target.retries,
  ): Promise<HttpResult | null> {
    const started = performance.now()
    const phase = target.phase()
    const response = await sendRequest(method, target.url + path, headers, body).catch((error: unknown) => ({
      status: 0,
      text: error instanceof Error ? error.message : String(error),
      retryAfter: 0,
    }))
    const ms = performance.now() - started
    if (kind === 'read') {
      counts.reads += 1
      counts.longestReadMs = Math.max(counts.longestReadMs, ms)
    } else {
      counts.writes += 1
      if (ms > counts.longestWriteMs) {
        counts.longestWriteMs = ms
        counts.longestWritePhase = phase
      }
    }
    if (response.status === expected) return response
    if (response.status === 503 && retries > 0) {
      counts.repeated += 1
      await sleep(response.retryAfter * 1000)
      return call(kind, expected, method, path, headers, body, retries - 1)
    }
    counts.failed += 1
    const failure = `${method} ${path.split('?')[0]} ${response.status}`
    if (!counts.failures.has(failure))
      counts.failures.set(failure, `${phase}: ${response.text.slice(0, 200)}`)
    return null
  }

  const keyHeader = { 'x-service-api-key': target.key }

  async function read(): Promise<void> {
    const path = paths[reads++ % paths.length] ?? '/v1/organizations'
    await call('read', 200, 'GET', path, keyHeader)
    await sleep(READ_PAUSE_MS)
  }

  async function sendEvents(): Promise<void> {
    const { pullRequests, outcomes } = getBlock(block++)
    const sent = [
      ...outcomes.map((number) => target.events.outcome(number)),
      ...pullRequests.map((number) => target.events.finalized(number)),
    ]
    const headers = { 'x-service-api-key': target.credential }
    const response = await call('write', 202, 'POST', '/ingest/v1/events', headers, JSON.stringify(sent))
    if (response !== null) {
      for (const number of pullRequests) acknowledged.pullRequests.add(number)
      for (const number of outcomes) acknowledged.outcomes.add(number)
    }
    await sleep(SEND_PAUSE_MS)
  }

  /** Every write is sent twice with its key, as by a caller that lost the first response; the nodes take turns. */
  async function writeLearning(): Promise<void> {
    const text = `Check the size of ${randomUUID()} before the upgrade.`
    const headers = { ...keyHeader, 'idempotency-key': randomUUID() }
    const body = JSON.stringify({
      org_id: target.orgId,
      data: [{ repository_id: target.repositoryId, learning: text }],
    })
    const first = await call('write', 200, 'POST', '/v1/learnings', headers, body)
    await sleep(WRITE_PAUSE_MS)
    const second = await call('write', 200, 'POST', '/v1/learnings', headers, body)
    // Applied again, the text would be reported as a duplicate.
    if (first !== null && second !== null && first.text !== second.text) counts.appliedTwice += 1
    const stored = first ?? second
    if (stored !== null) learnings.set(text, getId(stored))
    await sleep(WRITE_PAUSE_MS)
  }

  const repeat = async (work: () => Promise<void>) => {
    while (!stopping.signal.aborted) await work()
  }
  const callers = [
    ...Array.from({ length: READERS }, () => repeat(read)),
    ...Array.from({ length: SENDERS }, () => repeat(sendEvents)),
    repeat(writeLearning),
  ]
  return {
    acknowledged,
    learnings,
    counts,
    async stop() {
      stopping.abort()
      await Promise.all(callers)
    },
  }
}

function getId({ text }: HttpResult): string {
  const { results } = JSON.parse(text) as { results: readonly { readonly id?: string }[] }
  return results[0]?.id ?? text
}

function listReads({ organizationId, orgId }: LoadTarget): string[] {
  const window = 'start_date=2026-05-01&end_date=2026-05-31'
  return [
    '/v1/organizations',
    `/v1/organizations/${organizationId}/repositories`,
    `/v1/metrics/reviews?${window}`,
    `/v1/metrics/review-comments?${window}&limit=50`,
    '/v1/metrics/review-comments/changes?limit=50',
    `/v1/metrics/mcp?${window}`,
    `/v1/metrics/summary?${window}`,
    `/v1/users?org_id=${orgId}`,
    `/v1/roles?org_id=${orgId}`,
    `/v1/roles/permissions?org_id=${orgId}`,
    '/v1/audit-logs',
    `/v1/security/scans/code?org_id=${orgId}`,
    '/v1/keys',
    '/v1/keys/self',
    `/v1/learnings?org_id=${orgId}`,
  ]
}

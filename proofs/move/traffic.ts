import { setTimeout as sleep } from 'node:timers/promises'
import { sendEvents } from '../../server/test/ingest.ts'
import {
  createEventGenerator,
  type ReviewEventGenerator,
  toReviewTarget,
} from '../../server/test/pull-requests.ts'
import { get, type HttpResult } from '../tools/client.ts'
import type { TwoStoreInstallation } from './two-store-installation.ts'

type PullRequest = ReturnType<ReviewEventGenerator['finalized']>
type Outcome = ReturnType<ReviewEventGenerator['outcome']>

/** Events that were acknowledged and must be stored at the end. */
export interface AcknowledgedEvents {
  readonly pullRequests: PullRequest[]
  readonly outcomes: Outcome[]
}

export interface Sender {
  readonly acknowledged: AcknowledgedEvents
  /** Pull requests per request. */
  send(count: number): Promise<void>
}

export interface ResponseCounts {
  preparing: number
  preparingWithoutRetryAfter: number
  readonly unexpected: string[]
}

/** Sends new pull requests, and an outcome for every third. Requests that return 503 are repeated. */
export function createSender({ url, credential, root }: TwoStoreInstallation): Sender {
  const generator = createEventGenerator({ findings: 5 })
  const targets = root.organizations.map((organization) => toReviewTarget(organization))
  const acknowledged: AcknowledgedEvents = { pullRequests: [], outcomes: [] }
  return {
    acknowledged,
    async send(count) {
      const pullRequests = targets.flatMap((place) =>
        Array.from({ length: Math.ceil(count / targets.length) }, () => generator.finalized(place)),
      )
      const outcomes = pullRequests.filter((_, place) => place % 3 === 0).map((of) => generator.outcome(of))
      await deliver(url, credential, [...pullRequests, ...outcomes])
      acknowledged.pullRequests.push(...pullRequests)
      acknowledged.outcomes.push(...outcomes)
    },
  }
}

async function deliver(url: string, credential: string, events: readonly object[]): Promise<void> {
  for (;;) {
    const response = await sendEvents(url, credential, events)
    const text = await response.text()
    if (response.status === 202) {
      const { accepted } = JSON.parse(text) as { accepted: number }
      if (accepted !== events.length) throw new Error(`The ingest endpoint rejected an event: ${text}`)
      return
    }
    if (response.status !== 503) throw new Error(`A request returned ${response.status}: ${text}`)
    await sleep(250)
  }
}

/** A caller that waits while the metrics are being moved, and repeats the request. */
export function createRetryingGet(
  responses: ResponseCounts,
): (url: string, key: string) => Promise<HttpResult> {
  return async (url, key) => {
    for (;;) {
      const response = await get(url, key)
      if (response.status === 200) return response
      const code = /"code":"(\w{1,60})"/.exec(response.text)?.[1] ?? ''
      if (response.status === 503 && code === 'METRICS_PREPARING') {
        responses.preparing += 1
        if (response.retryAfter < 1) responses.preparingWithoutRetryAfter += 1
      } else responses.unexpected.push(`${response.status} ${code}`)
      // Sooner than Retry-After: a move is short, and the proof needs responses during it.
      await sleep(100)
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { sendEvents } from '../../server/test/ingest.ts'
import { makeReviewer, type Reviewer, workplaceOf } from '../../server/test/pull-requests.ts'
import { type Answered, get } from '../tools/client.ts'
import type { World } from './world.ts'

type PullRequest = ReturnType<Reviewer['finalized']>
type Outcome = ReturnType<Reviewer['outcome']>

/** What was acknowledged, and so must be there at the end. */
export interface Acknowledged {
  readonly pullRequests: PullRequest[]
  readonly outcomes: Outcome[]
}

export interface Sender {
  readonly acknowledged: Acknowledged
  /** Pull requests at once, as one call. */
  send(count: number): Promise<void>
}

export interface Answers {
  preparing: number
  preparingWithoutRetryAfter: number
  readonly others: string[]
}

/** Sends pull requests that nobody has sent before, and an outcome for each third; what is not taken is sent again. */
export function makeSender({ url, credential, root }: World): Sender {
  const reviewer = makeReviewer({ findings: 5 })
  const places = root.organizations.map((organization) => workplaceOf(organization))
  const acknowledged: Acknowledged = { pullRequests: [], outcomes: [] }
  return {
    acknowledged,
    async send(count) {
      const pullRequests = places.flatMap((place) =>
        Array.from({ length: Math.ceil(count / places.length) }, () => reviewer.finalized(place)),
      )
      const outcomes = pullRequests.filter((_, place) => place % 3 === 0).map((of) => reviewer.outcome(of))
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
      if (accepted !== events.length) throw new Error(`The door did not take every event: ${text}`)
      return
    }
    if (response.status !== 503) throw new Error(`A sender was answered ${response.status}: ${text}`)
    await sleep(250)
  }
}

/** A caller who does as told: waits when the metrics are being prepared, and asks the same again. */
export function patientGet(answers: Answers): (url: string, key: string) => Promise<Answered> {
  return async (url, key) => {
    for (;;) {
      const answer = await get(url, key)
      if (answer.status === 200) return answer
      const code = /"code":"(\w{1,60})"/.exec(answer.text)?.[1] ?? ''
      if (answer.status === 503 && code === 'METRICS_PREPARING') {
        answers.preparing += 1
        if (answer.retryAfter < 1) answers.preparingWithoutRetryAfter += 1
      } else answers.others.push(`${answer.status} ${code}`)
      // Sooner than told: a move is short, and what it answers is what is looked for.
      await sleep(100)
    }
  }
}

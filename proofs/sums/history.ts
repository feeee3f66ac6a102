import { createUsageEvent } from '../../server/test/metrics/usage.ts'
import { createEventGenerator, type ReviewTarget } from '../../server/test/pull-requests.ts'
import type { FinalizedEvent, ReviewEvent } from '../paging/model.ts'

const FIRST_DAY = '2025-06-01'
export const DAYS = 400
const HOUR = 3_600_000
const severities = ['critical', 'major', 'minor', 'trivial', 'info', null] as const
const categories = [
  'data_integrity_and_integration',
  'functional_correctness',
  'maintainability_and_code_quality',
  'performance_and_scalability',
  'security_and_privacy',
  'stability_and_availability',
  null,
] as const
const reviewers = ['security', 'style, and "layout"', 'performance', null]
export const repositories = ['11', '12', '13', '14', '15']
export const authors = ['901', '902', '903', '904', '905', '906', '907']
const servers = [['linear'], ['sentry'], ['linear', 'sentry'], ['server of "ours"', 'linear']]
const tools = ['get_issue', 'find, and "list"']
const findingIds = ['a', 'b', 'c', 'd', 'e', 'f']

export function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}

export function dayAfter(days: number): string {
  return new Date(Date.parse(`${FIRST_DAY}T00:00:00Z`) + days * 24 * HOUR).toISOString().slice(0, 10)
}

/** Encoded in the URLs, because the pages do not show it: the day that a finding counts for, and its reviewer. */
export function parseDay(url: string): string {
  return url.slice(-10)
}
export function parseReviewer(url: string): string | null {
  return reviewers[Number(url.slice(-1))] ?? null
}

/** Pull requests of a tenant root that are merged, closed, reopened and moved, and their outcomes. */
export class History {
  readonly #places: readonly ReviewTarget[]
  readonly #reviewer = createEventGenerator()
  readonly #known: FinalizedEvent[] = []
  #hour = 0
  #events = 0

  constructor(targets: readonly ReviewTarget[]) {
    this.#places = targets
  }

  /** A batch of events: new pull requests, and as many changes of existing ones. */
  next(count: number): ReviewEvent[] {
    return Array.from({ length: count }, () => {
      this.#hour += 1
      if (this.#known.length === 0 || Math.random() < 0.4) return this.#write(this.#known.length)
      const index = Math.floor(Math.random() * this.#known.length)
      return Math.random() < 0.4 ? this.#write(index) : this.#outcome(index)
    })
  }

  /** A rewritten pull request may have another day, author, organization or findings, or be closed. */
  #write(index: number): FinalizedEvent {
    const number = index + 1
    const day = dayAfter(Math.floor(Math.random() * DAYS))
    const url = `https://git.example.com/pull/${number}/${day}`
    const known = Math.random() < 0.9
    const author = Math.random() < 0.85 ? { id: pick(authors), username: null } : null
    const event = this.#reviewer.finalized(pick(this.#places), {
      event_id: this.#nextId(),
      // If the merge has no time, the time of the event counts.
      occurred_at: known ? this.#timeOfEvent() : `${day}T${this.#timeOfEvent().slice(11)}`,
      repository: { id: repositories[number % repositories.length] ?? '', name: null },
      number,
      url,
      status: Math.random() < 0.85 ? 'merged' : 'closed',
      author,
      merged_at: known ? `${day}T12:00:00.000Z` : null,
      closed_at: null,
      created_at: this.#timeBefore(day, 0.1),
      ready_for_review_at: this.#timeBefore(day, 0.5),
      first_human_review_at: this.#timeBefore(day, 0.3),
      review_iterations: Math.random() < 0.2 ? null : Math.floor(Math.random() * 6),
      findings: findingIds.filter(() => Math.random() < 0.5).map((id) => this.#finding(url, id)),
    })
    const before = this.#known[index]
    // An event that is not newer than the stored one changes nothing.
    if (before === undefined || event.occurred_at > before.occurred_at) this.#known[index] = event
    return event
  }

  #finding(url: string, id: string) {
    const reviewer = Math.floor(Math.random() * reviewers.length)
    return {
      id,
      url: `${url}#${id}-${reviewer}`,
      severity: pick(severities),
      category: pick(categories),
      reviewer: reviewers[reviewer] ?? null,
    }
  }

  #outcome(index: number): ReviewEvent {
    return this.#reviewer.outcome(this.#known[index] as FinalizedEvent, {
      event_id: this.#nextId(),
      occurred_at: this.#timeOfEvent(),
      finding_id: pick(findingIds),
      accepted: pick([true, true, false, false, null]),
    })
  }

  /** Events about tools that were called in some of the pull requests. */
  nextUsage(count: number): ReturnType<typeof createUsageEvent>[] {
    return Array.from({ length: count }, () => {
      const used = pick(servers).map((name) => ({
        name,
        tools: tools
          .filter(() => Math.random() < 0.5)
          .concat('search')
          .map((tool) => ({
            name: tool,
            calls: 1 + Math.floor(Math.random() * 9),
            errors: Number(Math.random() < 0.3),
          })),
      }))
      return createUsageEvent(pick(this.#known), used)
    })
  }

  /** Up to a month before the merge, or unknown; now and then after it. */
  #timeBefore(day: string, unknown: number): string | null {
    if (Math.random() < unknown) return null
    const hours = 24 * 30 * Math.random() ** 4 - 6
    return new Date(Date.parse(`${day}T12:00:00Z`) - Math.floor(hours * HOUR)).toISOString()
  }

  #nextId(): string {
    this.#events += 1
    return `event-${this.#events}`
  }

  /** Later than every merge: the last outcome counts. */
  #timeOfEvent(): string {
    return new Date(Date.UTC(2026, 8, 1) + this.#hour * 60_000).toISOString()
  }
}

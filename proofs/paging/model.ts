import type { Reviewer } from '../../server/test/pull-requests.ts'

export type FinalizedEvent = ReturnType<Reviewer['finalized']>
export type OutcomeEvent = ReturnType<Reviewer['outcome']>
export type ReviewEvent = FinalizedEvent | OutcomeEvent

export interface Comment {
  readonly url: string
  readonly severity: string | null
  readonly category: string | null
  readonly accepted: boolean | null
}

/** What a page shows of a pull request. */
export interface Entry {
  readonly pr_url: string
  readonly organization_id: string
  readonly repository_id: string
  readonly author_id: string | null
  readonly merged_at: string | null
  readonly coderabbit_comments: readonly Comment[]
}

interface Known {
  event: FinalizedEvent | null
  /** Of each finding the outcome in force. */
  readonly outcomes: Map<string, OutcomeEvent>
}

/** The rules in plain words: the newest event of a pull request counts, and of each finding the newest outcome. */
export interface Model {
  /** Tells which pull requests these events, one after the other, have written. */
  apply(events: readonly ReviewEvent[]): Set<string>
  /** Null: no entry. */
  entryOf(name: string): Entry | null
  dayOf(name: string): string
  names(): Iterable<string>
}

function nameOf({ payload }: ReviewEvent): string {
  return `${payload.repository.id} ${payload.number}`
}

export function makeModel(): Model {
  const known = new Map<string, Known>()

  function applyOne(event: ReviewEvent): boolean {
    const name = nameOf(event)
    const about = known.get(name) ?? { event: null, outcomes: new Map<string, OutcomeEvent>() }
    known.set(name, about)
    if (event.type === 'finding.outcome') {
      const before = about.outcomes.get(event.payload.finding_id)
      if (before === undefined || stampOf(event) > stampOf(before))
        about.outcomes.set(event.payload.finding_id, event)
      return false
    }
    if (about.event !== null && event.occurred_at <= about.event.occurred_at) return false
    about.event = event
    return true
  }

  return {
    apply: (events) => new Set(events.filter(applyOne).map(nameOf)),
    entryOf: (name) => renderEntry(known.get(name)),
    dayOf(name) {
      const event = known.get(name)?.event
      return (event?.payload.merged_at ?? event?.occurred_at ?? '').slice(0, 10)
    },
    names: () => known.keys(),
  }
}

function stampOf({ occurred_at, id }: OutcomeEvent): string {
  return `${occurred_at} ${id}`
}

function renderEntry(about: Known | undefined): Entry | null {
  if (!about?.event) return null
  const { organization, repository, author, url, status, merged_at, findings } = about.event.payload
  if (status !== 'merged' || findings.length === 0) return null
  return {
    pr_url: url,
    organization_id: organization.id,
    repository_id: repository.id,
    author_id: author?.id ?? null,
    merged_at,
    coderabbit_comments: findings.map((finding) => ({
      url: finding.url,
      severity: finding.severity,
      category: finding.category,
      accepted: about.outcomes.get(finding.id)?.payload.accepted ?? null,
    })),
  }
}

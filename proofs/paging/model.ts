import type { ReviewEventGenerator } from '../../server/test/pull-requests.ts'

export type FinalizedEvent = ReturnType<ReviewEventGenerator['finalized']>
export type OutcomeEvent = ReturnType<ReviewEventGenerator['outcome']>
export type ReviewEvent = FinalizedEvent | OutcomeEvent

export interface Comment {
  readonly url: string
  readonly severity: string | null
  readonly category: string | null
  readonly accepted: boolean | null
}

/** A pull request as a page shows it. */
export interface Entry {
  readonly pr_url: string
  readonly organization_id: string
  readonly repository_id: string
  readonly author_id: string | null
  readonly merged_at: string | null
  readonly coderabbit_comments: readonly Comment[]
}

interface PullRequestState {
  event: FinalizedEvent | null
  /** The latest outcome of each finding and source. */
  readonly outcomes: Map<string, OutcomeEvent>
}

/** The rules: the newest event of a pull request counts, and of each finding the newest verdict of a person, else of the provider, else of a detector. */
export interface Model {
  /** Applies events in order and returns the pull requests that were written. */
  apply(events: readonly ReviewEvent[]): Set<string>
  /** null = no entry. */
  findEntry(name: string): Entry | null
  findDay(name: string): string
  names(): Iterable<string>
}

function toPullRequestName({ payload }: ReviewEvent): string {
  return `${payload.repository.id} ${payload.number}`
}

export function createModel(): Model {
  const states = new Map<string, PullRequestState>()

  function applyOne(event: ReviewEvent): boolean {
    const name = toPullRequestName(event)
    const state = states.get(name) ?? { event: null, outcomes: new Map<string, OutcomeEvent>() }
    states.set(name, state)
    if (event.type === 'finding.outcome') {
      const source = `${event.payload.finding_id} ${event.payload.source}`
      const before = state.outcomes.get(source)
      if (before === undefined || toSortKey(event) > toSortKey(before)) state.outcomes.set(source, event)
      return false
    }
    if (state.event !== null && event.occurred_at <= state.event.occurred_at) return false
    state.event = event
    return true
  }

  return {
    apply: (events) => new Set(events.filter(applyOne).map(toPullRequestName)),
    findEntry: (name) => renderEntry(states.get(name)),
    findDay(name) {
      const event = states.get(name)?.event ?? null
      return event === null ? '' : (cutMergeTime(event) ?? event.occurred_at).slice(0, 10)
    },
    names: () => states.keys(),
  }
}

function toSortKey({ occurred_at, id }: OutcomeEvent): string {
  return `${occurred_at} ${id}`
}

/** A merge cannot be later than the event that reports it. */
function cutMergeTime({ occurred_at, payload: { merged_at } }: FinalizedEvent): string | null {
  return merged_at !== null && merged_at > occurred_at ? occurred_at : merged_at
}

function renderEntry(state: PullRequestState | undefined): Entry | null {
  if (!state?.event) return null
  const { organization, repository, author, url, status, findings } = state.event.payload
  if (status !== 'merged' || findings.length === 0) return null
  return {
    pr_url: url,
    organization_id: organization.id,
    repository_id: repository.id,
    author_id: author?.id ?? null,
    merged_at: cutMergeTime(state.event),
    coderabbit_comments: findings.map((finding) => ({
      url: finding.url,
      severity: finding.severity,
      category: finding.category,
      accepted: findVerdict(state, finding.id),
    })),
  }
}

function findVerdict({ outcomes }: PullRequestState, finding: string): boolean | null {
  for (const source of ['person', 'provider', 'detector']) {
    const verdict = outcomes.get(`${finding} ${source}`)?.payload.accepted ?? null
    if (verdict !== null) return verdict
  }
  return null
}

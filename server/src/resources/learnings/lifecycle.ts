import { DAY_MS } from '../../time.ts'
// How a Learning comes to guide reviews: the whole rule, over plain values.

export type LearningState = 'private' | 'pending' | 'shared' | 'disapproved'
export type LearningSource = 'api' | 'chat' | 'review' | 'agent'

export interface LearningStatus {
  readonly state: LearningState
  readonly source: LearningSource
  /** When time alone approves it; null = never. */
  readonly deadline: Date | null
}

/** What becomes of a text that a person publishes, by what is known of it. */
export function decidePublication(found: LearningStatus | null): 'create' | 'share' | 'keep' | 'refuse' {
  switch (found?.state) {
    case undefined:
      return 'create'
    case 'private':
    case 'pending':
      return 'share'
    case 'shared':
      return 'keep'
    case 'disapproved':
      return 'refuse'
  }
}

/** Where a proposal comes from; one that names no pull request comes from `nowhere`. */
export type PullRequestState = 'open' | 'merged' | 'closed' | 'nowhere'

export interface Proposal {
  readonly source: Exclude<LearningSource, 'api'>
  readonly from: PullRequestState
  readonly at: Date
  /** Days that a Learning from chat waits for approval; 0 = none. */
  readonly delay: number
}

/** What a proposed text is from now on; null = what it was, and nothing when it was unknown. */
export function decideProposal(
  found: LearningStatus | null,
  proposal: Proposal,
  now: Date,
): LearningStatus | null {
  const { source, from } = proposal
  if (from === 'closed') return null
  if (source === 'agent') return found === null ? { state: 'pending', source, deadline: null } : null
  if (from === 'open') {
    return found === null ? { state: 'private', source, deadline: computeDeadline(proposal) } : null
  }
  const waitsForPerson = found?.state === 'pending' && found.source === 'agent'
  if (found !== null && found.state !== 'private' && !waitsForPerson) return null
  return getStatusAfterMerge({ source, deadline: computeDeadline(proposal) }, now)
}

/** Its pull request was merged: it is shared, or waits for what is left of its delay. */
export function getStatusAfterMerge(
  { source, deadline }: Omit<LearningStatus, 'state'>,
  now: Date,
): LearningStatus {
  if (deadline !== null && deadline > now) return { state: 'pending', source, deadline }
  return { state: 'shared', source, deadline: null }
}

/** Nobody has decided, and time does. */
export function isApprovalDue({ state, deadline }: LearningStatus, now: Date): boolean {
  return state === 'pending' && deadline !== null && deadline <= now
}

function computeDeadline({ source, at, delay }: Proposal): Date | null {
  return source === 'chat' && delay > 0 ? new Date(at.getTime() + delay * DAY_MS) : null
}

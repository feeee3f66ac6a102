import { DAY_MS } from '../../time.ts'

// The state machine of a Learning, as pure functions over plain values.

export type LearningState = 'private' | 'pending' | 'shared' | 'disapproved'
export type LearningSource = 'api' | 'chat' | 'review' | 'agent' | 'connector'

export interface LearningStatus {
  readonly state: LearningState
  readonly source: LearningSource
  /** When the worker approves it automatically; null = never. */
  readonly deadline: Date | null
}

/** Whether only a person can share what it proposes: no merge, no approval delay. */
export function needsApproval(source: LearningSource): boolean {
  return source === 'agent' || source === 'connector'
}

/** What decides whether a text that a person sends is only a proposal. */
export interface PublicationRequest {
  /** Whether it comes from a rules file rather than from the person. */
  readonly isImport: boolean
  /** Whether the person wants a text of an import to be shared although it has a flag. */
  readonly sharesFlagged: boolean
  readonly flagged: boolean
  readonly isAdmin: boolean
}

/** Whether a text that a person sends waits for a person, who may be another one. */
export function isProposal({ isImport, sharesFlagged, flagged, isAdmin }: PublicationRequest): boolean {
  return isImport && flagged && !(sharesFlagged && isAdmin)
}

/**
 * Decides what to do when a person publishes or only proposes a text, given the Learning that already has it. A proposal
 * changes nothing that exists.
 */
export function decidePublication(
  found: LearningStatus | null,
  proposes: boolean,
): 'create' | 'share' | 'keep' | 'refuse' {
  switch (found?.state) {
    case undefined:
      return 'create'
    case 'private':
    case 'pending':
      return proposes ? 'keep' : 'share'
    case 'shared':
      return 'keep'
    case 'disapproved':
      return 'refuse'
  }
}

/** State of the pull request a proposal comes from; `nowhere` if the proposal names none. */
export type PullRequestState = 'open' | 'merged' | 'closed' | 'nowhere'

export interface Proposal {
  readonly source: Exclude<LearningSource, 'api'>
  readonly from: PullRequestState
  readonly at: Date
  /** Days until a Learning from chat is approved automatically; 0 = no wait. */
  readonly delay: number
  /** Whether the text has a flag: then it waits for a person. */
  readonly flagged: boolean
}

/** The new status of a proposed text; null = no change (and nothing is created if the text is new). */
export function decideProposal(
  found: LearningStatus | null,
  proposal: Proposal,
  now: Date,
): LearningStatus | null {
  const { source, from } = proposal
  // What a connector reads was said by a person, whatever becomes of the pull request.
  if (from === 'closed' && source !== 'connector') return null
  if (needsApproval(source)) return found === null ? { state: 'pending', source, deadline: null } : null
  if (from === 'open') {
    return found === null ? { state: 'private', source, deadline: computeDeadline(proposal) } : null
  }
  const waitsForPerson = found?.state === 'pending' && needsApproval(found.source)
  if (found !== null && found.state !== 'private' && !waitsForPerson) return null
  if (waitsForPerson && proposal.flagged) return null
  return getStatusAfterMerge({ source, deadline: computeDeadline(proposal) }, proposal.flagged, now)
}

/**
 * After the merge, a Learning is shared, or stays pending for the rest of its approval delay. One with a flag waits for a
 * person.
 */
export function getStatusAfterMerge(
  { source, deadline }: Omit<LearningStatus, 'state'>,
  flagged: boolean,
  now: Date,
): LearningStatus {
  if (flagged) return { state: 'pending', source, deadline: null }
  if (deadline !== null && deadline > now) return { state: 'pending', source, deadline }
  return { state: 'shared', source, deadline: null }
}

export function isApprovalDue({ state, deadline }: LearningStatus, now: Date): boolean {
  return state === 'pending' && deadline !== null && deadline <= now
}

function computeDeadline({ source, at, delay }: Proposal): Date | null {
  return source === 'chat' && delay > 0 ? new Date(at.getTime() + delay * DAY_MS) : null
}

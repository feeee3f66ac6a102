import { type Claim, toClaim } from '../../../access/audit.ts'
import type { ChangeContext } from '../../../access/change-context.ts'
import type { Scope } from '../../../access/scope.ts'
import { findAccountOwner, type ResolvedOrganization } from '../../../bus/queue/sql.ts'
import type { Tx } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import type { LearningId, OrganizationId, PersonId } from '../../../ids.ts'
import { readLearningSettings } from '../../../learning-index/sql.ts'
import { findTextFlags } from '../../../text/flags.ts'
import { learningId, textForIdentity } from '../../../text/identity.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import { decideProposal, type LearningState, needsApproval, type Proposal } from '../lifecycle.ts'
import type { EmbeddedTexts } from '../write/embed.ts'
import {
  deriveIdsForVersions,
  hashContent,
  hashContentForVersions,
  type RedactedContent,
  reRedactTexts,
} from '../write/item.ts'
import { describePendingLimit } from '../write/plan.ts'
import {
  countPending,
  findActiveRepositoryIds,
  findTombstones,
  type LearningAuthor,
  type LearningHead,
  type LearningRow,
  lockLearnings,
  reserveLearningPositions,
} from '../write/sql.ts'
import { getEventTime, type ProposedEvent, toEventKey } from './payload.ts'
import { readClosing, recordAppliedEvent, writeOrigin } from './sql.ts'
import { writeTransitions } from './transition.ts'

// A person has to decide first.
const RETRY_AFTER_SECONDS = '3600'
const UNKNOWN_REPOSITORY = 'The repository is unknown or inactive.'

/** The content of a proposal, with its organization and author. */
export interface ProposalContent extends RedactedContent, LearningAuthor {
  readonly organization: OrganizationId
  /** Number of the pull request; null if the proposal names none. */
  readonly pull_request: number | null
  readonly person_id: PersonId | null
}

/** What storing a proposal needs besides its content. */
export interface ProposalResources {
  readonly embedded: EmbeddedTexts
  /** Pending Learnings that the tenant root may have. */
  readonly maxPending: number
}

export interface ProposalOutcome {
  readonly id: LearningId
  readonly state: LearningState
  /** Whether the Learning was created with the proposed text and has another one now. Then nothing was changed. */
  readonly matched?: 'id'
}

/** Returns the reason why the event cannot be applied yet, or null. */
export async function applyProposal(
  change: ChangeContext,
  organization: ResolvedOrganization,
  event: ProposedEvent,
  { embedded, maxPending }: ProposalResources,
): Promise<string | null> {
  const { scope, tx, at } = change
  const { organization_id } = organization
  const { repository_id, source, author, number } = event.payload
  const proposedAt = getEventTime(event)
  const pullRequest = number === null ? null : { organization_id, repository_id, number }
  const [head, repositories, settings, closing, person] = await Promise.all([
    reserveLearningPositions(scope, tx, 1, REDACTOR_VERSION),
    findActiveRepositoryIds(scope, tx, organization_id, [repository_id]),
    readLearningSettings(scope, tx, organization_id, [repository_id]),
    pullRequest && readClosing(scope, tx, pullRequest, proposedAt),
    findAccountOwner(scope, tx, organization_id, author),
  ])
  if (!repositories.has(repository_id)) return UNKNOWN_REPOSITORY
  if (!(await recordAppliedEvent(scope, tx, organization_id, toEventKey(event), { at }))) return null
  const from = pullRequest === null ? 'nowhere' : (closing ?? 'open')
  const delay = settings.get(repository_id)?.approval_delay ?? 0
  const content = toProposalContent(organization, event, person)
  const proposal = { source, from, at: proposedAt, delay, flagged: content.flags.length > 0 } as const
  const outcome = await storeProposal(
    change,
    head,
    content,
    proposal,
    { embedded, maxPending },
    author && toClaim('author', author),
  )
  if (outcome !== null && pullRequest !== null && isOrigin(outcome, proposal))
    await writeOrigin(scope, tx, pullRequest, outcome.id, proposedAt)
  return null
}

/** A merge must not share what waits for a person, or a Learning that has another text now. */
function isOrigin({ state, matched }: ProposalOutcome, { source, from }: Proposal): boolean {
  return state === 'private' && matched === undefined && from === 'open' && !needsApproval(source)
}

function toProposalContent(
  { organization_id, instance_id }: ResolvedOrganization,
  { payload }: ProposedEvent,
  person_id: PersonId | null,
): ProposalContent {
  const { repository_id, author, number, learning, identity, file, source_url } = payload
  return {
    // The node that accepted the event may have run an older redactor version.
    ...reRedactTexts({ text: learning, file, source_url }),
    sent: learning,
    identity: textForIdentity(identity ?? learning),
    organization: organization_id,
    instance_id,
    repository_id,
    author_id: author?.id ?? null,
    author_username: author?.username ?? null,
    pull_request: number,
    person_id,
  }
}

/** Creates a pending Learning unless the text exists. It is embedded when it is shared. */
export async function proposeAsAgent(
  change: ChangeContext,
  content: ProposalContent,
  resources: ProposalResources,
): Promise<ProposalOutcome> {
  const { scope, tx, at } = change
  const head = await reserveLearningPositions(scope, tx, 0, REDACTOR_VERSION)
  const flagged = content.flags.length > 0
  const proposal = { source: 'agent', from: 'nowhere', at, delay: 0, flagged } as const
  const outcome = await storeProposal(change, head, content, proposal, resources)
  if (outcome === null) throw new Error('storeProposal() returned null for a proposal from an agent.')
  return outcome
}

/** The caller holds the head lock. Null if the text does not exist and is not stored. */
async function storeProposal(
  change: ChangeContext,
  head: LearningHead,
  content: ProposalContent,
  proposal: Proposal,
  { embedded, maxPending }: ProposalResources,
  claim: Claim | null = null,
): Promise<ProposalOutcome | null> {
  const { scope, tx, at } = change
  const hashes = hashContentForVersions(content, head.redactor_version)
  const ids = deriveIdsForVersions(content.organization, content, head.redactor_version)
  const [live, [tombstone]] = await Promise.all([
    lockLearnings(scope, tx, content.organization, { hashes, ids }),
    findTombstones(scope, tx, content.organization, hashes),
  ])
  const was =
    hashes.flatMap((hash) => live.filter(({ content_hash }) => content_hash.equals(hash)))[0] ?? null
  if (was === null && tombstone !== undefined) return { id: tombstone.id, state: 'disapproved' }
  const changed = was === null ? live.find(({ id }) => ids.includes(id)) : undefined
  if (changed) return { id: changed.id, state: changed.state, matched: 'id' }
  const status = decideProposal(was, judgeFlags(was, proposal), at)
  if (status === null) return was
  if (was === null && status.state === 'pending') await refuseTooManyPending(scope, tx, maxPending)
  const position = status.state === 'shared' ? head.position : null
  const is: LearningRow = was
    ? {
        ...was,
        ...status,
        position,
        pull_request: content.pull_request ?? was.pull_request,
        updated_at: proposal.at < was.updated_at ? was.updated_at : proposal.at,
      }
    : {
        ...newRow(content, proposal.at),
        ...status,
        position,
      }
  const what = was === null ? 'proposed' : 'promoted'
  const audited = toAuditFields(content, proposal, claim)
  await writeTransitions(change, [{ was, is, what, ...audited, wording: content.sent }], embedded)
  return is
}

/** What becomes shared is the stored Learning, whose file may have a flag that the proposal does not have. */
function judgeFlags(was: LearningRow | null, proposal: Proposal): Proposal {
  return was === null ? proposal : { ...proposal, flagged: findTextFlags(was.text, was.file).length > 0 }
}

function toAuditFields({ flags, person_id }: ProposalContent, { source }: Proposal, claim: Claim | null) {
  return {
    metadata: { source, ...(flags.length > 0 && { flags }), ...claim?.metadata },
    personal: claim?.personal ?? {},
    person: claim && person_id,
  }
}

function newRow(
  content: ProposalContent,
  at: Date,
): Omit<LearningRow, 'state' | 'source' | 'deadline' | 'position'> {
  const { organization, identity, sent: _, ...contentColumns } = content
  return {
    ...contentColumns,
    id: learningId({ organization, repository: content.repository_id }, identity),
    organization_id: organization,
    content_hash: hashContent(content),
    redactor_version: REDACTOR_VERSION,
    created_at: at,
    updated_at: at,
  }
}

/** Nobody decides on a list without an end, and each text in it may be long. The head lock makes the count exact. */
async function refuseTooManyPending(scope: Scope, tx: Tx, maxPending: number): Promise<void> {
  if ((await countPending(scope, tx, maxPending)) < maxPending) return
  refuse('RATE_LIMIT_EXCEEDED', describePendingLimit(maxPending), { 'retry-after': RETRY_AFTER_SECONDS })
}

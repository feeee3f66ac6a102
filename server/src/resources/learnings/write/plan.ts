import type { LearningId } from '../../../ids.ts'
import { findTextFlags } from '../../../text/flags.ts'
import { learningId } from '../../../text/identity.ts'
import { REDACTOR_VERSION, redact } from '../../../text/redact.ts'
import { decidePublication, isProposal } from '../lifecycle.ts'
import {
  deriveIdsForVersions,
  hashContent,
  hashContentForVersions,
  type ParsedItem,
  type ValidatedItem,
} from './item.ts'
import type { IgnoredField, itemCodes } from './schema.ts'
import {
  countPending,
  findActiveRepositoryIds,
  findLearnings,
  findTombstones,
  type LearningAuthor,
  type LearningRow,
  lockLearnings,
  readAuthor,
  readLearningHead,
  reserveLearningPositions,
} from './sql.ts'
import type { WriteContext } from './write-context.ts'

/** The outcome of an item before indexing. */
export type ItemOutcome =
  | { readonly status: 'created'; readonly learning: LearningRow }
  | {
      readonly status: 'duplicate'
      readonly learning: LearningRow
      /** `id`: the Learning was created with the item's text, and has another text now. */
      readonly matched: 'content' | 'id'
      readonly ignored: readonly IgnoredField[]
    }
  | {
      readonly status: 'failed'
      readonly code: (typeof itemCodes)[number]
      readonly message: string
      /** The disapproved Learning with this text. */
      readonly id?: LearningId
    }

/** What a batch writes. */
export interface BatchPlan {
  readonly outcomes: readonly ItemOutcome[]
  /** Shared or pending. */
  readonly created: readonly LearningRow[]
  /** Private or pending before; old and new row. */
  readonly shared: readonly { readonly was: LearningRow; readonly is: LearningRow }[]
  /** Already shared. */
  readonly unchanged: readonly LearningRow[]
  /** The text sent for each Learning: the stored text may have other line endings. */
  readonly sentAs: ReadonlyMap<LearningId, string>
}

interface PlanOptions {
  /** Only reads. Otherwise the head is locked, so that the plan is still valid when it is written. */
  readonly dryRun: boolean
  /** Whether the owner of the key is an Admin. */
  readonly isAdmin: boolean
  /** Pending Learnings that the tenant root may have. */
  readonly maxPending: number
}

export async function planBatch(
  writeContext: WriteContext,
  validated: readonly ValidatedItem[],
  options: PlanOptions,
): Promise<BatchPlan> {
  const state = await readBatchState(writeContext, validated, options)
  const { basePosition, lookups, byContentHash } = state
  const created: LearningRow[] = []
  const shared: { was: LearningRow; is: LearningRow }[] = []
  const unchanged = new Set<LearningRow>()
  const sentAs = new Map<LearningId, string>()
  const nextPosition = () => basePosition + created.length + shared.length + 1
  let pendingCount = state.pendingCount

  function decide(one: ValidatedItem): ItemOutcome {
    if ('problem' in one) return failItem('INVALID_ITEM', one.problem)
    const { item } = one
    const lookup = lookups.get(item)
    if (lookup === undefined) return failItem('REPOSITORY_NOT_FOUND', UNKNOWN_REPOSITORY_MESSAGE)
    const found = lookup.hashKeys.map((key) => byContentHash.get(key)).find(Boolean) ?? null
    const former = found === null ? findFormer(state, item, lookup) : null
    if (former !== null) return former
    const proposes = isProposedItem(item, options, found)
    const learning = found ?? newRow(writeContext, state, item, proposes ? null : nextPosition())
    sentAs.set(learning.id, item.text)
    switch (decidePublication(found, proposes)) {
      case 'create':
        if (proposes && ++pendingCount > options.maxPending)
          return failItem('RATE_LIMIT_EXCEEDED', describePendingLimit(options.maxPending))
        created.push(learning)
        byContentHash.set(toHashKey(learning.content_hash), learning)
        return { status: 'created', learning }
      case 'share': {
        const is = toSharedRow(learning, nextPosition(), writeContext.at)
        shared.push({ was: learning, is })
        byContentHash.set(toHashKey(is.content_hash), is)
        return toDuplicate(item, is, 'content')
      }
      case 'keep':
        if (learning.state === 'shared') unchanged.add(learning)
        return toDuplicate(item, learning, 'content')
      case 'refuse':
        return failDisapproved(learning.id)
    }
  }

  const outcomes = validated.map(decide)
  const written = new Set([...created, ...shared.map(({ is }) => is)])
  return { outcomes, created, shared, unchanged: [...unchanged].filter((row) => !written.has(row)), sentAs }
}

/** The outcome of a text that no Learning has, but that was disapproved or that a Learning was created with. */
function findFormer(
  { tombstones, byId }: BatchState,
  item: ParsedItem,
  { hashKeys, ids }: ItemLookup,
): ItemOutcome | null {
  const tombstone = hashKeys.map((key) => tombstones.get(key)).find(Boolean)
  if (tombstone) return failDisapproved(tombstone)
  const changed = ids.map((id) => byId.get(id)).find(Boolean)
  return changed ? toDuplicate(item, changed, 'id') : null
}

/** What is shared is the stored Learning, whose file may have a flag that the item does not have. */
function isProposedItem(
  item: ParsedItem,
  { isAdmin }: PlanOptions,
  found: LearningRow | null = null,
): boolean {
  const flags = found === null ? item.flags : findTextFlags(found.text, found.file)
  return isProposal({ ...item, flagged: flags.length > 0, isAdmin })
}

function toDuplicate(item: ParsedItem, learning: LearningRow, matched: 'content' | 'id'): ItemOutcome {
  return { status: 'duplicate', learning, matched, ignored: listIgnoredFields(item, learning) }
}

/** The fields of the item that differ from what is stored, and would be stored otherwise. */
function listIgnoredFields(item: ParsedItem, row: LearningRow): IgnoredField[] {
  const isCurrent = row.redactor_version >= REDACTOR_VERSION
  const differs = (given: string | null, stored: string | null) =>
    given !== null && given !== (stored === null || isCurrent ? stored : redact(stored).text)
  return [
    ...(differs(item.text, row.text) ? (['learning'] as const) : []),
    ...(differs(item.file, row.file) ? (['file'] as const) : []),
    ...(differs(item.source_url, row.source_url) ? (['source_url'] as const) : []),
  ]
}

export function toSharedRow(row: LearningRow, position: number, at: Date): LearningRow {
  return { ...row, state: 'shared', deadline: null, position, updated_at: at }
}

interface BatchState {
  /** The last position before those reserved for the batch. */
  readonly basePosition: number
  readonly author: LearningAuthor
  /** What to look for, of the items whose repository is active. */
  readonly lookups: ReadonlyMap<ParsedItem, ItemLookup>
  /** Existing Learnings by content hash. */
  readonly byContentHash: Map<string, LearningRow>
  readonly byId: ReadonlyMap<LearningId, LearningRow>
  /** Ids of disapproved texts without a Learning, by content hash. */
  readonly tombstones: ReadonlyMap<string, LearningId>
  /** Pending Learnings of the root, at most the maximum; 0 if no item is a proposal. */
  readonly pendingCount: number
}

interface ItemLookup {
  readonly hashes: readonly Buffer[]
  readonly hashKeys: readonly string[]
  readonly ids: readonly LearningId[]
}

async function readBatchState(
  { scope, tx, organization, owner }: WriteContext,
  validated: readonly ValidatedItem[],
  options: PlanOptions,
): Promise<BatchState> {
  const { dryRun, maxPending } = options
  const items = validated.flatMap((one) => ('item' in one ? [one.item] : []))
  const repositoryIds = [...new Set(items.map((item) => item.repository_id))]
  const [head, repositories, author] = await Promise.all([
    dryRun
      ? readLearningHead(scope, tx, REDACTOR_VERSION)
      : reserveLearningPositions(scope, tx, items.length, REDACTOR_VERSION),
    findActiveRepositoryIds(scope, tx, organization, repositoryIds),
    readAuthor(scope, tx, organization, owner),
  ])
  const known = items.filter((item) => repositories.has(item.repository_id))
  const lookups = new Map(
    known.map((item): [ParsedItem, ItemLookup] => {
      const hashes = hashContentForVersions(item, head.redactor_version)
      const ids = deriveIdsForVersions(organization, item, head.redactor_version)
      return [item, { hashes, hashKeys: hashes.map(toHashKey), ids }]
    }),
  )
  const hashes = [...lookups.values()].flatMap((lookup) => lookup.hashes)
  const ids = [...lookups.values()].flatMap((lookup) => lookup.ids)
  const [matching, disapproved, pendingCount] = await Promise.all([
    (dryRun ? findLearnings : lockLearnings)(scope, tx, organization, { hashes, ids }),
    findTombstones(scope, tx, organization, hashes),
    known.some((item) => isProposedItem(item, options)) ? countPending(scope, tx, maxPending) : 0,
  ])
  return {
    basePosition: head.position - items.length,
    author,
    lookups,
    byContentHash: new Map(matching.map((row) => [toHashKey(row.content_hash), row])),
    byId: new Map(matching.map((row) => [row.id, row])),
    tombstones: new Map(disapproved.map(({ content_hash, id }) => [toHashKey(content_hash), id])),
    pendingCount,
  }
}

/** A Learning without a position is a proposal. */
function newRow(
  { organization, owner, at }: WriteContext,
  { author }: BatchState,
  item: ParsedItem,
  position: number | null,
): LearningRow {
  return {
    ...author,
    id: learningId({ organization, repository: item.repository_id }, item.identity),
    organization_id: organization,
    repository_id: item.repository_id,
    state: position === null ? 'pending' : 'shared',
    text: item.text,
    content_hash: hashContent(item),
    redactor_version: REDACTOR_VERSION,
    file: item.file,
    source_url: item.source_url,
    person_id: owner,
    source: 'api',
    deadline: null,
    position,
    pull_request: null,
    flags: item.flags,
    created_at: at,
    updated_at: at,
  }
}

export const UNKNOWN_REPOSITORY_MESSAGE =
  'The organization has no active repository with this repository_id. ' +
  'List them with GET /v1/organizations/{organization_id}/repositories.'
const disapprovedMessage =
  'An Admin disapproved a Learning with this text. Send a different text, or ask an Admin to approve the id.'

export function describePendingLimit(maxPending: number): string {
  return `The tenant has ${maxPending} pending Learnings, the maximum. An Admin must approve, disapprove or delete some first.`
}

function failItem(code: (typeof itemCodes)[number], message: string): ItemOutcome {
  return { status: 'failed', code, message }
}

function failDisapproved(id: LearningId): ItemOutcome {
  return { status: 'failed', code: 'DISAPPROVED', message: disapprovedMessage, id }
}

function toHashKey(hash: Buffer): string {
  return hash.toString('hex')
}

import type { LearningId } from '../../../ids.ts'
import { type LearningLocation, learningId, learningIds } from '../../../text/identity.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import { decidePublication } from '../lifecycle.ts'
import { hashContent, hashContentForVersions, type ParsedItem, type ValidatedItem } from './item.ts'
import type { itemCodes } from './schema.ts'
import {
  findActiveRepositoryIds,
  findTakenIds,
  type LearningAuthor,
  type LearningRow,
  lockLearnings,
  readAuthor,
  reserveLearningPositions,
} from './sql.ts'
import { findTombstones } from './tombstones-sql.ts'
import type { WriteContext } from './write-context.ts'

/** The outcome of an item before indexing. */
export type ItemOutcome =
  | { readonly status: 'created' | 'duplicate'; readonly learning: LearningRow }
  | {
      readonly status: 'failed'
      readonly code: (typeof itemCodes)[number]
      readonly message: string
      /** Of a disapproved text. */
      readonly id?: LearningId
    }

/** What a batch writes. */
export interface BatchPlan {
  readonly outcomes: readonly ItemOutcome[]
  readonly created: readonly LearningRow[]
  /** Private or pending before; old and new row. */
  readonly shared: readonly { readonly was: LearningRow; readonly is: LearningRow }[]
  /** Already shared. */
  readonly unchanged: readonly LearningRow[]
  /** The text sent for each Learning: the stored text may have other line endings. */
  readonly sentAs: ReadonlyMap<LearningId, string>
}

/** Locks the head, so that the plan is still valid when it is written. */
export async function planBatch(
  writeContext: WriteContext,
  validated: readonly ValidatedItem[],
): Promise<BatchPlan> {
  const state = await readBatchState(writeContext, validated)
  const { basePosition, hashes, byContentHash } = state
  const created: LearningRow[] = []
  const shared: { was: LearningRow; is: LearningRow }[] = []
  const unchanged = new Set<LearningRow>()
  const sentAs = new Map<LearningId, string>()
  const nextPosition = () => basePosition + created.length + shared.length + 1

  async function decide(one: ValidatedItem): Promise<ItemOutcome> {
    if ('problem' in one) return failItem('INVALID_ITEM', one.problem)
    const itemHashes = hashes.get(one.item)
    if (itemHashes === undefined) return failItem('REPOSITORY_NOT_FOUND', unknownRepositoryMessage)
    const found =
      itemHashes.map((hash) => byContentHash.get(toHashKey(hash))).find((row) => row !== undefined) ?? null
    const tombstone = itemHashes.map((hash) => state.tombstones.get(toHashKey(hash))).find(Boolean)
    if (found === null && tombstone) return failDisapproved(tombstone)
    const learning = found ?? (await newRow(writeContext, state, one.item, nextPosition()))
    sentAs.set(learning.id, one.item.text)
    switch (decidePublication(found)) {
      case 'create':
        created.push(learning)
        byContentHash.set(toHashKey(learning.content_hash), learning)
        return { status: 'created', learning }
      case 'share': {
        const is = toSharedRow(learning, nextPosition(), writeContext.at)
        shared.push({ was: learning, is })
        byContentHash.set(toHashKey(is.content_hash), is)
        return { status: 'duplicate', learning: is }
      }
      case 'keep':
        unchanged.add(learning)
        return { status: 'duplicate', learning }
      case 'refuse':
        return failDisapproved(learning.id)
    }
  }

  const outcomes: ItemOutcome[] = []
  for (const one of validated) outcomes.push(await decide(one))
  const written = new Set([...created, ...shared.map(({ is }) => is)])
  return { outcomes, created, shared, unchanged: [...unchanged].filter((row) => !written.has(row)), sentAs }
}

export function toSharedRow(row: LearningRow, position: number, at: Date): LearningRow {
  return { ...row, state: 'shared', deadline: null, position, updated_at: at }
}

interface BatchState {
  /** The last position before those reserved for the batch. */
  readonly basePosition: number
  readonly author: LearningAuthor
  /** Content hashes of the items whose repository is active. */
  readonly hashes: ReadonlyMap<ParsedItem, readonly Buffer[]>
  /** Existing Learnings by content hash. */
  readonly byContentHash: Map<string, LearningRow>
  /** Ids of disapproved texts without a Learning, by content hash. */
  readonly tombstones: ReadonlyMap<string, LearningId>
  /** Those of the items' first-choice ids that exist. */
  readonly takenIds: ReadonlySet<LearningId>
}

async function readBatchState(
  writeContext: WriteContext,
  validated: readonly ValidatedItem[],
): Promise<BatchState> {
  const { scope, tx, organization, owner } = writeContext
  const items = validated.flatMap((one) => ('item' in one ? [one.item] : []))
  const repositoryIds = [...new Set(items.map((item) => item.repository_id))]
  const [head, repositories, author] = await Promise.all([
    reserveLearningPositions(scope, tx, items.length, REDACTOR_VERSION),
    findActiveRepositoryIds(scope, tx, organization, repositoryIds),
    readAuthor(scope, tx, organization, owner),
  ])
  const known = items.filter((item) => repositories.has(item.repository_id))
  const hashes = new Map(known.map((item) => [item, hashContentForVersions(item, head.redactor_version)]))
  const firstIds = known.map((item) => learningId(toRepositoryKey(writeContext, item), item.identity))
  const allHashes = [...hashes.values()].flat()
  const [matching, takenIds, disapproved] = await Promise.all([
    lockLearnings(scope, tx, organization, { hashes: allHashes }),
    findTakenIds(scope, tx, organization, firstIds),
    findTombstones(scope, tx, organization, allHashes),
  ])
  const byContentHash = new Map(matching.map((row) => [toHashKey(row.content_hash), row]))
  const tombstones = new Map(disapproved.map(({ content_hash, id }) => [toHashKey(content_hash), id]))
  return { basePosition: head.position - items.length, author, hashes, byContentHash, tombstones, takenIds }
}

async function newRow(
  writeContext: WriteContext,
  { author, takenIds }: BatchState,
  item: ParsedItem,
  position: number,
): Promise<LearningRow> {
  const { organization, owner, at } = writeContext
  const first = learningId(toRepositoryKey(writeContext, item), item.identity)
  return {
    ...author,
    id: takenIds.has(first) ? await findFreeId(writeContext, item) : first,
    organization_id: organization,
    repository_id: item.repository_id,
    state: 'shared',
    text: item.text,
    content_hash: hashContent(item),
    redactor_version: REDACTOR_VERSION,
    file: item.file,
    source_url: item.source_url,
    person_id: owner,
    source: 'api',
    deadline: null,
    position,
    flags: item.flags,
    created_at: at,
    updated_at: at,
  }
}

/** The first-choice id is taken only if a Learning with that id was patched to another text. */
export async function findFreeId(
  { scope, tx, organization }: Pick<WriteContext, 'scope' | 'tx' | 'organization'>,
  { repository_id, identity }: Pick<ParsedItem, 'repository_id' | 'identity'>,
): Promise<LearningId> {
  for (const id of learningIds({ organization, repository: repository_id }, identity)) {
    if (!(await findTakenIds(scope, tx, organization, [id])).has(id)) return id
  }
  throw new Error('learningIds() ended without a free id.')
}

function toRepositoryKey({ organization }: WriteContext, { repository_id }: ParsedItem): LearningLocation {
  return { organization, repository: repository_id }
}

const unknownRepositoryMessage =
  'The organization has no active repository with this repository_id. ' +
  'List them with GET /v1/organizations/{organization_id}/repositories.'
const disapprovedMessage =
  'An Admin disapproved a Learning with this text. Send a different text, or ask an Admin to approve the id.'

function failItem(code: (typeof itemCodes)[number], message: string): ItemOutcome {
  return { status: 'failed', code, message }
}

function failDisapproved(id: LearningId): ItemOutcome {
  return { status: 'failed', code: 'DISAPPROVED', message: disapprovedMessage, id }
}

function toHashKey(hash: Buffer): string {
  return hash.toString('hex')
}

import type { Scope } from '../access/scope.ts'
import { type Pool, statement } from '../db/connect.ts'
import { runUnscoped, type Tx } from '../db/transaction.ts'
import type { InstanceId, LearningId, OrganizationId } from '../ids.ts'
import type { Calibration, Calibrations } from '../text/rank/calibration.ts'
import { renderHalfVector } from './terms.ts'

/** A Learning and its vector of the active model. */
export interface LearningVector {
  readonly id: LearningId
  readonly vector: Float32Array
}

/** A live Learning that is close to another one. */
export interface SimilarLearning {
  readonly id: LearningId
  /** Cosine similarity, at most 1. */
  readonly similarity: number
}

// The vectors are parsed once, not once per row of the index.
const selectSimilar = statement(
  'learning-index.similar',
  `with asked as materialized (
     select id, vector::halfvec as vector from unnest($4::uuid[], $5::text[]) t (id, vector))
   select asked_id, id, similarity from (
     select asked.id as asked_id, i.learning_id as id, -(i.embedding <#> asked.vector) as similarity,
       row_number() over (partition by asked.id order by i.embedding <#> asked.vector, i.learning_id) as rank
     from learning_index i, asked
     where i.root_id = $1 and i.organization_id = $2 and i.model = $3 and i.learning_id <> asked.id
       and i.embedding <#> asked.vector <= -$6::float8) near
   where rank <= $7 order by asked_id, rank`,
)

interface SimilarRow extends SimilarLearning {
  readonly asked_id: LearningId
}

/** Compares each vector with every indexed Learning of the organization; at most `limit` rows per vector. */
export function selectSimilarLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  model: string,
  learnings: readonly LearningVector[],
  { minSimilarity, limit }: { readonly minSimilarity: number; readonly limit: number },
): Promise<SimilarRow[]> {
  return tx.query(selectSimilar, [
    scope.root,
    organization,
    model,
    learnings.map(({ id }) => id),
    learnings.map(({ vector }) => renderHalfVector(vector)),
    minSimilarity,
    limit,
  ])
}

export type LearningPair = readonly [LearningId, LearningId]

const selectPairs = statement(
  'learning-index.pair-similarity',
  `select pair.number::int as number, -(a.embedding <#> b.embedding) as similarity
   from unnest($4::uuid[], $5::uuid[]) with ordinality pair (one, other, number)
   join learning_index a on a.root_id = $1 and a.organization_id = $2 and a.model = $3 and a.learning_id = pair.one
   join learning_index b on b.root_id = $1 and b.organization_id = $2 and b.model = $3 and b.learning_id = pair.other`,
)

/** One similarity per pair; null if one of the two is not indexed. */
export async function readPairSimilarities(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  model: string,
  pairs: readonly LearningPair[],
): Promise<(number | null)[]> {
  if (pairs.length === 0) return []
  const rows = await tx.query<{ number: number; similarity: number }>(selectPairs, [
    scope.root,
    organization,
    model,
    pairs.map(([one]) => one),
    pairs.map(([, other]) => other),
  ])
  const byNumber = new Map(rows.map(({ number, similarity }) => [number, similarity]))
  return pairs.map((_, index) => byNumber.get(index + 1) ?? null)
}

/** Filters of an export or a search, combined with AND. */
export interface LearningFilter {
  readonly repositories?: readonly string[]
  readonly authors?: readonly string[]
  readonly files?: readonly string[]
  readonly usedSince?: Date
  readonly neverUsed?: boolean
  readonly createdSince?: Date
}

/** The condition on `learning l`. */
export const filterCondition = `l.state = 'shared'
  and (:repositories::text[] is null or l.repository_id = any (:repositories))
  and (:authors::text[] is null or l.author_id = any (:authors))
  and (:files::text[] is null or l.file = any (:files))
  and (:usedSince::timestamptz is null or l.last_used_at >= :usedSince)
  and (not :neverUsed::boolean or l.usage_count = 0)
  and (:createdSince::timestamptz is null or l.created_at >= :createdSince)`

const noFilter = {
  repositories: null,
  authors: null,
  files: null,
  usedSince: null,
  neverUsed: false,
  createdSince: null,
}

/** The values of `filterCondition`. */
export function toFilterValues(filter: LearningFilter): object {
  return { ...noFilter, ...filter }
}

/** The columns of a shared Learning that the index needs. */
export interface SharedLearning {
  readonly id: LearningId
  readonly organization_id: OrganizationId
  readonly instance_id: InstanceId | null
  readonly repository_id: string
  readonly content_hash: Buffer
  readonly text: string
}

export interface IndexRow {
  readonly learning: SharedLearning
  readonly model: string
  readonly vector: Float32Array
  readonly terms: readonly bigint[]
}

const createSavepointStatement = statement('learning-index.savepoint', 'savepoint review_index')
const releaseStatement = statement('learning-index.release', 'release savepoint review_index')
const rollbackStatement = statement('learning-index.undo', 'rollback to savepoint review_index')

// Outdated rows were deleted just before, so an existing row has the same content.
const insertStatement = statement(
  'learning-index.insert-rows',
  `insert into learning_index (root_id, organization_id, instance_id, learning_id, repository_id, model,
     content_hash, embedding, terms)
   select $1, organization_id, instance_id, learning_id, repository_id, model, decode(content_hash, 'hex'),
     embedding::halfvec, terms
   from json_to_recordset($2) as given (organization_id uuid, instance_id uuid, learning_id uuid, repository_id text,
     model text, content_hash text, embedding text, terms bigint[])
   on conflict (organization_id, model, learning_id) do nothing`,
)

const given = 'unnest($2::uuid[], $3::uuid[], $4::bytea[]) as given (organization_id, id, content_hash)'

// For every model: an outdated row is worse than a missing one.
const deleteOutdated = statement(
  'learning-index.drop-outdated',
  `delete from learning_index i using ${given}
   where i.root_id = $1 and i.organization_id = given.organization_id and i.learning_id = given.id
     and i.content_hash <> given.content_hash`,
)

const selectUnindexed = statement(
  'learning-index.unindexed',
  `select given.id from ${given}
   where not exists (
     select from learning_index i
     where i.root_id = $1 and i.organization_id = given.organization_id and i.learning_id = given.id
       and ($5::text is null or i.model = $5) and i.content_hash = given.content_hash)`,
)

/** Limits a failure of the index statements to themselves. */
export async function createSavepoint(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(createSavepointStatement, [])
}

export async function releaseSavepoint(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(releaseStatement, [])
}

export async function rollbackToSavepoint(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(rollbackStatement, [])
}

export async function insertIndexRows(scope: Scope, tx: Tx, rows: readonly IndexRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(insertStatement, [scope.root, JSON.stringify(rows.map(asJson))])
}

export async function deleteOutdatedIndexRows(
  scope: Scope,
  tx: Tx,
  learnings: readonly SharedLearning[],
): Promise<void> {
  if (learnings.length > 0) await tx.query(deleteOutdated, [scope.root, ...toColumns(learnings)])
}

/** Learnings whose current text has no row of the model; null = no row at all. */
export async function findMissingRowIds(
  scope: Scope,
  tx: Tx,
  model: string | null,
  learnings: readonly SharedLearning[],
): Promise<LearningId[]> {
  if (learnings.length === 0) return []
  const rows = await tx.query<{ id: LearningId }>(selectUnindexed, [
    scope.root,
    ...toColumns(learnings),
    model,
  ])
  return rows.map(({ id }) => id)
}

function asJson({ learning, model, vector, terms }: IndexRow) {
  return {
    organization_id: learning.organization_id,
    instance_id: learning.instance_id,
    learning_id: learning.id,
    repository_id: learning.repository_id,
    model,
    content_hash: learning.content_hash.toString('hex'),
    embedding: renderHalfVector(vector),
    terms: `{${terms.join(',')}}`,
  }
}

function toColumns(learnings: readonly SharedLearning[]): [OrganizationId[], LearningId[], Buffer[]] {
  return [
    learnings.map(({ organization_id }) => organization_id),
    learnings.map(({ id }) => id),
    learnings.map(({ content_hash }) => content_hash),
  ]
}

export interface ModelRow {
  readonly model: string
  readonly dimensions: number
  readonly state: 'filling' | 'active' | 'retired'
}

// Nodes with a cached list still search the previously active model for a moment.
const selectModels = statement(
  'learning-index.models',
  `select model, dimensions, state from learning_model
   where state <> 'retired' or since > now() - interval '10 seconds' order by model`,
)

/** Unscoped because models belong to the installation, not to a tenant. */
export function readModelsUnscoped(pool: Pool): Promise<ModelRow[]> {
  return runUnscoped<ModelRow>(pool, selectModels, [])
}

const selectCalibrations = statement(
  'learning-index.calibrations',
  `select model, similarity, terms, floor, unshared_floor as "unsharedFloor", strong from learning_calibration`,
)

/** Those that the operator chose. They belong to the installation, like models. */
export async function readCalibrationsUnscoped(pool: Pool): Promise<Calibrations> {
  const rows = await runUnscoped<Calibration & { readonly model: string }>(pool, selectCalibrations, [])
  return new Map(rows.map(({ model, ...calibration }) => [model, calibration]))
}

const upsertCalibration = statement(
  'learning-index.calibrate',
  `insert into learning_calibration (model, similarity, terms, floor, unshared_floor, strong)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (model) do update set similarity = excluded.similarity, terms = excluded.terms,
     floor = excluded.floor, unshared_floor = excluded.unshared_floor, strong = excluded.strong, calibrated_at = now()`,
)

export async function storeCalibrationUnscoped(
  pool: Pool,
  model: string,
  { similarity, terms, floor, unsharedFloor, strong }: Calibration,
): Promise<void> {
  await runUnscoped(pool, upsertCalibration, [model, similarity, terms, floor, unsharedFloor, strong])
}

// Locks in order of id, like `lockLearnings`, to prevent deadlocks. Uses may arrive out of order.
const updateUsage = statement(
  'learnings.use',
  `with used as materialized (
     select id from learning where root_id = $1 and organization_id = $2 and id = any ($3)
     order by id for no key update
   )
   update learning l set usage_count = l.usage_count + 1, last_used_at = greatest(l.last_used_at, $4)
   from used where l.root_id = $1 and l.organization_id = $2 and l.id = used.id`,
)

/** Counts one use of each Learning. Unknown ids are ignored. */
export async function recordUse(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly LearningId[],
  at: Date,
): Promise<void> {
  if (ids.length > 0) await tx.query(updateUsage, [scope.root, organization, ids, at])
}

/** knowledge_base.learnings.scope: which Learnings a review of a repository receives. */
export const learningScopes = ['auto', 'global', 'local'] as const
export type LearningScope = (typeof learningScopes)[number]

export const MAX_APPROVAL_DELAY_DAYS = 30

/** The effective setting of a repository. */
export interface LearningSetting {
  readonly scope: LearningScope
  /** knowledge_base.learnings.approval_delay, in days; 0 = Learnings from chat are shared on merge. */
  readonly approval_delay: number
}

const selectSettings = statement(
  'learnings.settings',
  `select asked.repository_id, coalesce(own.scope, whole.scope, 'auto') as scope,
     coalesce(own.approval_delay, whole.approval_delay, 0) as approval_delay
   from unnest($3::text[]) as asked (repository_id)
   left join learning_setting own
     on own.root_id = $1 and own.organization_id = $2 and own.repository_id = asked.repository_id
   left join learning_setting whole
     on whole.root_id = $1 and whole.organization_id = $2 and whole.repository_id = ''`,
)

/** Per repository: its own setting, else that of the organization, else the default. */
export async function readLearningSettings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repositories: readonly string[],
): Promise<ReadonlyMap<string, LearningSetting>> {
  const rows = await tx.query<LearningSetting & { repository_id: string }>(selectSettings, [
    scope.root,
    organization,
    repositories,
  ])
  return new Map(rows.map(({ repository_id, ...setting }) => [repository_id, setting]))
}

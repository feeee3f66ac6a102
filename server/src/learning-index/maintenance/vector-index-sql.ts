import type { Scope } from '../../access/scope.ts'
import { runBatch } from '../../db/batch.ts'
import { acquireConnection, type Pool, statement } from '../../db/connect.ts'
import { runUnscoped, type Tx } from '../../db/transaction.ts'
import type { OrganizationId, RootId } from '../../ids.ts'

export interface LargeOrganization {
  readonly root: RootId
  readonly organization: OrganizationId
  readonly model: string
}

const selectWithoutVectorIndex = statement(
  'knowledge.without-near',
  `select c.root_id as root, c.organization_id as organization, m.model
   from learning_count c cross join learning_model m
   where c.repository_id = '' and c.shared > $1 and m.state <> 'retired' and not exists (
     select from learning_near_index n
     where n.root_id = c.root_id and n.organization_id = c.organization_id and n.model = m.model)
   order by c.shared desc, m.model`,
)

const selectUnsampled = statement(
  'knowledge.unsampled',
  `select root_id as root, organization_id as organization, model from learning_near_index
   where sampled_at < now() - interval '1 hour' order by sampled_at`,
)

const SAMPLE_ROWS = 20_000
const MIN_SAMPLE_OCCURRENCES = 5
const MIN_COMMON_TERM_ROWS = 500

// Ids are hashes, so the first rows are a random sample.
const updateCommonTerms = statement(
  'knowledge.sample-terms',
  `with sample as materialized (
     select terms from learning_index
     where root_id = $1 and organization_id = $2 and model = $3 order by learning_id limit ${SAMPLE_ROWS}),
   share as (
     select c.shared::float / greatest((select count(*) from sample), 1) as times from learning_count c
     where c.root_id = $1 and c.organization_id = $2 and c.repository_id = ''),
   common as (
     select term from sample, unnest(terms) term group by term
     having count(*) >= ${MIN_SAMPLE_OCCURRENCES} and count(*) * (select times from share) > ${MIN_COMMON_TERM_ROWS})
   update learning_near_index set common_terms = array(select term from common), sampled_at = now()
   where root_id = $1 and organization_id = $2 and model = $3`,
)

const selectLargest = statement(
  'knowledge.largest',
  `select root_id as root, organization_id as organization from learning_count
   where repository_id = '' and shared > 0 order by shared desc, organization_id limit $1`,
)

const selectVectors = statement(
  'knowledge.sample-vectors',
  `select embedding::text as vector from learning_index
   where root_id = $1 and organization_id = $2 and model = $3 order by learning_id limit $4`,
)

const makeVectorIndex = statement(
  'knowledge.make-vector-index',
  'select learning_index_make_near($1, $2, $3) as made',
)

/** Organizations of all roots with more than `minRows` Learnings and no vector index. */
export function findWithoutVectorIndexUnscoped(pool: Pool, minRows: number): Promise<LargeOrganization[]> {
  return runUnscoped<LargeOrganization & object>(pool, selectWithoutVectorIndex, [minRows])
}

const longStatements = statement(
  'knowledge.allow-long-statements',
  `select set_config('statement_timeout', $1, true)`,
)

// A million vectors took 18 minutes.
const CREATE_INDEX_MS = 2 * 3_600_000

/** May take minutes, so it has a statement timeout of its own. False if the organization has no rows of the model yet. */
export async function createVectorIndex(
  scope: Scope,
  pool: Pool,
  organization: OrganizationId,
  model: string,
): Promise<boolean> {
  const { connection } = await acquireConnection(pool)
  let failure: Error | undefined
  try {
    // One round trip is one transaction.
    const statements = [
      { statement: longStatements, values: [String(CREATE_INDEX_MS)] },
      { statement: makeVectorIndex, values: [scope.root, organization, model] },
    ]
    const [, rows] = await runBatch(connection, statements, CREATE_INDEX_MS)
    return (rows?.[0] as { made: boolean } | undefined)?.made ?? false
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    connection.release(failure)
  }
}

/** Organizations whose common terms were sampled more than an hour ago. */
export function findUnsampledUnscoped(pool: Pool): Promise<LargeOrganization[]> {
  return runUnscoped<LargeOrganization & object>(pool, selectUnsampled, [])
}

export async function sampleCommonTerms(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  model: string,
): Promise<void> {
  await tx.query(updateCommonTerms, [scope.root, organization, model])
}

export function findLargestOrganizationsUnscoped(
  pool: Pool,
  count: number,
): Promise<Omit<LargeOrganization, 'model'>[]> {
  return runUnscoped<LargeOrganization & object>(pool, selectLargest, [count])
}

export async function sampleVectors(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  model: string,
  count: number,
): Promise<Float32Array[]> {
  const rows = await tx.query<{ vector: string }>(selectVectors, [scope.root, organization, model, count])
  return rows.map(({ vector }) => Float32Array.from(JSON.parse(vector) as number[]))
}

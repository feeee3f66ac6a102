import type { Scope } from '../../access/scope.ts'
import { runBatch } from '../../db/batch.ts'
import { acquireConnection, type Pool, statement } from '../../db/connect.ts'
import { runUnscoped } from '../../db/transaction.ts'
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

import type pg from 'pg'
import { rootScope } from '../../src/access/scope.ts'
import type { Pool } from '../../src/db/connect.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { plantLearnings } from '../shared-learnings.ts'
import type { TestOrganization } from '../tenant.ts'

type PlantedLearnings = Parameters<typeof plantLearnings>[3]
type PlantedRows = Awaited<ReturnType<typeof plantLearnings>>

/** Plants shared Learnings of an organization, by default in its first repository. They are not indexed. */
export function plantOrganizationLearnings(
  pool: Pool,
  { id, root, instance, repositories }: TestOrganization,
  planted: PlantedLearnings,
  at?: Date,
): Promise<PlantedRows> {
  const scope = { ...rootScope(root), instance }
  const repository = repositories[0]?.repositoryId ?? '1'
  const withRepository = planted.map((one) => ({ repository, ...one }))
  return inTransaction(pool, scope, (tx) => plantLearnings(scope, tx, id, withRepository, at))
}

/** The same in every organization, because ids are unique only within one. */
export const plantedLearningId = '5e1f0a4c-2b7d-5c39-9a86-3d1c7f20be54'

/** A repository that exists in every organization. */
export const plantedRepositoryId = 'planted'

/** Inserts a shared Learning and its repository, without the service. */
export async function plantLearning(
  superuser: pg.Pool | pg.Client,
  { root, id, instance }: TestOrganization,
  text: string,
): Promise<void> {
  await superuser.query(
    `with head as (
       insert into learning_head as h values ($1, 1, 1)
       on conflict (root_id) do update set position = h.position + 1 returning position
     ), new_repository as (
       insert into repository (root_id, organization_id, id, provider, provider_repository_id, name)
       values ($1, $2, gen_random_uuid(), 'github', $5, 'planted')
     )
     insert into learning (root_id, organization_id, instance_id, id, repository_id, state, text, content_hash,
       redactor_version, source, position, created_at, updated_at)
     select $1, $2, $3, $4, $5, 'shared', $6, sha256(convert_to($6, 'UTF8')), 1, 'api', position, now(), now() from head`,
    [root, id, instance, plantedLearningId, plantedRepositoryId, text],
  )
}

import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Page } from '../../http/paging.ts'
import type { StoredPage } from '../../http/reply.ts'
import { NIL_UUID, type OrganizationId } from '../../ids.ts'

// $3 entries are returned. One more row is read to detect a next page.
const aggregate = `
  select string_agg(entry, ',' order by id) filter (where ordinal <= $3) as entries, count(*)::int as found,
    max(id::text) filter (where ordinal <= $3) as last`

export const pageOfRoot = statement(
  'organizations.page-of-root',
  `${aggregate} from (
     select id, entry, row_number() over (order by id) as ordinal from organization
     where root_id = $1 and id > $2 and active order by id limit $3 + 1) page`,
)

const pageOfInstance = statement(
  'organizations.page-of-instance',
  `${aggregate} from (
     select id, entry, row_number() over (order by id) as ordinal from organization
     where root_id = $1 and id > $2 and active and instance_id = $4 and ($5::uuid[] is null or id = any ($5))
     order by id limit $3 + 1) page`,
)

const pageOfNamedOrganizations = statement(
  'organizations.page-of-bound',
  `${aggregate} from (
     select id, entry, row_number() over (order by id) as ordinal from organization
     where root_id = $1 and id > $2 and active and id = any ($4::uuid[]) order by id limit $3 + 1) page`,
)

const pageOfRepositories = statement(
  'organizations.page-of-repositories',
  `${aggregate} from (
     select id, entry, row_number() over (order by id) as ordinal from repository
     where root_id = $1 and id > $2 and active and organization_id = $4 order by id limit $3 + 1) page`,
)

export async function readOrganizations(scope: Scope, tx: Tx, page: Page): Promise<StoredPage> {
  const values = [scope.root, page.after?.[0] ?? NIL_UUID, page.limit]
  if (scope.instance !== null) {
    return requireSingleRow(
      await tx.query<StoredPage>(pageOfInstance, [...values, scope.instance, scope.organizations]),
    )
  }
  if (scope.organizations === null) return requireSingleRow(await tx.query<StoredPage>(pageOfRoot, values))
  return requireSingleRow(
    await tx.query<StoredPage>(pageOfNamedOrganizations, [...values, scope.organizations]),
  )
}

export async function readRepositories(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  page: Page,
): Promise<StoredPage> {
  const values = [scope.root, page.after?.[0] ?? NIL_UUID, page.limit, organization]
  return requireSingleRow(await tx.query<StoredPage>(pageOfRepositories, values))
}

function requireSingleRow(rows: readonly StoredPage[]): StoredPage {
  const [row] = rows
  if (row === undefined) throw new Error('The aggregate returned no row.')
  return row
}

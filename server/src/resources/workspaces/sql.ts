import type { Scope } from '../../access/scope.ts'
import { type Pool, statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'

/** What a tenant root has bought. */
export interface Subscription {
  readonly plan: 'free' | 'pro' | 'enterprise'
  readonly seats: number
  readonly active: boolean
}

export interface Root {
  readonly id: RootId
  readonly kind: 'workspace' | 'instance' | 'organization'
  readonly name: string
  readonly sso: boolean
  readonly created_at: string
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

const createRoot = statement(
  'workspaces.create-root',
  `with new_root as (
     insert into root (id, kind, name, sso, created_at) values ($1, 'workspace', $2, $3, $4)
     on conflict (id) do nothing returning id
   )
   insert into subscription (root_id, plan, active, seats_purchased)
   select id, $5, $6, $7 from new_root returning root_id`,
)

const columns = `id, kind, name, sso,
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at`

const pageOfRoots = statement(
  'workspaces.page-of-roots',
  `select ${columns} from root where id > $1 and ($2::text is null or kind = $2) order by id limit $3`,
)

const rootById = statement('workspaces.root-by-id', `select ${columns} from root where id = $1`)

const rootsByName = statement(
  'workspaces.roots-by-name',
  `select ${columns} from root where name = $1 limit 10`,
)

export interface NewWorkspace {
  readonly name: string
  readonly sso: boolean
  readonly subscription: Subscription
}

/** False when the root is there already. */
export async function insertWorkspace(
  scope: Scope,
  tx: Tx,
  workspace: NewWorkspace,
  at: Date,
): Promise<boolean> {
  const { plan, active, seats } = workspace.subscription
  const values = [scope.root, workspace.name, workspace.sso, at.toISOString(), plan, active, seats]
  return (await tx.query(createRoot, values)).length === 1
}

/** The directory of roots is all that the worker sees across tenants; the other roles see no row of it. */
export async function readRootsUnscoped(
  pool: Pool,
  page: { readonly after: string | null; readonly limit: number; readonly kind: Root['kind'] | null },
): Promise<Root[]> {
  const values = [page.after ?? NO_ID, page.kind, page.limit]
  return (await pool.query<Root>({ ...pageOfRoots, values })).rows
}

export async function readRootByIdUnscoped(pool: Pool, id: string): Promise<Root[]> {
  return (await pool.query<Root>({ ...rootById, values: [id] })).rows
}

export async function readRootsByNameUnscoped(pool: Pool, name: string): Promise<Root[]> {
  return (await pool.query<Root>({ ...rootsByName, values: [name] })).rows
}

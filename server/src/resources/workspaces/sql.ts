import type { RootKind } from '../../access/root.ts'
import { type Pool, statement } from '../../db/connect.ts'
import { renderUtc } from '../../db/sql-text.ts'
import { runUnscoped } from '../../db/transaction.ts'
import { isUuid, NIL_UUID, type RootId } from '../../ids.ts'

export interface Root {
  readonly id: RootId
  readonly kind: RootKind
  readonly name: string
  readonly sso: boolean
  readonly created_at: string
}

const columns = `id, kind, name, sso,
  ${renderUtc('created_at')} as created_at`

const pageOfRoots = statement(
  'workspaces.page-of-roots',
  `select ${columns} from root where id > $1 and ($2::text is null or kind = $2) order by id limit $3`,
)

const rootById = statement('workspaces.root-by-id', `select ${columns} from root where id = $1`)

const rootsByName = statement(
  'workspaces.roots-by-name',
  `select ${columns} from root where name = $1 limit 10`,
)

/** All tenant roots of the installation, by id. Only the worker role can read them. */
export function readRootsUnscoped(
  pool: Pool,
  page: { readonly after: string | null; readonly limit: number; readonly kind: Root['kind'] | null },
): Promise<Root[]> {
  const values = [page.after ?? NIL_UUID, page.kind, page.limit]
  return runUnscoped<Root>(pool, pageOfRoots, values)
}

/** By id, or by name. */
export function readMatchingRootsUnscoped(pool: Pool, idOrName: string): Promise<Root[]> {
  return runUnscoped<Root>(pool, isUuid(idOrName) ? rootById : rootsByName, [idOrName])
}

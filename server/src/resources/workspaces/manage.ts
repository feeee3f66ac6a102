import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { createRoot, type Subscription } from '../../access/root.ts'
import { emit } from '../../bus/emit.ts'
import type { Pool } from '../../db/connect.ts'
import { refuse } from '../../errors.ts'
import { type Root, readRootByIdUnscoped, readRootsByNameUnscoped, readRootsUnscoped } from './sql.ts'

export interface NewWorkspace {
  readonly name: string
  readonly sso: boolean
  readonly subscription: Subscription
}

/** The root of the scope becomes the id of the new workspace. */
export async function createWorkspace(change: ChangeContext, workspace: NewWorkspace): Promise<void> {
  const { tx, scope, actor, at } = change
  const { plan, seats, active } = workspace.subscription
  await createRoot(change, { kind: 'workspace', ...workspace })
  await emit(tx, scope, { type: 'workspace.created', payload: { workspace_id: scope.root } })
  const entry: AuditEntry = {
    action: 'workspace_created',
    resourceType: 'workspace',
    resourceId: scope.root,
    organization: null,
    actor,
    metadata: { sso: workspace.sso, plan, seats, subscription_active: active },
    personal: { name: workspace.name },
  }
  await writeAuditEntry(tx, scope, entry, at)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Finds a tenant root by id or by a unique name. */
export async function findRootUnscoped(pool: Pool, idOrName: string): Promise<Root> {
  const byId = uuid.test(idOrName)
  const found = byId
    ? await readRootByIdUnscoped(pool, idOrName)
    : await readRootsByNameUnscoped(pool, idOrName)
  const [root] = found
  if (root === undefined)
    return refuse('NOT_FOUND', `No tenant root has the ${byId ? 'id' : 'name'} "${idOrName}".`)
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ')
    return refuse(
      'INVALID_REQUEST',
      `Several tenant roots are named "${idOrName}". Pass the id of one of them: ${ids}.`,
    )
  }
  return root
}

export interface RootPage {
  readonly after: string | null
  readonly limit: number
  readonly kind: Root['kind'] | null
}

/** For the operator: all tenant roots of the installation, by id. */
export function listRootsUnscoped(pool: Pool, page: RootPage): Promise<Root[]> {
  return readRootsUnscoped(pool, page)
}

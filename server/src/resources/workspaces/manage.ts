import { auditChange, type ChangeContext } from '../../access/change-context.ts'
import { createRoot, type Subscription } from '../../access/root.ts'
import { emit } from '../../bus/emit.ts'
import type { Pool } from '../../db/connect.ts'
import { refuseOperation } from '../../errors.ts'
import { isUuid } from '../../ids.ts'
import { type Root, readMatchingRootsUnscoped } from './sql.ts'

export interface NewWorkspace {
  readonly name: string
  readonly sso: boolean
  readonly subscription: Subscription
}

/** The root of the scope becomes the id of the new workspace. */
export async function createWorkspace(change: ChangeContext, workspace: NewWorkspace): Promise<void> {
  const { tx, scope } = change
  const { plan, seats, active } = workspace.subscription
  await createRoot(change, { kind: 'workspace', ...workspace })
  await emit(tx, scope, { type: 'workspace.created', payload: { workspace_id: scope.root } })
  await auditChange(change, {
    action: 'workspace_created',
    resourceId: scope.root,
    organization: null,
    metadata: { sso: workspace.sso, plan, seats, subscription_active: active },
    personal: { name: workspace.name },
  })
}

/** Finds a tenant root by id or by a unique name. */
export async function findRootUnscoped(pool: Pool, idOrName: string): Promise<Root> {
  const found = await readMatchingRootsUnscoped(pool, idOrName)
  const [root] = found
  if (root === undefined)
    return refuseOperation(`No tenant root has the ${isUuid(idOrName) ? 'id' : 'name'} "${idOrName}".`)
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ')
    return refuseOperation(
      `Several tenant roots are named "${idOrName}". Pass the id of one of them: ${ids}.`,
    )
  }
  return root
}

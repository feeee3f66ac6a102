import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { createRoot, type Subscription } from '../../access/root.ts'
import { emit } from '../../bus/emit.ts'

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

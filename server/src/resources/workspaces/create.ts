import { type AuditEntry, audit } from '../../access/audit.ts'
import type { Change } from '../../access/change.ts'
import { createRoot, type Subscription } from '../../access/root.ts'
import { emit } from '../../bus/emit.ts'

export interface NewWorkspace {
  readonly name: string
  readonly sso: boolean
  readonly subscription: Subscription
}

/** The root of the scope is the id of the new workspace. */
export async function createWorkspace(change: Change, workspace: NewWorkspace): Promise<void> {
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
  await audit(tx, scope, entry, at)
}

import { type Actor, audit } from '../../access/audit.ts'
import type { Scope } from '../../access/scope.ts'
import { emit } from '../../bus/emit.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import { insertWorkspace, type NewWorkspace } from './sql.ts'

/** One change: the transaction it is made in, how far it reaches, who makes it, and its moment. */
export interface Change {
  readonly tx: Tx
  readonly scope: Scope
  readonly actor: Actor
  readonly at: Date
}

/** The root of the scope is the id of the new workspace. */
export async function createWorkspace(
  { tx, scope, actor, at }: Change,
  workspace: NewWorkspace,
): Promise<void> {
  const { plan, seats, active } = workspace.subscription
  if (!(await insertWorkspace(scope, tx, workspace, at))) {
    refuse('INVALID_REQUEST', `There is a tenant root with the id ${scope.root} already. Choose another id.`)
  }
  await emit(tx, scope, { type: 'workspace.created', payload: { workspace_id: scope.root } })
  const entry = {
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

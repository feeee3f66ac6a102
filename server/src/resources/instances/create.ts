import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { createRoot, readRootKind, type Subscription } from '../../access/root.ts'
import { emit } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import { type InstanceId, newId } from '../../ids.ts'
import { insertInstance } from './sql.ts'

export interface NewInstance {
  readonly id?: InstanceId
  readonly name: string
  readonly provider: string
  readonly host: string
  readonly sendsMetrics: boolean
  /** Only for an instance that is its own tenant root. Null inside a workspace, which has the subscription. */
  readonly subscription: Subscription | null
}

export async function createInstance(change: ChangeContext, instance: NewInstance): Promise<InstanceId> {
  const { tx, scope, actor, at } = change
  const { name, provider, host, sendsMetrics } = instance
  const id = instance.id ?? newId<InstanceId>()
  await ensureRoot(change, instance)
  if (!(await insertInstance(scope, tx, { id, name, provider, host, sends_metrics: sendsMetrics }))) {
    refuse('INVALID_REQUEST', `The tenant root already has an instance of ${provider} at ${host}.`)
  }
  await emit(tx, scope, { type: 'instance.created', payload: { instance_id: id, provider } })
  const entry: AuditEntry = {
    action: 'instance_created',
    resourceType: 'instance',
    resourceId: id,
    organization: null,
    actor,
    metadata: { provider, sends_metrics: sendsMetrics, own_root: instance.subscription !== null },
    personal: { name, host },
  }
  await writeAuditEntry(tx, scope, entry, at)
  return id
}

async function ensureRoot(change: ChangeContext, { name, subscription }: NewInstance): Promise<void> {
  if (subscription !== null) return createRoot(change, { kind: 'instance', name, sso: false, subscription })
  if ((await readRootKind(change.scope, change.tx)) === 'workspace') return
  refuse(
    'INVALID_REQUEST',
    'A self-hosted instance must be its own tenant root or belong to a workspace. Pass a subscription or a workspace.',
  )
}

import { auditChange, type ChangeContext } from '../../access/change-context.ts'
import { createRoot, readRootKind, type Subscription } from '../../access/root.ts'
import { emit } from '../../bus/emit.ts'
import { refuseOperation } from '../../errors.ts'
import { type InstanceId, newId } from '../../ids.ts'
import { insertInstance, updateSendsMetrics } from './sql.ts'

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
  const { tx, scope } = change
  const { name, provider, host, sendsMetrics } = instance
  const id = instance.id ?? newId<InstanceId>()
  await ensureRoot(change, instance)
  if (!(await insertInstance(scope, tx, { id, name, provider, host, sends_metrics: sendsMetrics }))) {
    refuseOperation(`The tenant root already has an instance of ${provider} at ${host}.`)
  }
  await emit(tx, scope, { type: 'instance.created', payload: { instance_id: id, provider } })
  await auditChange(change, {
    action: 'instance_created',
    resourceId: id,
    organization: null,
    metadata: { provider, sends_metrics: sendsMetrics, own_root: instance.subscription !== null },
    personal: { name, host },
  })
  return id
}

async function ensureRoot(change: ChangeContext, { name, subscription }: NewInstance): Promise<void> {
  if (subscription !== null) return createRoot(change, { kind: 'instance', name, sso: false, subscription })
  if ((await readRootKind(change.scope, change.tx)) === 'workspace') return
  refuseOperation(
    'A self-hosted instance must be its own tenant root or belong to a workspace. Pass a subscription or a workspace.',
  )
}

/** Metrics of an instance are available only while it sends them. Returns false if nothing changes. */
export async function setSendsMetrics(
  change: ChangeContext,
  instance: InstanceId,
  sends: boolean,
): Promise<boolean> {
  const { tx, scope } = change
  const outcome = await updateSendsMetrics(scope, tx, instance, sends)
  if (outcome === 'unknown') {
    refuseOperation(`The tenant root has no instance with the id ${instance}.`)
  }
  if (outcome === 'unchanged') return false
  const payload = { instance_id: instance, sends_metrics: sends }
  await emit(tx, scope, { type: 'instance.changed', payload })
  await auditChange(change, {
    action: sends ? 'instance_metrics_enabled' : 'instance_metrics_disabled',
    resourceId: instance,
    organization: null,
    metadata: { sends_metrics: sends },
    before: { sends_metrics: !sends },
    after: { sends_metrics: sends },
  })
  return true
}

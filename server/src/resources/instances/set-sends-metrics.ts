import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { emit } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import type { InstanceId } from '../../ids.ts'
import { updateSendsMetrics } from './sql.ts'

/** Metrics of an instance are available only while it sends them. Returns false if nothing changes. */
export async function setSendsMetrics(
  change: ChangeContext,
  instance: InstanceId,
  sends: boolean,
): Promise<boolean> {
  const { tx, scope, actor, at } = change
  const outcome = await updateSendsMetrics(scope, tx, instance, sends)
  if (outcome === 'unknown') {
    refuse('NOT_FOUND', `The tenant root has no instance with the id ${instance}.`)
  }
  if (outcome === 'unchanged') return false
  const payload = { instance_id: instance, sends_metrics: sends }
  await emit(tx, scope, { type: 'instance.changed', payload })
  const entry: AuditEntry = {
    action: sends ? 'instance_metrics_enabled' : 'instance_metrics_disabled',
    resourceType: 'instance',
    resourceId: instance,
    organization: null,
    actor,
    metadata: { sends_metrics: sends },
  }
  await writeAuditEntry(tx, scope, entry, at)
  return true
}

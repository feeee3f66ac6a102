import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InstanceId } from '../../ids.ts'

const createInstance = statement(
  'instances.create',
  `insert into instance (root_id, id, provider, host, name, sends_metrics) values ($1, $2, $3, $4, $5, $6)
   on conflict do nothing returning id`,
)

const instances = statement(
  'instances.list',
  `select id, name, provider, host, sends_metrics from instance where root_id = $1 order by id limit 1000`,
)

const setSendsMetrics = statement(
  'instances.set-sends-metrics',
  `update instance set sends_metrics = $3 where root_id = $1 and id = $2 and sends_metrics <> $3 returning id`,
)

const exists = statement('instances.exists', `select id from instance where root_id = $1 and id = $2`)

export interface Instance {
  readonly id: InstanceId
  readonly name: string
  readonly provider: string
  readonly host: string
  readonly sends_metrics: boolean
}

/** Returns false if the root already has an instance with this id or for this host. */
export async function insertInstance(scope: Scope, tx: Tx, instance: Instance): Promise<boolean> {
  const { id, provider, host, name, sends_metrics } = instance
  return (await tx.query(createInstance, [scope.root, id, provider, host, name, sends_metrics])).length === 1
}

export function readInstances(scope: Scope, tx: Tx): Promise<Instance[]> {
  return tx.query<Instance>(instances, [scope.root])
}

export async function updateSendsMetrics(
  scope: Scope,
  tx: Tx,
  instance: InstanceId,
  sends: boolean,
): Promise<'changed' | 'unchanged' | 'unknown'> {
  const changed = await tx.query(setSendsMetrics, [scope.root, instance, sends])
  if (changed.length === 1) return 'changed'
  return (await tx.query(exists, [scope.root, instance])).length === 1 ? 'unchanged' : 'unknown'
}

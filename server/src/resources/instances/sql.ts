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

export interface Instance {
  readonly id: InstanceId
  readonly name: string
  readonly provider: string
  readonly host: string
  readonly sends_metrics: boolean
}

/** False when the root has an instance with this id, or for this host, already. */
export async function insertInstance(scope: Scope, tx: Tx, instance: Instance): Promise<boolean> {
  const { id, provider, host, name, sends_metrics } = instance
  return (await tx.query(createInstance, [scope.root, id, provider, host, name, sends_metrics])).length === 1
}

export function readInstances(scope: Scope, tx: Tx): Promise<Instance[]> {
  return tx.query<Instance & object>(instances, [scope.root])
}

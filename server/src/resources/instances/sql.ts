import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InstanceId } from '../../ids.ts'

/** What a tenant root has bought. */
export interface Subscription {
  readonly plan: 'free' | 'pro' | 'enterprise'
  readonly seats: number
  readonly active: boolean
}

const createRoot = statement(
  'instances.create-root',
  `with new_root as (
     insert into root (id, kind, name, created_at) values ($1, 'instance', $2, $3)
     on conflict (id) do nothing returning id
   )
   insert into subscription (root_id, plan, active, seats_purchased)
   select id, $4, $5, $6 from new_root returning root_id`,
)

const rootKind = statement('instances.root-kind', `select kind from root where id = $1`)

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

/** False when the root is there already. */
export async function insertRoot(
  scope: Scope,
  tx: Tx,
  root: { readonly name: string; readonly subscription: Subscription; readonly at: Date },
): Promise<boolean> {
  const { plan, active, seats } = root.subscription
  const values = [scope.root, root.name, root.at.toISOString(), plan, active, seats]
  return (await tx.query(createRoot, values)).length === 1
}

export async function readRootKind(scope: Scope, tx: Tx): Promise<string | null> {
  const [root] = await tx.query<{ kind: string }>(rootKind, [scope.root])
  return root?.kind ?? null
}

/** False when the root has an instance with this id, or for this host, already. */
export async function insertInstance(scope: Scope, tx: Tx, instance: Instance): Promise<boolean> {
  const { id, provider, host, name, sends_metrics } = instance
  return (await tx.query(createInstance, [scope.root, id, provider, host, name, sends_metrics])).length === 1
}

export function readInstances(scope: Scope, tx: Tx): Promise<Instance[]> {
  return tx.query<Instance & object>(instances, [scope.root])
}

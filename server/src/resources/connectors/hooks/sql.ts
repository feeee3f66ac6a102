import type { Scope } from '../../../access/scope.ts'
import type { Pool } from '../../../db/connect.ts'
import { statement } from '../../../db/connect.ts'
import { runUnscoped, type Tx } from '../../../db/transaction.ts'
import type { ConnectorId, OrganizationId, RootId } from '../../../ids.ts'
import type { HookDelivery } from '../git-providers/hooks.ts'
import type { Provider } from '../sql.ts'

/** What verifies a hook. */
export interface HookConnector {
  readonly id: ConnectorId
  readonly root_id: RootId
  readonly organization_id: OrganizationId
  readonly provider: Provider
  readonly hook_secret: Buffer | null
  readonly key_id: string
}

// Unscoped, because the connector determines the root; it runs as the role that can read only keys.
const selectHookConnector = statement(
  'connectors.hook',
  `select id, root_id, organization_id, provider, hook_secret, key_id from connector where id = $1`,
)

const insertDelivery = statement(
  'connectors.insert-delivery',
  `insert into connector_delivery (root_id, organization_id, connector_id, delivery_id, kind, repository_id, number, received_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (root_id, connector_id, delivery_id) do nothing returning 1 as stored`,
)

// A backlog beyond $7 marks is not extended: polling and the nightly sweep find the rest. A burst of hooks about one pull
// request is read once, $6 seconds after the first.
const markPullRequests = statement(
  'connectors.mark-by-hook',
  `insert into connector_pull_request as p (root_id, organization_id, connector_id, repository_id, number, dirty_since, marks,
     due_at)
   select r.root_id, r.organization_id, r.connector_id, r.repository_id, n.number, $5::timestamptz, 1,
     $5::timestamptz + $6 * interval '1 second'
   from connector_repository r cross join unnest($4::bigint[]) n (number)
   where r.root_id = $1 and r.connector_id = $2 and r.repository_id = $3 and r.active
     and (select count(*) from (select from connector_pull_request d
       where d.root_id = $1 and d.connector_id = $2 and d.dirty_since is not null limit $7) waiting) < $7
   on conflict (root_id, connector_id, repository_id, number) do update
     set dirty_since = coalesce(p.dirty_since, excluded.dirty_since), marks = p.marks + 1,
       due_at = case when p.dirty_since is null then excluded.due_at else p.due_at end
   returning 1 as marked`,
)

// Alerts are read $5 seconds after the first hook: a scan changes many at once.
const markAlerts = statement(
  'connectors.mark-alerts',
  `insert into connector_code_scanning as s (root_id, organization_id, connector_id, repository_id, due_at, marks)
   select r.root_id, r.organization_id, r.connector_id, r.repository_id, $4::timestamptz + $5 * interval '1 second', 1
   from connector_repository r where r.root_id = $1 and r.connector_id = $2 and r.repository_id = $3 and r.active
   on conflict (root_id, connector_id, repository_id) do update
     set marks = s.marks + 1, due_at = least(s.due_at, excluded.due_at)`,
)

// A time that is due changes too: who reads the inventory at this moment sees that it must be read again.
const markInventory = statement(
  'connectors.mark-inventory',
  `update connector set inventory_due_at =
     case when inventory_due_at > $3 then $3::timestamptz else inventory_due_at - interval '1 microsecond' end
   where root_id = $1 and id = $2`,
)

const markReaders = statement(
  'connectors.mark-readers',
  `update connector_repository set readers_due_at =
     case when readers_due_at > $4 then $4::timestamptz else readers_due_at - interval '1 microsecond' end
   where root_id = $1 and connector_id = $2 and active and ($3::text is null or repository_id = $3)
     and (readers_due_at > $4 or lease_owner is not null)`,
)

export async function readHookConnectorUnscoped(pool: Pool, id: string): Promise<HookConnector | null> {
  const [found] = await runUnscoped<HookConnector>(pool, selectHookConnector, [id])
  return found ?? null
}

/** False = the delivery was stored before. */
export async function storeDelivery(
  scope: Scope,
  tx: Tx,
  { id, organization_id }: HookConnector,
  { id: delivery, kind, repositoryId, numbers }: HookDelivery,
  at: Date,
): Promise<boolean> {
  const values = [scope.root, organization_id, id, delivery, kind, repositoryId, numbers[0] ?? null]
  const rows = await tx.query(insertDelivery, [...values, at.toISOString()])
  return rows.length > 0
}

export interface HookMark {
  readonly repositoryId: string
  readonly numbers: readonly number[]
  readonly at: Date
  readonly delaySeconds: number
  readonly maxWaiting: number
}

export async function markByHook(scope: Scope, tx: Tx, id: ConnectorId, mark: HookMark): Promise<void> {
  const { repositoryId, numbers, at, delaySeconds, maxWaiting } = mark
  const values = [scope.root, id, repositoryId, numbers, at.toISOString(), delaySeconds, maxWaiting]
  await tx.query(markPullRequests, values)
}

export async function markInventoryDue(scope: Scope, tx: Tx, id: ConnectorId, at: Date): Promise<void> {
  await tx.query(markInventory, [scope.root, id, at.toISOString()])
}

/** Marks the readers of one repository, or of all. */
export async function markReadersDue(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: string | null,
  at: Date,
): Promise<void> {
  await tx.query(markReaders, [scope.root, id, repository, at.toISOString()])
}

export async function markAlertsDue(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: string,
  { at, delaySeconds }: { readonly at: Date; readonly delaySeconds: number },
): Promise<void> {
  await tx.query(markAlerts, [scope.root, id, repository, at.toISOString(), delaySeconds])
}

import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { ConnectorId } from '../../../ids.ts'

export interface AlertState {
  readonly marks: string
  /** Digests of the scans that were sent last, by series. */
  readonly digests: Readonly<Record<string, string>>
}

const selectAlertState = statement(
  'connectors.alert-state',
  `select marks::text as marks, digests from connector_code_scanning
   where root_id = $1 and connector_id = $2 and repository_id = $3`,
)

export async function readAlertState(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: string,
): Promise<AlertState> {
  const row = await tx.first<AlertState>(selectAlertState, [scope.root, id, repository])
  return row ?? { marks: '0', digests: {} }
}

const reserveScanTime = statement(
  'connectors.reserve-scan-time',
  `insert into connector_code_scanning as s (root_id, organization_id, connector_id, repository_id, due_at, last_occurred_at)
   select r.root_id, r.organization_id, r.connector_id, r.repository_id, $4, $4 from connector_repository r
   where r.root_id = $1 and r.connector_id = $2 and r.repository_id = $3 and r.lease_owner = $5
   on conflict (root_id, connector_id, repository_id) do update
     set last_occurred_at = greatest(excluded.last_occurred_at, s.last_occurred_at + interval '1 millisecond')
   returning to_json(last_occurred_at) #>> '{}' as at`,
)

/** A time after that of every earlier scan, also of a worker whose clock was ahead; null = the lease is lost. */
export async function reserveScanAt(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: string,
  { owner, at }: { readonly owner: string; readonly at: Date },
): Promise<string | null> {
  const row = await tx.first<{ at: string }>(reserveScanTime, [
    scope.root,
    id,
    repository,
    at.toISOString(),
    owner,
  ])
  return row === null ? null : new Date(row.at).toISOString()
}

const postponeAlertRead = statement(
  'connectors.postpone-alerts',
  `insert into connector_code_scanning as s (root_id, organization_id, connector_id, repository_id, due_at)
   select r.root_id, r.organization_id, r.connector_id, r.repository_id, $5 from connector_repository r
   where r.root_id = $1 and r.connector_id = $2 and r.repository_id = $3 and r.lease_owner = $4
   on conflict (root_id, connector_id, repository_id) do update set due_at = excluded.due_at`,
)

/** After a read that failed. */
export async function postponeAlerts(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: string,
  { owner, dueAt }: { readonly owner: string; readonly dueAt: Date },
): Promise<void> {
  await tx.query(postponeAlertRead, [scope.root, id, repository, owner, dueAt.toISOString()])
}

const upsertAlertState = statement(
  'connectors.write-alert-state',
  `insert into connector_code_scanning as s (root_id, organization_id, connector_id, repository_id, due_at, digests)
   select r.root_id, r.organization_id, r.connector_id, r.repository_id, $4, $5 from connector_repository r
   where r.root_id = $1 and r.connector_id = $2 and r.repository_id = $3 and r.lease_owner = $7
   on conflict (root_id, connector_id, repository_id) do update
     set digests = excluded.digests, due_at = case when s.marks = $6 then excluded.due_at else s.due_at end`,
)

/** A hook that arrived during the read has the alerts read again. */
export async function writeAlertState(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: string,
  { marks, digests, dueAt, owner }: AlertState & { readonly dueAt: Date; readonly owner: string },
): Promise<void> {
  const values = [scope.root, id, repository, dueAt.toISOString(), JSON.stringify(digests), marks, owner]
  await tx.query(upsertAlertState, values)
}

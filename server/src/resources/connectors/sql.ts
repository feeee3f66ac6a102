import type { Scope } from '../../access/scope.ts'
import { type Pool, statement } from '../../db/connect.ts'
import { renderUtc } from '../../db/sql-text.ts'
import { runUnscoped, type Tx } from '../../db/transaction.ts'
import type { ConnectorId, OrganizationId, PersonId, RootId } from '../../ids.ts'
import type { OwnBot } from './schema.ts'

export interface ConnectorPosition {
  readonly root: RootId
  readonly id: ConnectorId
}

// Unscoped: connectors of all roots, whatever their state is.
const selectSealedWith = statement(
  'connectors.sealed-with',
  `select root_id as root, id from connector
   where key_id = any ($1::text[]) and (root_id, id) > ($2::uuid, $3::uuid) order by root_id, id limit $4`,
)

/** Connectors after a position whose secrets one of these keys encrypts. */
export function readSealedWithUnscoped(
  pool: Pool,
  keyIds: readonly string[],
  after: ConnectorPosition,
  limit: number,
): Promise<ConnectorPosition[]> {
  return runUnscoped(pool, selectSealedWith, [keyIds, after.root, after.id, limit])
}

const countByKey = statement(
  'connectors.count-secrets',
  `select key_id, (count(*) + count(hook_secret))::int as secrets from connector group by key_id order by key_id`,
)

interface KeyUse {
  readonly key_id: string
  readonly secrets: number
}

export function countSecretsUnscoped(pool: Pool): Promise<KeyUse[]> {
  return runUnscoped(pool, countByKey, [])
}

const selectSecrets = statement(
  'connectors.secrets',
  'select credential, hook_secret, key_id from connector where root_id = $1 and id = $2 for update',
)

const updateSecrets = statement(
  'connectors.update-secrets',
  'update connector set credential = $3, hook_secret = $4, key_id = $5 where root_id = $1 and id = $2',
)

interface SecretColumns {
  readonly credential: Buffer
  readonly hook_secret: Buffer | null
  readonly key_id: string
}

export function lockSecrets(scope: Scope, tx: Tx, id: ConnectorId): Promise<SecretColumns | null> {
  return tx.first(selectSecrets, [scope.root, id])
}

export async function writeSecrets(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  { credential, hook_secret, key_id }: SecretColumns,
): Promise<void> {
  await tx.query(updateSecrets, [scope.root, id, credential, hook_secret, key_id])
}

// The statements of the connectors endpoints.

export type Provider = 'github' | 'gitlab'
export type Mode = 'hooks' | 'polling'

export interface ConnectorRow
  extends Pick<NewConnector, 'id' | 'provider' | 'host' | 'mode' | 'write_back' | 'bots'> {
  readonly status: 'pending' | 'active' | 'failing'
  readonly error: string | null
  readonly repositories: number
  readonly unfinished: number
  readonly backfill_done: number
  readonly backfill_total: number | null
  readonly backfill_seconds: number | null
  readonly last_event_at: string | null
  readonly lag_seconds: number
  readonly unparsed_comments: number
  readonly omitted_comments: number
}

// A total is known when every repository has one.
const columns = `c.id, c.provider, c.host, c.mode, c.write_back, c.bots, c.status, coalesce(c.error, c.git_error, c.write_back_error) as error,
  (select count(*)::int from connector_repository r
    where r.root_id = $1 and r.connector_id = c.id and r.active) as repositories,
  b.unfinished, b.done as backfill_done, b.total as backfill_total, b.seconds as backfill_seconds,
  ${renderUtc('c.last_event_at')} as last_event_at,
  coalesce((select greatest(0, extract(epoch from $3::timestamptz - min(p.dirty_since)))::int
    from connector_pull_request p join connector_repository r on r.root_id = $1 and r.connector_id = p.connector_id
      and r.repository_id = p.repository_id and r.active
    where p.root_id = $1 and p.connector_id = c.id and p.dirty_since is not null), 0) as lag_seconds,
  b.unparsed as unparsed_comments, b.omitted as omitted_comments
  from connector c cross join lateral (
    select count(*) filter (where r.active and r.backfill_finished_at is null)::int as unfinished,
      coalesce(sum(r.backfill_done), 0)::int as done,
      case when bool_and(r.backfill_total is not null) then sum(r.backfill_total)::int end as total,
      extract(epoch from coalesce(
        case when bool_and(r.backfill_finished_at is not null) then max(r.backfill_finished_at) end,
        $3::timestamptz) - min(r.backfill_started_at))::float8 as seconds,
      coalesce(sum(r.unparsed_comments), 0)::int as unparsed,
      coalesce(sum(r.omitted_comments), 0)::int as omitted
    from connector_repository r where r.root_id = $1 and r.connector_id = c.id
  ) b`

const selectConnectors = statement(
  'connectors.list',
  `select ${columns}
   where c.root_id = $1 and c.organization_id = $2 and c.id > $4 order by c.id limit $5`,
)

const selectConnector = statement(
  'connectors.get',
  `select ${columns} where c.root_id = $1 and c.organization_id = $2 and c.id = $4`,
)

const selectOrganization = statement(
  'connectors.organization',
  `select o.provider, o.host,
     (select count(*)::int from connector c where c.root_id = $1 and c.organization_id = $2) as connectors
   from organization o where o.root_id = $1 and o.id = $2`,
)

const insertConnectorRow = statement(
  'connectors.insert',
  `insert into connector (root_id, organization_id, id, provider, host, mode, account, external_account_id, credential,
     hook_secret, key_id, created_by, write_back, bots, created_at, inventory_due_at)
   select $1, $2, id, provider, host, mode, account, external_account_id, decode(credential, 'hex'),
     decode(hook_secret, 'hex'), key_id, created_by, write_back, bots, $4, $4
   from json_to_record($3) as given (id uuid, provider text, host text, mode text, account text, external_account_id text,
     credential text, hook_secret text, key_id text, created_by uuid, write_back boolean, bots jsonb)
   on conflict do nothing returning id`,
)

const deleteConnectorRow = statement(
  'connectors.delete',
  `delete from connector where root_id = $1 and organization_id = $2 and id = $3 returning provider, host, mode, account, write_back, bots`,
)

export function readConnectors(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  page: { readonly after: string; readonly limit: number; readonly at: Date },
): Promise<ConnectorRow[]> {
  const { after, limit, at } = page
  return tx.query(selectConnectors, [scope.root, organization, at.toISOString(), after, limit])
}

export function readConnector(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: ConnectorId,
  at: Date,
): Promise<ConnectorRow | null> {
  return tx.first(selectConnector, [scope.root, organization, at.toISOString(), id])
}

export function readConnectedOrganization(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
): Promise<{ readonly provider: string; readonly host: string; readonly connectors: number }> {
  return tx.one(selectOrganization, [scope.root, organization])
}

export interface NewConnector {
  readonly id: ConnectorId
  readonly provider: Provider
  readonly host: string
  readonly mode: Mode
  readonly account: string
  readonly write_back: boolean
  readonly bots: readonly OwnBot[]
  readonly external_account_id: string | null
  readonly credential: Buffer
  readonly hook_secret: Buffer | null
  readonly key_id: string
  readonly created_by: PersonId | null
}

/** False if the organization has a connector for the account. */
export async function insertConnector(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  connector: NewConnector,
  at: Date,
): Promise<boolean> {
  const { credential, hook_secret } = connector
  const secrets = {
    credential: credential.toString('hex'),
    hook_secret: hook_secret?.toString('hex') ?? null,
  }
  const values = [scope.root, organization, JSON.stringify({ ...connector, ...secrets }), at.toISOString()]
  return (await tx.query(insertConnectorRow, values)).length > 0
}

export type DeletedConnector = Pick<
  NewConnector,
  'provider' | 'host' | 'mode' | 'account' | 'write_back' | 'bots'
>

/** What the connector stored about repositories, pull requests and deliveries goes with it. */
export function deleteConnector(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: ConnectorId,
): Promise<DeletedConnector | null> {
  return tx.first(deleteConnectorRow, [scope.root, organization, id])
}

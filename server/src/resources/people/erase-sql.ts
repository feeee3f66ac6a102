import type { Scope } from '../../access/scope.ts'
import { type Statement, statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import { type KeyId, NIL_UUID, type PersonId } from '../../ids.ts'
import {
  deactivate,
  deleteMemberships,
  deleteRepositoryAccess,
  deleteSeat,
  type LeftOrganization,
  type RevokedKey,
  revokeOwnedKeys,
} from './deprovision-sql.ts'

const ERASED_NAME = 'Erased person'

export interface AccountIdentity {
  readonly provider: string
  readonly host: string
  readonly account_id: string
  readonly username: string
}

/** Values that identify a person here and in the other stores. */
export interface PersonalIdentifiers {
  readonly email: string | null
  readonly accounts: readonly AccountIdentity[]
  readonly keys: readonly KeyId[]
  /** Ids of records that were merged into the person. Audit rows still name them as actors. */
  readonly merged: readonly PersonId[]
}

// Inventory events take the same lock, so none of them changes a person during an erasure or a merge.
export const lockRoot = statement('people.lock-root', 'select id from root where id = $1 for no key update')

// A merge moves the clear values of its own row too, so those of the person lead to all merges, also of merged records.
const personalIdentifiers = statement(
  'people.personal-identifiers',
  `select p.email,
     (select coalesce(json_agg(json_build_object('provider', provider, 'host', host, 'account_id', account_id,
         'username', username) order by provider, host, account_id), '[]')
       from account where root_id = $1 and person_id = p.id) as accounts,
     (select coalesce(json_agg(id order by id), '[]') from api_key where root_id = $1 and owner_id = p.id) as keys,
     (select coalesce(json_agg(distinct l.metadata ->> 'duplicate_id'), '[]')
       from audit_clear c join audit_log l on l.root_id = c.root_id and l.position = c.position
       where c.root_id = $1 and c.person_id = p.id and l.action = 'person_merged') as merged
   from person p where p.root_id = $1 and p.id = $2`,
)

const deleteRows = (table: string) =>
  statement(`people.erase-${table}`, `delete from ${table} where root_id = $1 and person_id = $2 returning 1`)

const deleteSeatRequest = deleteRows('seat_request')
const deleteScimGroupMembers = deleteRows('scim_group_member')
const deletions = {
  session: deleteRows('session'),
  identity: deleteRows('identity'),
  passkey: deleteRows('passkey'),
  sign_in_link: deleteRows('sign_in_link'),
  scim_user: deleteRows('scim_user'),
} as const

const blankPerson = statement(
  'people.erase-person',
  `update person set name = $3, email = null, erased_at = $4
   where root_id = $1 and id = $2 and erased_at is null returning id`,
)

const blankAccounts = statement(
  'people.erase-accounts',
  `update account set username = '' where root_id = $1 and person_id = $2 and username <> '' returning account_id`,
)

const blankKeys = statement(
  'people.erase-keys',
  `update api_key set name = $3 where root_id = $1 and owner_id = $2 and name <> $3 returning id`,
)

export function readPersonalIdentifiers(
  scope: Scope,
  tx: Tx,
  person: PersonId,
): Promise<PersonalIdentifiers | null> {
  return tx.first<PersonalIdentifiers>(personalIdentifiers, [scope.root, person])
}

export type RevokedTable = keyof typeof deletions | 'repository_access' | 'seat' | 'seat_request'

export interface RevokedAccess {
  readonly organizations: readonly LeftOrganization[]
  readonly keys: readonly RevokedKey[]
  /** The deleted rows by table. */
  readonly rows: Readonly<Record<RevokedTable, number>>
}

/** The caller holds the locks of the root and of its seats. */
export async function revokeAllAccess(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  at: Date,
): Promise<RevokedAccess> {
  const own = [scope.root, person]
  const count = async (query: Statement, values: readonly unknown[] = own) =>
    (await tx.query(query, values)).length
  const [organizations, repository_access, seat, seat_request, keys, ...others] = await Promise.all([
    tx.query<LeftOrganization>(deleteMemberships, [...own, null]),
    count(deleteRepositoryAccess, [...own, null]),
    count(deleteSeat),
    count(deleteSeatRequest),
    revokeOwnedKeys(scope, tx, person, null, at),
    count(deletions.session),
    count(deletions.identity),
    count(deletions.passkey),
    count(deletions.sign_in_link),
    count(deleteScimGroupMembers),
    count(deletions.scim_user),
    tx.query(deactivate, [...own, false]),
  ])
  const [session, identity, passkey, sign_in_link, , scim_user] = others
  const rows = { repository_access, seat, seat_request, session, identity, passkey, sign_in_link, scim_user }
  return { organizations, keys, rows }
}

export async function blankNames(scope: Scope, tx: Tx, person: PersonId, at: Date) {
  const values = [scope.root, person]
  const [people, accounts, keys] = await Promise.all([
    tx.query(blankPerson, [...values, ERASED_NAME, at.toISOString()]),
    tx.query(blankAccounts, values),
    tx.query(blankKeys, [...values, 'Key of an erased person']),
  ])
  return { person: people.length, account: accounts.length, api_key: keys.length }
}

// Names of a person in rows written by others, erased in batches.

const BATCH_ROWS = 5_000

// In rows about the person, removes everything except the IP address, which belongs to the actor.
const clearAudit = statement(
  'people.clear-audit',
  `with page as (
     select position from audit_clear
     where root_id = $1 and person_id = $2 and clear - 'ip_address' <> '{}' limit $3
   ), cleared as (
     update audit_clear c set clear = c.clear - array(
       select name from jsonb_object_keys(c.clear) name where name <> 'ip_address')
     from page where c.root_id = $1 and c.position = page.position returning 1
   )
   select count(*)::int as rows from cleared`,
)

// In rows of changes made by the person, removes the IP address. Uses the index on actors.
const clearAddresses = statement(
  'people.clear-addresses',
  `with page as materialized (
     select position from audit_log where root_id = $1 and (actor_id, position) > ($2::uuid, $3::bigint)
       and actor_id = $2 order by actor_id, position limit $4
   ), cleared as (
     update audit_clear c set clear = c.clear - 'ip_address' from page
     where c.root_id = $1 and c.position = page.position and c.clear ? 'ip_address' returning 1
   )
   select (select count(*)::int from cleared) as rows, (select max(position) from page) as last`,
)

export const lockLearnings = statement(
  'people.lock-learnings',
  'select position from learning_head where root_id = $1 for update',
)

// A page is a range of the primary key, because no index leads from an author to Learnings that wait for approval. Joined with
// its rows instead, a table without statistics was read once for each of them.
const blankLearnings = statement(
  'people.erase-learnings',
  `with page as materialized (
     select organization_id, id from learning where root_id = $1 and (organization_id, id) > ($3::uuid, $4::uuid)
     order by organization_id, id limit $5
   ), last as materialized (
     select organization_id, id from page order by organization_id desc, id desc limit 1
   ), blanked as (
     update learning l set author_username = null from last
     where l.root_id = $1 and (l.organization_id, l.id) > ($3::uuid, $4::uuid)
       and (l.organization_id, l.id) <= (last.organization_id, last.id)
       and l.author_username is not null and (l.person_id = $2 or (l.organization_id, l.author_id) in (
         select o.id, a.account_id from account a join organization o on o.root_id = $1 and o.provider = a.provider
           and o.host = a.host
         where a.root_id = $1 and a.person_id = $2)) returning 1
   )
   select (select count(*)::int from blanked) as rows,
     (select json_build_array(organization_id, id) from last) as last`,
)

const lockMetrics = statement(
  'people.lock-metrics',
  'select state from metrics_head where root_id = $1 for update',
)

// A range of the primary key, as above. A metrics store has no accounts, so they are passed as a parameter.
const blankPullRequests = statement(
  'people.erase-pull-requests',
  `with page as materialized (
     select pull_request_key from pull_request where root_id = $1 and pull_request_key > $3::uuid
     order by root_id, pull_request_key limit $4
   ), last as materialized (select pull_request_key from page order by pull_request_key desc limit 1),
   blanked as (
     update pull_request r set author_username = null,
       review = regexp_replace(r.review, '"author_username":"([^"\\\\]|\\\\.)*"', '"author_username":null')
     from last where r.root_id = $1 and r.pull_request_key > $3::uuid and r.pull_request_key <= last.pull_request_key
       and (r.provider, r.host, r.author_id) in (select provider, host, account_id
         from json_to_recordset($2::json) as a (provider text, host text, account_id text))
       and r.author_username is not null returning 1
   )
   select (select count(*)::int from blanked) as rows, (select pull_request_key from last) as last`,
)

const placement = statement(
  'people.placement',
  'select store, moving_to, leaving from metrics_placement where root_id = $1',
)

/** The number of changed rows, and the position to continue from; null if the scan is complete. */
export interface ErasureBatch<Position> {
  readonly rows: number
  readonly last: Position | null
}

export type LearningPosition = readonly [organization: string, id: string]
export type PullRequestPosition = string

export const firstLearningPosition: LearningPosition = [NIL_UUID, NIL_UUID]
export const firstPullRequestPosition: PullRequestPosition = NIL_UUID

export async function clearPersonalAuditValues(
  scope: Scope,
  tx: Tx,
  person: PersonId,
): Promise<ErasureBatch<true>> {
  const row = await tx.first<{ rows: number }>(clearAudit, [scope.root, person, BATCH_ROWS])
  const rows = row?.rows ?? 0
  return { rows, last: rows === BATCH_ROWS ? true : null }
}

export async function clearIpAddresses(
  scope: Scope,
  tx: Tx,
  actor: string,
  after: number,
): Promise<ErasureBatch<number>> {
  const row = await tx.first<ErasureBatch<number>>(clearAddresses, [scope.root, actor, after, BATCH_ROWS])
  return row ?? { rows: 0, last: null }
}

/** Takes the lock that every writer of Learnings takes first. */
export async function blankLearningAuthors(
  scope: Scope,
  tx: Tx,
  person: PersonId,
  after: LearningPosition,
): Promise<ErasureBatch<LearningPosition>> {
  const [, [row]] = await Promise.all([
    tx.query(lockLearnings, [scope.root]),
    tx.query<ErasureBatch<LearningPosition>>(blankLearnings, [scope.root, person, ...after, BATCH_ROWS]),
  ])
  return row ?? { rows: 0, last: null }
}

/** Takes the lock that every writer of metrics takes first. Returns null if the rows are being moved. */
export async function blankPullRequestAuthors(
  scope: Scope,
  tx: Tx,
  accounts: readonly AccountIdentity[],
  after: PullRequestPosition,
): Promise<ErasureBatch<PullRequestPosition> | null> {
  const head = await tx.first<{ state: string }>(lockMetrics, [scope.root])
  if (head !== null && head.state !== 'active') return null
  const values = [scope.root, JSON.stringify(accounts), after, BATCH_ROWS]
  const row = await tx.first<ErasureBatch<PullRequestPosition>>(blankPullRequests, values)
  return row ?? { rows: 0, last: null }
}

/** Returns the store that holds the metrics of the root, or null during a move. */
export async function readMetricsStore(scope: Scope, tx: Tx): Promise<string | null> {
  type Row = { store: string; moving_to: string | null; leaving: string | null }
  const row = await tx.first<Row>(placement, [scope.root])
  if (row === null) return 'shared'
  return row.moving_to === null && row.leaving === null ? row.store : null
}

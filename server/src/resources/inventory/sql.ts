import type { RootKind } from '../../access/root.ts'
import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InstanceId, OrganizationId, PersonId } from '../../ids.ts'
import type { ProviderRef } from './facts.ts'
import type {
  AccessRow,
  AccountRow,
  MembershipRow,
  OrganizationRow,
  RemovalRow,
  RepositoryRow,
} from './write-sql.ts'

export interface RootInstance {
  readonly id: InstanceId
  readonly provider: string
  readonly host: string
}

/** With the time of the event that last wrote the row, in milliseconds. */
type Stored<Row> = Row & { readonly event_at: number | null }

export type StoredOrganization = Stored<Omit<OrganizationRow, 'instance_id'>> & {
  readonly default_role: string | null
}

export interface StoredPerson {
  readonly person_id: PersonId
  /** Null if it is unknown or the person is erased. */
  readonly email: string | null
  readonly name: string
  readonly accounts: number
  /** Belongs to organizations outside of the credential's. */
  readonly outside: boolean
  /** Events never restore an erased person. */
  readonly erased: boolean
}

export type StoredAccount = Stored<StoredPerson & AccountRow>

export type StoredRepository = Stored<Omit<RepositoryRow, 'provider'>>

export type StoredMembership = Stored<MembershipRow> & { readonly role: string }

export type StoredAccess = AccessRow & { readonly event_at: number }

export type StoredRemoval = RemovalRow & { readonly event_at: number }

const renderEpochMs = (column: string) => `(extract(epoch from ${column}) * 1000)::int8 as event_at`

// Serializes the events of a root: rows read after this lock stay unchanged until the commit. `no key update` does not
// block inserts that reference the root.
const lockRoot = statement('inventory.lock-root', `select kind from root where id = $1 for no key update`)

const instances = statement(
  'inventory.instances',
  `select id, provider, host from instance where root_id = $1`,
)

const organizations = statement(
  'inventory.organizations',
  `select o.id, o.provider, o.host, o.provider_organization_id, o.name, o.active, ${renderEpochMs('o.inventory_at')},
     (select c.id from custom_role c where c.root_id = o.root_id and c.organization_id = o.id and c.is_default)
       as default_role
   from json_to_recordset($2::json) as e (provider text, host text, id text)
   join organization o on o.root_id = $1 and o.provider_organization_id = e.id and o.provider = e.provider
     and o.host = e.host`,
)

const personColumns = `p.id as person_id, p.email, p.name, p.erased_at is not null as erased,
  (select count(*)::int from account n where n.root_id = p.root_id and n.person_id = p.id) as accounts,
  $3::uuid[] is not null and (p.workspace_admin or exists (
    select from membership m where m.root_id = p.root_id and m.person_id = p.id
      and m.organization_id <> all ($3::uuid[]))) as outside`

const accounts = statement(
  'inventory.accounts',
  `select a.provider, a.host, a.account_id, a.username, ${renderEpochMs('a.inventory_at')}, ${personColumns}
   from json_to_recordset($2::json) as e (provider text, host text, id text)
   join account a on a.root_id = $1 and a.provider = e.provider and a.host = e.host and a.account_id = e.id
   join person p on p.root_id = a.root_id and p.id = a.person_id`,
)

const people = statement(
  'inventory.people',
  `select ${personColumns} from person p where p.root_id = $1 and p.email = any ($2::text[])`,
)

const repositories = statement(
  'inventory.repositories',
  `select r.organization_id, r.id, r.provider_repository_id, r.name, r.private, r.active,
     ${renderEpochMs('r.inventory_at')}
   from json_to_recordset($2::json) as e (organization_id uuid, repository_id text)
   join repository r on r.root_id = $1 and r.organization_id = e.organization_id
     and r.provider_repository_id = e.repository_id`,
)

const memberships = statement(
  'inventory.memberships',
  `select m.organization_id, m.person_id, m.account_id, coalesce(m.system_role, m.custom_role_id::text) as role,
     ${renderEpochMs('m.inventory_at')}
   from json_to_recordset($2::json) as e (organization_id uuid, person_id uuid)
   join membership m on m.root_id = $1 and m.organization_id = e.organization_id and m.person_id = e.person_id`,
)

const access = statement(
  'inventory.access',
  `select v.organization_id, v.repository_id, v.person_id, ${renderEpochMs('v.verified_at')}
   from json_to_recordset($2::json) as e (organization_id uuid, person_id uuid, repository_id text)
   join repository r on r.root_id = $1 and r.organization_id = e.organization_id
     and r.provider_repository_id = e.repository_id
   join repository_access v on v.root_id = r.root_id and v.organization_id = r.organization_id
     and v.repository_id = r.id and v.person_id = e.person_id`,
)

const removals = statement(
  'inventory.removals',
  `select x.organization_id, x.account_id, x.repository_id, ${renderEpochMs('x.at')}
   from json_to_recordset($2::json) as e (organization_id uuid, account_id text, repository_id text)
   join inventory_removal x on x.root_id = $1 and x.organization_id = e.organization_id
     and x.account_id = e.account_id and x.repository_id = e.repository_id`,
)

/** Null if the root does not exist. */
export async function lockTargetRoot(scope: Scope, tx: Tx): Promise<RootKind | null> {
  const root = await tx.first<{ kind: RootKind }>(lockRoot, [scope.root])
  return root?.kind ?? null
}

export function readInstances(scope: Scope, tx: Tx): Promise<RootInstance[]> {
  return tx.query<RootInstance>(instances, [scope.root])
}

export function readOrganizations(
  scope: Scope,
  tx: Tx,
  refs: readonly ProviderRef[],
): Promise<StoredOrganization[]> {
  return tx.query<StoredOrganization>(organizations, [scope.root, JSON.stringify(refs)])
}

/** `allowedOrganizations`: the organizations the credential is limited to; null if it is not limited. */
export function readAccounts(
  scope: Scope,
  tx: Tx,
  refs: readonly ProviderRef[],
  allowedOrganizations: readonly OrganizationId[] | null,
): Promise<StoredAccount[]> {
  return tx.query<StoredAccount>(accounts, [scope.root, JSON.stringify(refs), allowedOrganizations])
}

export function readPeople(
  scope: Scope,
  tx: Tx,
  emails: readonly string[],
  allowedOrganizations: readonly OrganizationId[] | null,
): Promise<StoredPerson[]> {
  return tx.query<StoredPerson>(people, [scope.root, emails, allowedOrganizations])
}

type Keys<Column extends string> = readonly Readonly<Record<Column, string>>[]

export function readRepositories(
  scope: Scope,
  tx: Tx,
  keys: Keys<'organization_id' | 'repository_id'>,
): Promise<StoredRepository[]> {
  return tx.query<StoredRepository>(repositories, [scope.root, JSON.stringify(keys)])
}

export function readMemberships(
  scope: Scope,
  tx: Tx,
  keys: Keys<'organization_id' | 'person_id'>,
): Promise<StoredMembership[]> {
  return tx.query<StoredMembership>(memberships, [scope.root, JSON.stringify(keys)])
}

export function readAccess(
  scope: Scope,
  tx: Tx,
  keys: Keys<'organization_id' | 'person_id' | 'repository_id'>,
): Promise<StoredAccess[]> {
  return tx.query<StoredAccess>(access, [scope.root, JSON.stringify(keys)])
}

export function readRemovals(
  scope: Scope,
  tx: Tx,
  keys: Keys<'organization_id' | 'account_id' | 'repository_id'>,
): Promise<StoredRemoval[]> {
  return tx.query<StoredRemoval>(removals, [scope.root, JSON.stringify(keys)])
}

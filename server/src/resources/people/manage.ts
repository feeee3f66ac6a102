// A person is a human in a tenant root; accounts at Git providers, memberships, seats and keys belong to a person. "User" is
// the API's word for a member of an organization (resources/users). This folder adds, promotes, deactivates, merges and
// erases people, and ends what they hold:
//   sign-in/      OpenID Connect, sessions, back-channel logout, and the pages that a browser sees
//   passkeys/     sign-in without a provider
//   links/        invitations and one-time sign-in links
//   scim/         users and groups that an identity provider manages
//   offboarding/  preview and receipt of somebody leaving
//   deprovision, erase, merge   what happens to everything that belongs to the person
// Every change is one transaction with its audit row and its event.
import { auditChange, type ChangeContext, toPersonEntry } from '../../access/change-context.ts'
import { readRootKind } from '../../access/root.ts'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse, refuseOperation } from '../../errors.ts'
import { newId, type PersonId } from '../../ids.ts'
import {
  type Account,
  insertAccount,
  insertMembership,
  insertPerson,
  type MembershipRole,
  type Person,
  type RepositoryGrant,
  readOrganizations,
  readPerson,
  updateActive,
  updateRole,
  updateWorkspaceAdmin,
  upsertRepositoryAccess,
} from './sql.ts'

export async function findPerson(scope: Scope, tx: Tx, idOrEmail: string): Promise<Person> {
  const person = await readPerson(scope, tx, idOrEmail)
  return person ?? refuse('NOT_FOUND', `The tenant root has no person with the id or e-mail "${idOrEmail}".`)
}

async function requirePerson({ scope, tx }: ChangeContext, person: PersonId): Promise<Person> {
  const found =
    (await readPerson(scope, tx, person)) ??
    refuseOperation(`The tenant root has no person with the id ${person}.`)
  if (found.erased) refuseOperation(`Person ${person} is erased. Add a new person instead.`)
  return found
}

async function requireWorkspace({ scope, tx }: ChangeContext): Promise<void> {
  if ((await readRootKind(scope, tx)) === 'workspace') return
  refuseOperation('Only a workspace has workspace admins. Give the person the role cr_admin instead.')
}

export interface NewPerson {
  readonly id?: PersonId
  readonly email: string
  readonly name: string
  readonly workspaceAdmin?: boolean
  readonly accounts: readonly Account[]
  readonly memberships: readonly Omit<MembershipRole, 'person'>[]
}

export async function addPerson(change: ChangeContext, person: NewPerson): Promise<PersonId> {
  const { tx, scope } = change
  const { id = newId<PersonId>(), name, workspaceAdmin = false } = person
  const email = person.email.toLowerCase()
  if (workspaceAdmin) await requireWorkspace(change)
  if (!(await insertPerson(scope, tx, { id, email, name, workspace_admin: workspaceAdmin }))) {
    refuseOperation(`The tenant root already has a person with the e-mail ${email}.`)
  }
  await addAccounts(change, id, person.accounts)
  await addMemberships(change, id, person.memberships)
  const metadata = {
    workspace_admin: workspaceAdmin,
    organization_ids: person.memberships.map(({ organization }) => organization),
  }
  await auditChange(change, toPersonEntry('person_added', { id, name, email }, metadata))
  return id
}

async function addAccounts(
  { scope, tx }: ChangeContext,
  person: PersonId,
  accounts: readonly Account[],
): Promise<void> {
  for (const account of accounts) {
    if (await insertAccount(scope, tx, person, account)) continue
    refuseOperation(
      `The account ${account.accountId} of ${account.provider} at ${account.host} belongs to another person of the root.`,
    )
  }
}

async function addMemberships(
  change: ChangeContext,
  person: PersonId,
  memberships: NewPerson['memberships'],
): Promise<void> {
  for (const { organization, role } of memberships) {
    if (await insertMembership(change.scope, change.tx, { person, organization, role })) continue
    refuseOperation(
      `The person cannot join organization ${organization}. It must exist, have the role, and be hosted by a provider ` +
        'where the person has an account.',
    )
  }
}

/** Keys of the person are refused from the next request on. Returns false if already inactive. */
export function deactivatePerson(change: ChangeContext, person: PersonId): Promise<boolean> {
  return setActive(change, person, false)
}

/** Keys that are neither revoked nor expired work again. Returns false if already active. */
export function reactivatePerson(change: ChangeContext, person: PersonId): Promise<boolean> {
  return setActive(change, person, true)
}

async function setActive(change: ChangeContext, person: PersonId, active: boolean): Promise<boolean> {
  const storedPerson = await requirePerson(change, person)
  if (!(await updateActive(change.scope, change.tx, person, active))) return false
  const action = active ? 'person_reactivated' : 'person_deactivated'
  const changed = { before: { active: !active }, after: { active } }
  // In the log of each organization of the person, because its admins read that one.
  const organizations = await readOrganizations(change.scope, change.tx, person)
  for (const organization of organizations.length > 0 ? organizations : [null])
    await auditChange(change, toPersonEntry(action, storedPerson, { active }, { organization, ...changed }))
  return true
}

export async function setRole(change: ChangeContext, membership: MembershipRole): Promise<void> {
  const { person, organization, role } = membership
  const storedPerson = await requirePerson(change, person)
  if ('system' in role && role.system === 'cr_admin') refuseInactive(storedPerson)
  const before = await updateRole(change.scope, change.tx, membership)
  if (before === null) {
    refuseOperation(
      `The person is not a member of organization ${organization}, or the role does not exist in it.`,
    )
  }
  const roleId = 'system' in role ? role.system : role.custom
  const entry = toPersonEntry(
    'person_role_changed',
    storedPerson,
    { role: roleId },
    { organization, before: { roles: { [person]: before } }, after: { roles: { [person]: roleId } } },
  )
  await auditChange(change, entry)
}

/** Returns false if the person is already a workspace admin. */
export async function promotePerson(change: ChangeContext, person: PersonId): Promise<boolean> {
  await requireWorkspace(change)
  refuseInactive(await requirePerson(change, person))
  return setAdmin(change, person, true)
}

function refuseInactive({ active, name }: Person): void {
  if (active) return
  refuseOperation(`${name} is deactivated and cannot become an admin. Reactivate the person first.`)
}

/** Workspace tokens of the person are refused from the next request on. Returns false if not a workspace admin. */
export function demotePerson(change: ChangeContext, person: PersonId): Promise<boolean> {
  return setAdmin(change, person, false)
}

async function setAdmin(change: ChangeContext, person: PersonId, admin: boolean): Promise<boolean> {
  const storedPerson = await requirePerson(change, person)
  if (!(await updateWorkspaceAdmin(change.scope, change.tx, person, admin))) return false
  const action = admin ? 'person_promoted' : 'person_demoted'
  const [before, after] = [{ workspace_admin: !admin }, { workspace_admin: admin }]
  await auditChange(change, toPersonEntry(action, storedPerson, after, { before, after }))
  return true
}

/** Stores that the provider confirmed read access at this time. */
export async function grantRepositoryAccess(change: ChangeContext, access: RepositoryGrant): Promise<void> {
  const { person, organization, repositories } = access
  const storedPerson = await requirePerson(change, person)
  const granted = await upsertRepositoryAccess(change.scope, change.tx, access, change.at)
  if (granted !== new Set(repositories).size) {
    refuseOperation(
      `The person is not a member of organization ${organization}, or one of the repositories does not exist in it.`,
    )
  }
  const metadata = { repository_ids: repositories }
  const entry = toPersonEntry('person_repository_access_granted', storedPerson, metadata, { organization })
  await auditChange(change, entry)
}

import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { readRootKind } from '../../access/root.ts'
import { refuse } from '../../errors.ts'
import { newId, type OrganizationId, type PersonId } from '../../ids.ts'
import { type Account, insertAccount, insertMembership, insertPerson, type Role } from './sql.ts'

export interface NewPerson {
  readonly id?: PersonId
  readonly email: string
  readonly name: string
  readonly workspaceAdmin?: boolean
  readonly accounts: readonly Account[]
  readonly memberships: readonly { readonly organization: OrganizationId; readonly role: Role }[]
}

export async function addPerson(change: ChangeContext, person: NewPerson): Promise<PersonId> {
  const { tx, scope, actor, at } = change
  const { id = newId<PersonId>(), name, workspaceAdmin = false } = person
  const email = person.email.toLowerCase()
  if (workspaceAdmin && (await readRootKind(scope, tx)) !== 'workspace') {
    refuse(
      'INVALID_REQUEST',
      'Only a workspace has workspace admins. Give the person the role cr_admin instead.',
    )
  }
  if (!(await insertPerson(scope, tx, { id, email, name, workspace_admin: workspaceAdmin }))) {
    refuse('INVALID_REQUEST', `The tenant root already has a person with the e-mail ${email}.`)
  }
  await addAccounts(change, id, person.accounts)
  await addMemberships(change, id, person.memberships)
  const entry: AuditEntry = {
    action: 'person_added',
    resourceType: 'person',
    resourceId: id,
    organization: null,
    actor,
    metadata: {
      workspace_admin: workspaceAdmin,
      organization_ids: person.memberships.map(({ organization }) => organization),
    },
    personal: { name, email },
    person: id,
  }
  await writeAuditEntry(tx, scope, entry, at)
  return id
}

async function addAccounts(
  { scope, tx }: ChangeContext,
  person: PersonId,
  accounts: readonly Account[],
): Promise<void> {
  for (const account of accounts) {
    if (await insertAccount(scope, tx, person, account)) continue
    refuse(
      'INVALID_REQUEST',
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
    refuse(
      'INVALID_REQUEST',
      `The person cannot join organization ${organization}. It must exist, have the role, and be hosted by a provider ` +
        'where the person has an account.',
    )
  }
}

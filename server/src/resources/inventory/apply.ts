import type { ChangeContext } from '../../access/change-context.ts'
import { lockAndCountSeats } from '../../access/root.ts'
import { rootScope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { type EventBatch, getEventActor, type IngestEvent } from '../../bus/ingest-event.ts'
import { inTransaction } from '../../db/transaction.ts'
import { decideAccess } from './access.ts'
import { decideAccounts, type InventoryPerson } from './accounts.ts'
import { type InventoryFacts, type ProviderRef, parseInventoryFacts, toProviderRefKey } from './facts.ts'
import {
  decideMemberships,
  type RemovedMember,
  recordReleasedSeats,
  recordRemovedMembers,
  WHOLE_MEMBERSHIP,
} from './memberships.ts'
import { decideOrganizations, type FindOrganization, type TargetRoot } from './organizations.ts'
import {
  type ChangeRecord,
  createChangeRecord,
  describeSkipReasons,
  writeChangeRecord,
} from './record-change.ts'
import { decideRepositories } from './repositories.ts'
import {
  lockTargetRoot,
  readAccess,
  readAccounts,
  readInstances,
  readMemberships,
  readOrganizations,
  readPeople,
  readRemovals,
  readRepositories,
} from './sql.ts'
import { deleteRemovedMembers, readWithoutAdmin, releaseSeats, writeInventory } from './write-sql.ts'

/**
 * Stores an event in one transaction of four or five round trips, independent of its size. Returns why a part of it could
 * not be stored, or null. A redelivered event changes nothing.
 */
export function applyInventory(
  context: WorkerContext,
  batch: EventBatch,
  event: IngestEvent,
): Promise<string | null> {
  const { root, organizations } = batch
  const facts = parseInventoryFacts(event)
  const scope = rootScope(root)
  const at = context.now()
  return inTransaction(context.database, scope, async (tx) => {
    const record = createChangeRecord()
    await applyFacts({ tx, scope, actor: getEventActor(batch), at }, facts, organizations, record)
    return describeSkipReasons(record)
  })
}

async function applyFacts(
  change: ChangeContext,
  facts: InventoryFacts,
  allowedOrganizations: EventBatch['organizations'],
  record: ChangeRecord,
): Promise<void> {
  const { scope, tx } = change
  const [kind, instances, storedOrganizations, storedAccounts, storedPeople] = await Promise.all([
    lockTargetRoot(scope, tx),
    readInstances(scope, tx),
    readOrganizations(scope, tx, collectOrganizationRefs(facts)),
    readAccounts(scope, tx, collectAccountRefs(facts), allowedOrganizations),
    readPeople(
      scope,
      tx,
      facts.accounts.flatMap(({ email }) => email ?? []),
      allowedOrganizations,
    ),
  ])
  if (kind === null) {
    record.skipReasons.add('root')
    return
  }
  const targetRoot: TargetRoot = { kind, instances, allowedOrganizations }
  const organizations = decideOrganizations(facts, targetRoot, storedOrganizations, record)
  const accounts = decideAccounts(facts, storedAccounts, storedPeople, record)
  const { find } = organizations
  const { owners } = accounts
  const stored = await readOrganizationContents(change, facts, find, owners)
  const repositories = decideRepositories(facts, find, stored.repositories, record)
  const { members, removedMembers, writes } = decideMemberships(facts, find, owners, stored, record)
  const accessContext = { find, owners, repositories: repositories.ids, members }
  const access = decideAccess(facts, accessContext, stored.access, record)
  await removeMembers(change, removedMembers, new Date(facts.at), record)
  const all = { ...organizations.writes, ...repositories.writes, ...accounts.writes, ...writes, ...access }
  const removals = [...writes.removals, ...access.removals]
  const written = writeInventory(scope, tx, { ...all, removals }, new Date(facts.at))
  if (removedMembers.length > 0) {
    const [released] = await Promise.all([releaseSeats(scope, tx, removedMembers), ...written])
    recordReleasedSeats(record, removedMembers, released)
  }
  await Promise.all([...written, ...writeChangeRecord(change, record)])
}

/** Reads repositories, memberships and access after organizations and people are resolved. */
async function readOrganizationContents(
  { scope, tx }: ChangeContext,
  facts: InventoryFacts,
  find: FindOrganization,
  owners: ReadonlyMap<string, InventoryPerson>,
) {
  const references = [...facts.memberships, ...facts.access].flatMap((fact) => {
    const organization = find(fact.organization)
    if (organization === null) return []
    const { id: organization_id, provider, host } = organization
    const person_id = owners.get(toProviderRefKey({ provider, host, id: fact.accountId }))?.id
    const repository_id = 'repositoryId' in fact ? fact.repositoryId : WHOLE_MEMBERSHIP
    return [{ organization_id, account_id: fact.accountId, repository_id, person_id }]
  })
  const repositoryKeys = facts.repositories.flatMap(({ organization, id: repository_id }) => {
    const organization_id = find(organization)?.id
    return organization_id === undefined ? [] : [{ organization_id, repository_id }]
  })
  const owned = references.flatMap(({ person_id, ...row }) =>
    person_id === undefined ? [] : [{ ...row, person_id }],
  )
  const ofRepositories = references.filter(({ repository_id }) => repository_id !== WHOLE_MEMBERSHIP)
  const ofMemberships = ofRepositories.map((row) => ({ ...row, repository_id: WHOLE_MEMBERSHIP }))
  const [repositories, memberships, access, removals] = await Promise.all([
    readRepositories(scope, tx, [...repositoryKeys, ...ofRepositories]),
    readMemberships(scope, tx, owned),
    readAccess(scope, tx, owned),
    readRemovals(scope, tx, [...references, ...ofMemberships]),
  ])
  return { repositories, memberships, access, removals }
}

/** Runs before all other writes: the audit log records the access that is deleted with a membership. */
async function removeMembers(
  { scope, tx }: ChangeContext,
  removedMembers: readonly RemovedMember[],
  at: Date,
  record: ChangeRecord,
): Promise<void> {
  if (removedMembers.length === 0) return
  // Seats are locked before rows of people, in the same order as when a seat is assigned.
  const [, deletedAccess, withoutAdmin] = await Promise.all([
    lockAndCountSeats(scope, tx),
    deleteRemovedMembers(scope, tx, removedMembers, at),
    readWithoutAdmin(
      scope,
      tx,
      removedMembers.map(({ organization_id }) => organization_id),
    ),
  ])
  recordRemovedMembers(record, removedMembers, deletedAccess, withoutAdmin)
}

function collectOrganizationRefs(facts: InventoryFacts): ProviderRef[] {
  const references = [...facts.repositories, ...facts.memberships, ...facts.access]
  return distinctRefs([...facts.organizations, ...references.map(({ organization }) => organization)])
}

function collectAccountRefs(facts: InventoryFacts): ProviderRef[] {
  const members = [...facts.memberships, ...facts.access].map(({ organization, accountId }) => {
    return { ...organization, id: accountId }
  })
  return distinctRefs([...facts.accounts, ...members])
}

function distinctRefs(refs: readonly ProviderRef[]): ProviderRef[] {
  return [
    ...new Map(
      refs.map(({ provider, host, id }) => {
        const ref = { provider, host, id }
        return [toProviderRefKey(ref), ref]
      }),
    ).values(),
  ]
}

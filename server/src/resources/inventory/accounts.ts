import { toPersonEntry } from '../../access/change-context.ts'
import { newId, type PersonId } from '../../ids.ts'
import { type AccountFact, type InventoryFacts, isNewer, toProviderRefKey } from './facts.ts'
import type { ChangeRecord } from './record-change.ts'
import type { StoredAccount, StoredPerson } from './sql.ts'
import type { AccountRow, InventoryWrites, PersonRow } from './write-sql.ts'

/** A person as of the event: changes of the event are applied to this object. */
export interface InventoryPerson {
  readonly id: PersonId
  /** Null if no account of the person has shown one. */
  email: string | null
  name: string
  accounts: number
  readonly outside: boolean
  readonly erased: boolean
}

interface AccountDecision {
  /** The owner of each account, by toProviderRefKey. */
  readonly owners: ReadonlyMap<string, InventoryPerson>
  readonly writes: Pick<InventoryWrites, 'newPeople' | 'people' | 'newAccounts' | 'accounts'>
}

interface PeopleIndex {
  readonly byEmail: Map<string, InventoryPerson>
  readonly owners: Map<string, InventoryPerson>
}

export function decideAccounts(
  { at, accounts }: InventoryFacts,
  storedAccounts: readonly StoredAccount[],
  storedPeople: readonly StoredPerson[],
  record: ChangeRecord,
): AccountDecision {
  const people = indexPeople(storedAccounts, storedPeople)
  const stored = new Map(storedAccounts.map((row) => [toStoredKey(row), row]))
  const writes = {
    newPeople: [] as PersonRow[],
    people: [] as PersonRow[],
    newAccounts: [] as AccountRow[],
    accounts: [] as AccountRow[],
  }
  for (const fact of accounts) {
    const key = toProviderRefKey(fact)
    const row = stored.get(key)
    const owner = people.owners.get(key)
    if (row === undefined || owner === undefined) {
      const person = fact.email === null ? undefined : people.byEmail.get(fact.email)
      const joined = person ?? createPerson(fact, record)
      if (person === undefined) writes.newPeople.push(joined)
      else record.entries.push(toPersonEntry('person_account_added', person, toAccountMetadata(fact)))
      if (fact.email !== null) people.byEmail.set(fact.email, joined)
      people.owners.set(key, joined)
      joined.accounts += 1
      writes.newAccounts.push(toAccountRow(fact, joined))
    } else if (isNewer(at, row.event_at) && !owner.outside && !owner.erased) {
      writes.accounts.push(toAccountRow(fact, owner))
      if (fact.username !== row.username) {
        const personal = { 'before.username': row.username, 'after.username': fact.username }
        const metadata = toAccountMetadata(fact)
        record.entries.push(toPersonEntry('person_account_renamed', owner, metadata, { personal }))
      }
      const before = { name: owner.name, email: owner.email }
      const updated = updateFromAccount(fact, owner, people)
      if (updated.name || updated.email) {
        const personal = toChangedPersonalValues(updated, before, owner)
        record.entries.push(toPersonEntry('person_changed', owner, updated, { personal }))
        writes.people.push(owner)
      }
    }
  }
  return { owners: people.owners, writes }
}

/** Creates one object per person, even if several accounts refer to it. */
function indexPeople(accounts: readonly StoredAccount[], others: readonly StoredPerson[]): PeopleIndex {
  const byId = new Map<PersonId, InventoryPerson>()
  for (const { person_id: id, email, name, accounts: count, outside, erased } of [...accounts, ...others]) {
    if (!byId.has(id)) byId.set(id, { id, email, name, accounts: count, outside, erased })
  }
  const byEmail = new Map<string, InventoryPerson>()
  for (const person of byId.values()) if (person.email !== null) byEmail.set(person.email, person)
  const owners = new Map<string, InventoryPerson>()
  for (const row of accounts) {
    const owner = byId.get(row.person_id)
    if (owner !== undefined) owners.set(toStoredKey(row), owner)
  }
  return { byEmail, owners }
}

function createPerson({ email, name }: AccountFact, record: ChangeRecord): InventoryPerson {
  const person = { id: newId<PersonId>(), email, name, accounts: 0, outside: false, erased: false }
  const metadata = { workspace_admin: false, organization_ids: [] }
  record.entries.push(toPersonEntry('person_added', person, metadata))
  return person
}

/**
 * Name and e-mail follow the account only if it is the person's only one: with several, none is authoritative. An
 * e-mail address that belongs to somebody else is not adopted, so that two people are never merged. Without an address in
 * the event, the stored one stays.
 */
function updateFromAccount({ name, email }: AccountFact, person: InventoryPerson, { byEmail }: PeopleIndex) {
  if (person.accounts > 1) return { name: false, email: false }
  const newEmail = email === null || byEmail.has(email) ? null : email
  const changed = { name: name !== person.name, email: newEmail !== null }
  person.name = name
  if (newEmail !== null) {
    // The old address stays reserved: the order of rows within one statement is undefined.
    byEmail.set(newEmail, person)
    person.email = newEmail
  }
  return changed
}

type Identity = Pick<InventoryPerson, 'name' | 'email'>

/** Values of a field that changed; an e-mail that was unknown has no value before. */
function toChangedPersonalValues(
  changed: { readonly name: boolean; readonly email: boolean },
  before: Identity,
  after: Identity,
): Readonly<Record<string, string>> {
  return {
    ...(changed.name && { 'before.name': before.name, 'after.name': after.name }),
    ...(changed.email && before.email !== null && { 'before.email': before.email }),
    ...(changed.email && after.email !== null && { 'after.email': after.email }),
  }
}

function toAccountRow({ provider, host, id, username }: AccountFact, person: InventoryPerson): AccountRow {
  return { provider, host, account_id: id, username, person_id: person.id }
}

function toAccountMetadata({ provider, id }: AccountFact) {
  return { provider, account_id: id }
}

function toStoredKey({ provider, host, account_id: id }: StoredAccount): string {
  return toProviderRefKey({ provider, host, id })
}

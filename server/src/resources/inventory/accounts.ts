import { newId, type PersonId } from '../../ids.ts'
import { type AccountFact, type InventoryFacts, isNewer, toProviderRefKey } from './facts.ts'
import { type ChangeRecord, recordPersonChange } from './record-change.ts'
import type { StoredAccount, StoredPerson } from './sql.ts'
import type { AccountRow, InventoryWrites, PersonRow } from './write-sql.ts'

/** As of the event: what it changes is changed here too. */
export interface InventoryPerson {
  readonly id: PersonId
  email: string
  name: string
  accounts: number
  readonly outside: boolean
  readonly erased: boolean
}

interface AccountDecision {
  /** Whose account it is, by the account's place. */
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
  const before = new Map(storedAccounts.map((row) => [toStoredKey(row), row]))
  const writes = {
    newPeople: [] as PersonRow[],
    people: [] as PersonRow[],
    newAccounts: [] as AccountRow[],
    accounts: [] as AccountRow[],
  }
  for (const fact of accounts) {
    const key = toProviderRefKey(fact)
    const row = before.get(key)
    const owner = people.owners.get(key)
    if (row === undefined || owner === undefined) {
      const person = people.byEmail.get(fact.email)
      const joined = person ?? createPerson(fact, record)
      if (person === undefined) writes.newPeople.push(joined)
      else recordPersonChange(record, person, 'person_account_added', toAccountMetadata(fact))
      people.byEmail.set(fact.email, joined)
      people.owners.set(key, joined)
      joined.accounts += 1
      writes.newAccounts.push(toAccountRow(fact, joined))
    } else if (isNewer(at, row.told_at) && !owner.outside && !owner.erased) {
      writes.accounts.push(toAccountRow(fact, owner))
      if (fact.username !== row.username) {
        recordPersonChange(record, owner, 'person_account_renamed', toAccountMetadata(fact))
      }
      const updated = updateFromAccount(fact, owner, people)
      if (updated.name || updated.email) {
        recordPersonChange(record, owner, 'person_changed', updated)
        writes.people.push(owner)
      }
    }
  }
  return { owners: people.owners, writes }
}

/** One object a person, however many accounts lead there. */
function indexPeople(accounts: readonly StoredAccount[], others: readonly StoredPerson[]): PeopleIndex {
  const byId = new Map<PersonId, InventoryPerson>()
  for (const { person_id: id, email, name, accounts: count, outside, erased } of [...accounts, ...others]) {
    if (!byId.has(id)) byId.set(id, { id, email, name, accounts: count, outside, erased })
  }
  const byEmail = new Map([...byId.values()].map((person) => [person.email, person]))
  const owners = new Map<string, InventoryPerson>()
  for (const row of accounts) {
    const owner = byId.get(row.person_id)
    if (owner !== undefined) owners.set(toStoredKey(row), owner)
  }
  return { byEmail, owners }
}

function createPerson({ email, name }: AccountFact, record: ChangeRecord): InventoryPerson {
  const person = { id: newId<PersonId>(), email, name, accounts: 0, outside: false, erased: false }
  recordPersonChange(record, person, 'person_added', { workspace_admin: false, organization_ids: [] })
  return person
}

/**
 * Name and e-mail follow the account of a person who has no other; of several nobody could say which is right. An
 * e-mail of somebody else is not taken over, and the account stays where it is: two people are not made one by it.
 */
function updateFromAccount({ name, email }: AccountFact, person: InventoryPerson, { byEmail }: PeopleIndex) {
  if (person.accounts > 1) return { name: false, email: false }
  const changed = { name: name !== person.name, email: !byEmail.has(email) }
  person.name = name
  if (changed.email) {
    // The old one stays taken: within one statement nobody could say whose row is written first.
    byEmail.set(email, person)
    person.email = email
  }
  return changed
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

import { createHash } from 'node:crypto'
import { rootScope } from '../../../access/scope.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { DAY_MS, HOUR_MS } from '../../../time.ts'
import { toEmail, toLine } from '../event-values.ts'
import type { MemberInfo, ProviderClient } from '../git-providers/provider-client.ts'
import { isOwnBot } from '../parsers/bots.ts'
import type { RepositoryRef } from '../snapshot.ts'
import { finishInventory, renewInventory, sweepDeliveries, takeInventory } from './connector-sql.ts'
import type { NewEvent, SyncContext, SyncedConnector } from './context.ts'
import { TooManyItemsError, WrongOrganizationError } from './errors.ts'
import { computeDigest, toOrganizationRef, toRepositoryName, toSentEvents } from './events.ts'
import { createLease } from './lease.ts'
import { type ListedRepository, writeRepositories } from './repository-sql.ts'

/** Repositories or members of an organization. */
const MAX_LISTED = 100_000
const MAX_ITEMS = 500
/** Limit for the list of one event, which may have 512 KiB with everything else. */
const MAX_LIST_BYTES = 400 * 1024
const MAX_NAME_LENGTH = 200
const BACKFILL_MS = 365 * DAY_MS
const DELIVERY_AGE_MS = 8 * DAY_MS

/** Reports the organization, its repositories and members. False = it is not due. */
export async function reportInventory(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
): Promise<boolean> {
  const scope = rootScope(connector.root)
  const { database, owner } = sync
  const takenDueAt = await inTransaction(database, scope, (tx) =>
    takeInventory(scope, tx, connector.id, createLease(sync)),
  )
  if (takenDueAt === null) return false
  const { id, name } = await client.readOrganization()
  if (id !== connector.organizationId) throw new WrongOrganizationError()
  const repositories = await collect(client.listRepositories())
  const members = (await collect(client.listMembers())).filter(
    ({ user }) => !user.isBot && !isOwnBot(user, connector.bots),
  )
  const at = sync.now()
  const gone = await inTransaction(database, scope, async (tx) => {
    if (!(await renewInventory(scope, tx, connector.id, createLease(sync)))) return null
    return await writeRepositories(scope, tx, connector.id, repositories.map(toListed), {
      at,
      since: new Date(at.getTime() - BACKFILL_MS),
    })
  })
  // The lease ran out, and another worker reads it.
  if (gone === null) return true
  const ids = members.map(({ user }) => user.id)
  const present = new Set(ids)
  const left = connector.members.filter((member) => !present.has(member))
  const changes: InventoryChanges = {
    organizations: [{ ...toOrganizationRef(connector), name: toLine(name, MAX_NAME_LENGTH) || id }],
    repositories: [
      ...repositories.map((one) => toRepository(connector, toListed(one), true)),
      ...gone.map((one) => toRepository(connector, one, false)),
    ],
    accounts: members.map((member) => toAccount(connector, member)),
    memberships: [
      ...ids.map((account_id) => ({ account_id, active: true })),
      ...left.map((account_id) => ({ account_id, active: false })),
    ],
  }
  const digest = createHash('sha256').update(JSON.stringify(changes)).digest()
  const isKnown = connector.inventoryDigest?.equals(digest) ?? false
  const isRecent = at.getTime() - Date.parse(connector.inventorySentAt ?? '1970-01-01') < DAY_MS
  if (!(isKnown && isRecent)) await sendInventory(sync, connector, changes)
  await inTransaction(database, scope, async (tx) => {
    await finishInventory(scope, tx, connector.id, owner, {
      members: ids,
      digest,
      sentAt: isKnown && isRecent ? null : at,
      takenDueAt,
      dueAt: new Date(at.getTime() + HOUR_MS),
    })
    await sweepDeliveries(scope, tx, connector.id, new Date(at.getTime() - DELIVERY_AGE_MS))
  })
  return true
}

/** The lists of an event `inventory.changed`; those of an organization get its reference. */
interface InventoryChanges {
  readonly organizations?: readonly object[]
  readonly repositories?: readonly object[]
  readonly accounts?: readonly object[]
  readonly memberships?: readonly object[]
  readonly repository_access?: readonly object[]
}

/** Sends the lists in as many events as they need, in the order in which they refer to each other. */
export async function sendInventory(
  sync: SyncContext,
  connector: SyncedConnector,
  changes: InventoryChanges,
): Promise<void> {
  const organization = toOrganizationRef(connector)
  const events: NewEvent[] = []
  for (const [list, items] of Object.entries(changes) as [keyof InventoryChanges, readonly object[]][]) {
    const belongs = list === 'memberships' || list === 'repository_access'
    const entries = belongs ? items.map((item) => ({ organization, ...item })) : items
    for (const part of splitList(entries))
      events.push({ type: 'inventory.changed', payload: { [list]: part } })
  }
  // A later event refers to objects of an earlier one.
  const at = sync.now().getTime()
  for (const [index, event] of events.entries()) {
    sync.signal?.throwIfAborted()
    const occurredAt = new Date(at + index).toISOString()
    await sync.sendEvents(connector, toSentEvents([event], computeDigest([event]), occurredAt))
  }
}

function splitList(items: readonly object[]): object[][] {
  const parts: object[][] = []
  let bytes = 0
  for (const item of items) {
    const own = Buffer.byteLength(JSON.stringify(item)) + 1
    const part = parts.at(-1)
    if (part === undefined || part.length >= MAX_ITEMS || bytes + own > MAX_LIST_BYTES) {
      parts.push([item])
      bytes = own
    } else {
      part.push(item)
      bytes += own
    }
  }
  return parts
}

/** Throws if there are more than a worker may hold in memory: a part of them would remove the others. */
export async function collect<Item>(items: AsyncIterable<Item>, max = MAX_LISTED): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) {
    if (collected.length === max) throw new TooManyItemsError()
    collected.push(item)
  }
  return collected
}

function toListed({ id, fullName, isPrivate }: RepositoryRef): ListedRepository {
  return { id, full_name: fullName, private: isPrivate }
}

function toRepository(connector: SyncedConnector, repository: ListedRepository, active: boolean) {
  const { id, full_name, private: isPrivate } = repository
  return {
    organization: toOrganizationRef(connector),
    id,
    name: toRepositoryName(connector.account, full_name),
    private: isPrivate,
    active,
  }
}

function toAccount({ provider, host }: SyncedConnector, { user, name, email }: MemberInfo) {
  const username = toLine(user.login, MAX_NAME_LENGTH) || user.id
  return {
    provider,
    host,
    id: user.id,
    username,
    email: toEmail(email),
    name: toLine(name ?? '', MAX_NAME_LENGTH) || username,
  }
}

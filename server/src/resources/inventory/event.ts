import { type DeferredEvent, defineEventKind, type EventFamily } from '../../bus/ingest-event.ts'
import { applyInventory } from './apply.ts'
import { InventoryChanged, listInventoryOrganizations, normalizeInventory } from './schema.ts'

const inventoryChanged = defineEventKind({
  type: 'inventory.changed',
  version: 1,
  summary:
    'Organizations, repositories, accounts, memberships and repository access as reported by a Git provider.',
  payload: InventoryChanged,
  example: {
    organizations: [{ provider: 'github', id: '41207731', name: 'Meridian Platform' }],
    repositories: [
      {
        organization: { provider: 'github', id: '41207731' },
        id: '620118401',
        name: 'booking-api',
        private: true,
      },
    ],
    accounts: [
      {
        provider: 'github',
        id: '17549942',
        username: 'mei-tanaka',
        email: 'mei.tanaka@example.com',
        name: 'Mei Tanaka',
      },
    ],
    memberships: [{ organization: { provider: 'github', id: '41207731' }, account_id: '17549942' }],
    repository_access: [
      {
        organization: { provider: 'github', id: '41207731' },
        repository_id: '620118401',
        account_id: '17549942',
        granted: true,
      },
    ],
  },
  normalize: normalizeInventory,
  listOrganizations: listInventoryOrganizations,
})

/** The inventory of a Git provider: the newest event about each object wins, in any order of arrival. */
export const inventory: EventFamily = {
  kinds: [inventoryChanged],
  storesParts: true,
  async handle(context, batch) {
    const deferred: DeferredEvent[] = []
    // Oldest first: an event often refers to objects of the event before it.
    const events = batch.events.toSorted((a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at))
    for (const event of events) {
      const reason = await applyInventory(context, batch, event)
      if (reason !== null) deferred.push({ event, reason })
    }
    return deferred
  },
}

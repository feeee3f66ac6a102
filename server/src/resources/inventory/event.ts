import { type DeferredEvent, defineEventKind, type EventFamily } from '../../bus/ingest-event.ts'
import { applyInventory } from './apply.ts'
import { InventoryChanged, normalizeInventory } from './schema.ts'

const inventoryChanged = defineEventKind({
  type: 'inventory.changed',
  version: 1,
  summary:
    'What a Git provider says of organizations, repositories, accounts, memberships and the access to repositories',
  payload: InventoryChanged,
  normalize: normalizeInventory,
})

/** What a Git provider has: the newest word on each object counts, in whichever order the words arrive. */
export const inventory: EventFamily = {
  kinds: [inventoryChanged],
  async handle(context, batch) {
    const deferred: DeferredEvent[] = []
    // Oldest first: what an event refers to was often told just before it.
    const events = batch.events.toSorted((a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at))
    for (const event of events) {
      const reason = await applyInventory(context, batch, event)
      if (reason !== null) deferred.push({ event, reason })
    }
    return deferred
  },
}

import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { EventBatch, IngestEvent } from '../src/bus/ingest-event.ts'
import type { KeyId, OrganizationId, RootId } from '../src/ids.ts'
import { inventory } from '../src/resources/inventory/event.ts'
import { compileShape } from '../src/shape.ts'
import { createBus, createWorkerContext } from './bus.ts'
import type { TestDatabase } from './database.ts'
import { openTenant } from './fixture.ts'
import type { Tenant, TenantOptions } from './tenant.ts'

const [kind] = inventory.kinds
if (kind === undefined) throw new Error('The inventory family has no event kind.')
const { type, version, payload: shape } = kind
const isValidPayload = compileShape(shape)

export interface InventoryEventOptions {
  /** Seconds after the start of the test's clock. */
  readonly at?: number
  readonly organizations?: readonly OrganizationId[]
}

export interface TestInventory {
  readonly database: TestDatabase
  readonly tenant: Tenant
  readonly superuser: pg.Pool
  readonly credential: KeyId
  /** Processes events like the ingest endpoint and the queue; returns the reasons of deferred events. */
  applyPayload(root: RootId, payload: object, options?: InventoryEventOptions): Promise<string[]>
  applyEvents(
    root: RootId,
    events: readonly IngestEvent[],
    options?: InventoryEventOptions,
  ): Promise<IngestEvent[]>
  read<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]>
  /** All actions in the audit log. */
  readAuditActions(root: RootId): Promise<string[]>
}

export function isInventoryPayload(payload: object): boolean {
  return isValidPayload(payload)
}

/** An event as it is queued. */
export function inventoryEvent(payload: object, at = 0): IngestEvent {
  if (!isValidPayload(payload))
    throw new Error(`The payload does not match its schema: ${JSON.stringify(isValidPayload.errors)}`)
  const occurred_at = timestampAt(at)
  return JSON.parse(
    JSON.stringify({ id: randomUUID(), type, version, occurred_at, payload: kind?.normalize(payload) }),
  )
}

export function timestampAt(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()
}

export async function createInventory(options: TenantOptions = {}): Promise<TestInventory> {
  const { database, tenant, superuser, use } = await openTenant(options)
  const bus = use(await createBus())
  const context = createWorkerContext(tenant.pool, bus.bus)
  const credential = randomUUID() as KeyId
  const handle = (root: RootId, events: readonly IngestEvent[], { organizations }: InventoryEventOptions) => {
    const batch: EventBatch = { root, credential, organizations: organizations ?? null, events }
    return inventory.handle(context, batch)
  }
  async function read<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await superuser.query<Row>(text, [...values])).rows
  }
  return {
    database,
    tenant,
    superuser,
    credential,
    read,
    applyPayload: async (root, payload, eventOptions = {}) =>
      (await handle(root, [inventoryEvent(payload, eventOptions.at)], eventOptions)).map(
        ({ reason }) => reason,
      ),
    applyEvents: async (root, events, eventOptions = {}) =>
      (await handle(root, events, eventOptions)).map(({ event }) => event),
    async readAuditActions(root) {
      const rows = await read<{ action: string }>(
        'select action from audit_log where root_id = $1 order by position',
        [root],
      )
      return rows.map(({ action }) => action)
    },
  }
}

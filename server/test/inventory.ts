import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { EventBatch, IngestEvent } from '../src/bus/ingest-event.ts'
import type { KeyId, OrganizationId, RootId } from '../src/ids.ts'
import { inventory } from '../src/resources/inventory/event.ts'
import { compileShape } from '../src/shape.ts'
import { makeBus, makeContext } from './bus.ts'
import { makeDatabase, type TestDatabase } from './database.ts'
import { makeTenant, type Tenant, type TenantOptions } from './tenant.ts'

const [kind] = inventory.kinds
if (kind === undefined) throw new Error('The inventory has no kind of event.')
const { type, version, payload: shape } = kind
const fits = compileShape(shape)

export interface TellOptions {
  /** Seconds after the beginning of the test's time. */
  readonly at?: number
  readonly organizations?: readonly OrganizationId[]
}

export interface TestInventory {
  readonly database: TestDatabase
  readonly tenant: Tenant
  readonly superuser: pg.Pool
  readonly credential: KeyId
  /** As the ingest door and the queue would; answers with the reasons of what was deferred. */
  tell(root: RootId, payload: object, options?: TellOptions): Promise<string[]>
  tellAll(root: RootId, events: readonly IngestEvent[], options?: TellOptions): Promise<IngestEvent[]>
  read<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]>
  /** Actions of the audit log, from its beginning. */
  actionsOf(root: RootId): Promise<string[]>
  close(): Promise<void>
}

export function fitsInventory(payload: object): boolean {
  return fits(payload)
}

/** What the queue holds of an event. */
export function inventoryEvent(payload: object, at = 0): IngestEvent {
  if (!fits(payload)) throw new Error(`The payload does not fit: ${JSON.stringify(fits.errors)}`)
  const occurred_at = momentOf(at)
  return JSON.parse(
    JSON.stringify({ id: randomUUID(), type, version, occurred_at, payload: kind?.normalize(payload) }),
  )
}

export function momentOf(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()
}

export async function makeInventory(options: TenantOptions = {}): Promise<TestInventory> {
  const database = await makeDatabase()
  const tenant = await makeTenant(database, options)
  const bus = await makeBus()
  const superuser = database.superuser()
  const context = makeContext(tenant.pool, bus.bus)
  const credential = randomUUID() as KeyId
  const handle = (root: RootId, events: readonly IngestEvent[], { organizations }: TellOptions) => {
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
    tell: async (root, payload, told = {}) =>
      (await handle(root, [inventoryEvent(payload, told.at)], told)).map(({ reason }) => reason),
    tellAll: async (root, events, told = {}) => (await handle(root, events, told)).map(({ event }) => event),
    async actionsOf(root) {
      const rows = await read<{ action: string }>(
        'select action from audit_log where root_id = $1 order by position',
        [root],
      )
      return rows.map(({ action }) => action)
    },
    async close() {
      await Promise.all([tenant.close(), superuser.end(), bus.drop()])
      await database.drop()
    },
  }
}

import { pathToFileURL } from 'node:url'
import type { EventBatch, EventKind } from '../../src/bus/ingest-event.ts'
import { connect } from '../../src/db/connect.ts'
import { connectMetricsStores } from '../../src/db/stores.ts'
import { createBus, createWorkerContext } from '../bus.ts'
import type { TestDatabase } from '../database.ts'

export type { EventKind } from '../../src/bus/ingest-event.ts'
export { eventKinds } from '../../src/consumers.ts'
export type { Endpoint } from '../../src/http/endpoint.ts'
export type { Tool } from '../../src/http/mcp/tool.ts'
export type { KeyId, OrganizationId, RootId } from '../../src/ids.ts'
export { endpoints, tools } from '../../src/routes.ts'
export { compileShape } from '../../src/shape.ts'

/** The worker's handler of events. */
export interface EventHandler {
  readonly kinds: readonly EventKind[]
  /** Returns whether every event was stored. */
  handle(batch: EventBatch): Promise<boolean>
  close(): Promise<void>
}

/** The handler of this source, or of a copy of the server. */
export async function loadEventHandler(database: TestDatabase, copy?: string): Promise<EventHandler> {
  const source = copy === undefined ? new URL('../../src/', import.meta.url) : pathToFileURL(`${copy}/src/`)
  const { eventConsumer, eventKinds: kinds } = (await import(
    new URL('consumers.ts', source).href
  )) as typeof import('../../src/consumers.ts')
  const ingest = eventConsumer(1000)
  const pool = connect({ url: database.urls.worker, name: 'isolation', connections: 4 })
  const stores = connectMetricsStores(new Map([['shared', database.urls.worker]]), 'isolation', 2)
  const bus = await createBus()
  const context = createWorkerContext(pool, bus.bus, stores)
  return {
    kinds,
    handle(batch) {
      // Rejected for what it could not store; a foreign key can reject a row too.
      return ingest.handle(context, batch).then(
        () => true,
        () => false,
      )
    },
    async close() {
      await Promise.all([pool.end(), stores.close(), bus.drop()])
    },
  }
}

import { randomUUID } from 'node:crypto'
import type { Submittable } from 'pg'
import type { Connection, Pool } from '../../src/db/connect.ts'
import type { KeyId } from '../../src/ids.ts'
import type { storeEvents } from '../pull-requests.ts'

export type StoreEvents = typeof storeEvents
export type MetricsWriter = Parameters<StoreEvents>[0]

/** The handler of a copy of the source without a cure; `entry` is the API entry point of the copy. */
export async function loadStoreEvents(entry: string): Promise<StoreEvents> {
  const { storeReviewEvents } = (await import(
    new URL('resources/metrics/write/store-reviews.ts', `file://${entry}`).href
  )) as typeof import('../../src/resources/metrics/write/store-reviews.ts')
  const credential = randomUUID() as string as KeyId
  return (writer, root, events, organizations = null) =>
    storeReviewEvents(writer, { root, credential, organizations, events })
}

/** A gate between a writer and its metrics store. */
export interface Gate {
  /** Awaited before each round trip of a transaction; `pid` is the server process of the connection. */
  pass(pid: number): Promise<void>
}

/** The same writer; each step in the metrics store waits at the gate. */
export function gateWriter(writer: MetricsWriter, gate: Gate): MetricsWriter {
  const { stores } = writer
  return { ...writer, stores: { ...stores, pool: (name) => gatePool(stores.pool(name), gate) } }
}

function gatePool(pool: Pool, gate: Gate): Pool {
  const connect = async () => gateConnection(await pool.connect(), gate)
  return new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name)),
  })
}

function gateConnection(connection: Connection, gate: Gate): Connection {
  const { processID } = connection as unknown as { readonly processID: number }
  const query = (batch: Submittable) => {
    void gate.pass(processID).then(() => connection.query(batch))
  }
  return new Proxy(connection, {
    get(target, name) {
      if (name === 'query') return query
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

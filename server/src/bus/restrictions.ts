import type { StoredMsg } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import type { Tx } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'
import type { Bus } from './connect.ts'
import { deleteRestrictionsUnscoped, readOldestRestrictionsUnscoped } from './sql.ts'
import { findLastBefore, findNextMessage, forEachMessage, requireStream } from './stored-messages.ts'

// What took access away, or deleted. The database records it (record_restriction), the worker publishes it, and after a restore
// `restore-point declare` applies it again.

/** The columns that say which row it was, and what became of it. */
export interface Restriction {
  readonly root: RootId
  readonly change: { readonly table: string; readonly deleted: boolean } & Readonly<Record<string, unknown>>
}

interface RestrictionRow extends Restriction {
  readonly id: number
  readonly at: string
}

/** Publishes the oldest restrictions and deletes those that the bus has stored. Returns their number. */
export async function relayRestrictions(tx: Tx, bus: Bus, size: number): Promise<number> {
  const rows = await tx.query<RestrictionRow>(readOldestRestrictionsUnscoped, [size])
  await Promise.all(
    rows.map(({ id, at, root, change }) =>
      bus.jetstream.publish(bus.subject(`restrictions.of.${root}`), JSON.stringify({ root, change }), {
        msgID: `${id} ${at}`,
        expect: { streamName: bus.streamName('RESTRICTIONS') },
        timeout: 5000,
      }),
    ),
  )
  if (rows.length > 0) await tx.query(deleteRestrictionsUnscoped, [rows.map(({ id }) => id)])
  return rows.length
}

const heartbeat = (bus: Bus) => bus.subject('restrictions.heartbeat')

/** Says that everything that was committed until then is published. */
export async function publishHeartbeat(bus: Bus, until: Date): Promise<void> {
  const replacing = headers()
  replacing.set('Nats-Rollup', 'sub')
  await bus.jetstream.publish(heartbeat(bus), until.toISOString(), { headers: replacing, timeout: 5000 })
}

export interface KnownRestrictions {
  /** Those from a minute before the point on, in the order in which they were published. */
  readonly restrictions: readonly Restriction[]
  /** Those that were committed later may be missing; null = nothing is known. */
  readonly until: Date | null
}

export async function readRestrictions(bus: Bus, point: Date): Promise<KnownRestrictions> {
  const restrictions: Restriction[] = []
  const missing = 'NATS has no record of what took access away. If it is lost, add --without-restrictions.'
  const last = await requireStream(missing, () => findNextMessage(bus, 'RESTRICTIONS', [heartbeat(bus)], 0))
  const after = await findLastBefore(bus, 'RESTRICTIONS', point)
  const collect = (stored: StoredMsg) => {
    restrictions.push(stored.json<Restriction>())
    return Promise.resolve()
  }
  await forEachMessage(bus, 'RESTRICTIONS', [bus.subject('restrictions.of.*')], collect, after)
  return { restrictions, until: last === null ? null : new Date(last.string()) }
}

import { JetStreamApiCodes } from '@nats-io/jetstream'
import type { RootId } from '../../ids.ts'
import type { Bus } from '../connect.ts'
import { rewriteDeadLetters } from '../dead-letters.ts'
import { isApiError } from '../declare.ts'
import { countArchived, deleteArchived } from './archive.ts'
import { countMessages } from './status.ts'
import { toRootFilter } from './subjects.ts'

/** Counts a tenant root's messages in the queue, the archive and the dead letters. Published events hold only ids, so they stay. */
export async function countRootMessages(
  bus: Bus,
  root: RootId,
): Promise<Record<'queue' | 'archive' | 'dead_letters', number>> {
  const queue = await countMessages(bus, 'QUEUE', toRootFilter(bus, root))
  const archive = await countArchived(bus, root)
  return { queue, archive, dead_letters: await removeRootDeadLetters(bus, root, true) }
}

/** Deletes them and the root's consumer. Returns the number of messages. */
export async function deleteRootMessages(bus: Bus, root: RootId): Promise<number> {
  const { purged } = await bus.manager.streams.purge(bus.streamName('QUEUE'), {
    filter: toRootFilter(bus, root),
  })
  await deleteRootConsumer(bus, root)
  return purged + (await deleteArchived(bus, root)) + (await removeRootDeadLetters(bus, root, false))
}

async function deleteRootConsumer(bus: Bus, root: RootId): Promise<void> {
  try {
    await bus.manager.consumers.delete(bus.streamName('QUEUE'), root)
  } catch (error) {
    if (!isApiError(error, JetStreamApiCodes.ConsumerNotFound)) throw error
  }
}

function removeRootDeadLetters(bus: Bus, root: RootId, dryRun: boolean): Promise<number> {
  return rewriteDeadLetters(bus, root, () => '', dryRun)
}

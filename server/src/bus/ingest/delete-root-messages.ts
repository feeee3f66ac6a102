import { JetStreamApiCodes } from '@nats-io/jetstream'
import type { RootId } from '../../ids.ts'
import type { Bus } from '../connect.ts'
import { rewriteDeadLetters } from '../dead-letters.ts'
import { isApiError } from '../declare.ts'
import { toPreviousQueueSubject, toRootFilter } from './subjects.ts'

/** The streams that hold a root's events, each with the filter for its messages. */
function listQueues(bus: Bus, root: RootId) {
  return [
    { stream: bus.streamName('QUEUE'), filter: toRootFilter(bus, root) },
    { stream: bus.streamName('INGEST'), filter: toPreviousQueueSubject(bus, root) },
  ]
}

/** Counts a tenant root's messages in the queue and among the dead letters. Published events hold only ids, so they stay. */
export async function countRootMessages(
  bus: Bus,
  root: RootId,
): Promise<Record<'queue' | 'dead_letters', number>> {
  let queue = 0
  for (const { stream, filter } of listQueues(bus, root)) {
    const { state } = await bus.manager.streams.info(stream, { subjects_filter: filter })
    for (const messages of Object.values(state.subjects ?? {})) queue += messages
  }
  return { queue, dead_letters: await removeRootDeadLetters(bus, root, true) }
}

/** Deletes them and the root's consumer. Returns the number of messages. */
export async function deleteRootMessages(bus: Bus, root: RootId): Promise<number> {
  let deleted = 0
  for (const { stream, filter } of listQueues(bus, root)) {
    const { purged } = await bus.manager.streams.purge(stream, { filter })
    deleted += purged
  }
  await deleteRootConsumer(bus, root)
  return deleted + (await removeRootDeadLetters(bus, root, false))
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

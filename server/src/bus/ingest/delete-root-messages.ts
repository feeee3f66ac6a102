import type { RootId } from '../../ids.ts'
import type { Bus } from '../connect.ts'
import { rewriteDeadLetters } from '../dead-letters.ts'

/** Counts a tenant root's messages in the queue and among the dead letters. Published events hold only ids, so they stay. */
export async function countRootMessages(
  bus: Bus,
  root: RootId,
): Promise<Record<'queue' | 'dead_letters', number>> {
  const { state } = await bus.manager.streams.info(bus.streamName('INGEST'), {
    subjects_filter: toQueueSubject(bus, root),
  })
  return {
    queue: state.subjects?.[toQueueSubject(bus, root)] ?? 0,
    dead_letters: await removeRootDeadLetters(bus, root, true),
  }
}

/** Deletes them and returns their number. */
export async function deleteRootMessages(bus: Bus, root: RootId): Promise<number> {
  const { purged } = await bus.manager.streams.purge(bus.streamName('INGEST'), {
    filter: toQueueSubject(bus, root),
  })
  return purged + (await removeRootDeadLetters(bus, root, false))
}

function removeRootDeadLetters(bus: Bus, root: RootId, dryRun: boolean): Promise<number> {
  return rewriteDeadLetters(bus, root, () => '', dryRun)
}

function toQueueSubject(bus: Bus, root: RootId): string {
  return bus.subject(`ingest.${root}`)
}

import type { NextMsgRequest, SeqMsgRequest, StoredMsg } from '@nats-io/jetstream'
import type { Bus } from '../connect.ts'
import { returnDeadLetters } from '../dead-letters.ts'
import { findQueueRoot, toPreviousQueueSubject } from './subjects.ts'

export interface ReturnedMessages {
  readonly messages: number
  readonly dead_letters: number
}

/**
 * Moves what waits in the queue, and the dead letters of the queue, to where the previous version reads them. It can be
 * repeated. A message that a worker handles meanwhile is handled twice, which counts once.
 */
export async function returnToPreviousQueue(bus: Bus, dryRun: boolean): Promise<ReturnedMessages> {
  const { state } = await bus.manager.streams.info(bus.streamName('QUEUE'))
  let messages = 0
  let stored = await findNextMessage(bus, 0)
  while (stored !== null && stored.seq <= state.last_seq) {
    messages += 1
    if (!dryRun) await returnMessage(bus, stored)
    stored = await findNextMessage(bus, stored.seq)
  }
  return { messages, dead_letters: await returnDeadLetters(bus, dryRun) }
}

function findNextMessage(bus: Bus, after: number): Promise<StoredMsg | null> {
  const request: NextMsgRequest & SeqMsgRequest = { seq: after + 1, next_by_subj: bus.subject('queue.>') }
  return bus.manager.streams.getMessage(bus.streamName('QUEUE'), request)
}

async function returnMessage(bus: Bus, { seq, subject, data, header, timestamp }: StoredMsg): Promise<void> {
  const root = findQueueRoot(bus, subject)
  if (root === null)
    throw new Error(`Message ${seq} of the queue has no valid subject, so it cannot be moved.`)
  // If the delete below fails, a repeated publish has the same id and the bus drops it.
  await bus.jetstream.publish(toPreviousQueueSubject(bus, root), data, {
    headers: header,
    msgID: `return ${seq} ${timestamp}`,
    expect: { streamName: bus.streamName('INGEST') },
    timeout: 5000,
  })
  await bus.manager.streams.deleteMessage(bus.streamName('QUEUE'), seq)
}

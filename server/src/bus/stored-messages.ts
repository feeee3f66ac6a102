import {
  JetStreamApiCodes,
  type NextMsgRequest,
  type SeqMsgRequest,
  type StoredMsg,
} from '@nats-io/jetstream'
import type { Bus } from './connect.ts'
import { isApiError } from './declare.ts'
import type { StreamName } from './streams.ts'

/** Covers the messages of the subjects after a sequence that are stored now. Returns their number. */
export async function forEachMessage(
  bus: Bus,
  stream: StreamName,
  subjects: readonly string[],
  work: (stored: StoredMsg) => Promise<void>,
  after = 0,
): Promise<number> {
  // What `work` stores again comes after this sequence, so the loop ends.
  const { state } = await bus.manager.streams.info(bus.streamName(stream))
  let count = 0
  let stored = await findNextMessage(bus, stream, subjects, after)
  while (stored !== null && stored.seq <= state.last_seq) {
    await work(stored)
    count += 1
    stored = await findNextMessage(bus, stream, subjects, stored.seq)
  }
  return count
}

/** Finds the first message of any of the subjects. Reads from the leader, the only replica that has every delete. */
export async function findNextMessage(
  bus: Bus,
  stream: StreamName,
  subjects: readonly string[],
  after: number,
): Promise<StoredMsg | null> {
  const found = await Promise.all(
    subjects.map((subject) => {
      const request: NextMsgRequest & SeqMsgRequest = { seq: after + 1, next_by_subj: subject }
      return bus.manager.streams.getMessage(bus.streamName(stream), request)
    }),
  )
  const [first] = found.filter((stored) => stored !== null).toSorted((a, b) => a.seq - b.seq)
  return first ?? null
}

/** Replaces the error of a stream that does not exist by one that says what to do. */
export async function requireStream<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isApiError(error, JetStreamApiCodes.StreamNotFound)) throw new Error(what, { cause: error })
    throw error
  }
}

/** Clocks of the databases and of NATS may differ by this. */
const MARGIN_MS = 60_000

/** The sequence of the last message that was stored more than a minute before a time. */
export async function findLastBefore(bus: Bus, stream: StreamName, time: Date): Promise<number> {
  const from = new Date(time.getTime() - MARGIN_MS)
  const { state } = await bus.manager.streams.info(bus.streamName(stream))
  let low = Math.max(state.first_seq - 1, 0)
  let high = state.last_seq
  // Sequences and times rise together.
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = await findNextMessage(bus, stream, ['>'], middle)
    if (next === null || next.time >= from) high = middle
    else low = next.seq
  }
  return low
}

/** Replaces the data of a message; '' deletes it. It was published to `subject` of the queue, for which it is signed. */
export async function replaceMessage(
  bus: Bus,
  stream: StreamName,
  stored: StoredMsg,
  subject: string,
  text: string,
): Promise<void> {
  const name = bus.streamName(stream)
  if (text !== '') {
    bus.signatures.copy(stored.header, { subject, data: stored.data, headers: stored.header }, text)
    await bus.jetstream.publish(stored.subject, text, {
      headers: stored.header,
      msgID: `rewrite ${stored.seq} ${stored.timestamp}`,
      expect: { streamName: name },
      timeout: 5000,
    })
  }
  await bus.manager.streams.deleteMessage(name, stored.seq)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamApiCodes } from '@nats-io/jetstream'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import type { RootId } from '../../ids.ts'
import type { Bus } from '../connect.ts'
import { isApiError } from '../declare.ts'
import type { BusMessage } from '../pull-message.ts'
import {
  findLastBefore,
  findNextMessage,
  forEachMessage,
  replaceMessage,
  requireStream,
} from '../stored-messages.ts'
import { countMessages } from './status.ts'

// Handled messages of the queue. After a restore to an earlier point, those that were handled later are queued again:
// whatever is stored already is recognized by the ids of the events.

const MAX_BYTES_EXCEEDED = 10077
const FULL_DELAY_MS = 500

const toFilter = (bus: Bus, root: RootId) => bus.subject(`archive.${root}.*`)

/** The same root and size class in the other stream. */
function toSubject(bus: Bus, stream: 'queue' | 'archive', subject: string): string {
  const [root, sizeClass] = subject.split('.').slice(-2)
  return bus.subject(`${stream}.${root}.${sizeClass}`)
}

/** Call it before the message is acknowledged. */
export async function archiveMessage(bus: Bus, message: BusMessage): Promise<void> {
  const { subject, data, info, timestamp } = message
  const copied = headers()
  bus.signatures.copy(copied, message, data)
  await bus.jetstream.publish(toSubject(bus, 'archive', subject), data, {
    headers: copied,
    // A message that was handled, but not acknowledged, is handled again.
    msgID: `${info.stream} ${info.streamSequence} ${timestamp}`,
    expect: { streamName: bus.streamName('ARCHIVE') },
    timeout: 5000,
  })
}

export interface Replay {
  /** Everything that was handled from a minute before it on. */
  readonly from: Date
  readonly dryRun: boolean
  readonly report: (line: string) => void
}

export interface ReplayResult {
  readonly messages: number
  readonly bytes: number
  /** When the oldest of the archive was handled; null = the archive is empty. */
  readonly oldest: Date | null
}

/** Queues the messages again. The copies stay: a later restore may need them. */
export async function replayArchive(bus: Bus, { from, dryRun, report }: Replay): Promise<ReplayResult> {
  const subjects = [bus.subject('archive.>')]
  const missing = 'There is no archive of events: the worker creates it if INGEST_ARCHIVE_DAYS is set.'
  const oldest = await requireStream(missing, () => findNextMessage(bus, 'ARCHIVE', subjects, 0))
  const after = await findLastBefore(bus, 'ARCHIVE', from)
  let bytes = 0
  let done = 0
  const messages = await forEachMessage(
    bus,
    'ARCHIVE',
    subjects,
    async ({ subject, data, header }) => {
      bytes += data.length
      done += 1
      if (dryRun) return
      await enqueue(bus, toSubject(bus, 'queue', subject), data, header, report)
      if (done % 1000 === 0) report(`${done} messages are queued again.`)
    },
    after,
  )
  return { messages, bytes, oldest: oldest?.time ?? null }
}

async function enqueue(
  bus: Bus,
  subject: string,
  data: Uint8Array,
  given: MsgHdrs,
  report: Replay['report'],
): Promise<void> {
  const copied = headers()
  bus.signatures.copy(copied, { subject, data, headers: given }, data)
  for (let reported = false; ; reported = true) {
    try {
      await bus.jetstream.publish(subject, data, {
        headers: copied,
        expect: { streamName: bus.streamName('QUEUE') },
        timeout: 5000,
      })
      return
    } catch (error) {
      if (!isApiError(error, MAX_BYTES_EXCEEDED)) throw error
      if (!reported) report('The queue is full: waiting for the worker.')
      await sleep(FULL_DELAY_MS)
    }
  }
}

export function countArchived(bus: Bus, root: RootId): Promise<number> {
  return zeroWithoutArchive(() => countMessages(bus, 'ARCHIVE', toFilter(bus, root)))
}

/** Deletes what a tenant root has in the archive. Returns the number of messages. */
export function deleteArchived(bus: Bus, root: RootId): Promise<number> {
  return zeroWithoutArchive(async () => {
    const filter = toFilter(bus, root)
    const { purged } = await bus.manager.streams.purge(bus.streamName('ARCHIVE'), { filter })
    return purged
  })
}

/** Replaces the messages of a tenant root by the result of `rewrite`; null leaves one unchanged. Returns how many change. */
export function rewriteArchived(
  bus: Bus,
  root: RootId,
  rewrite: (text: string) => string | null,
  dryRun: boolean,
): Promise<number> {
  return zeroWithoutArchive(async () => {
    let changed = 0
    await forEachMessage(bus, 'ARCHIVE', [toFilter(bus, root)], async (stored) => {
      const text = rewrite(stored.string())
      if (text === null) return
      changed += 1
      if (!dryRun) await replaceMessage(bus, 'ARCHIVE', stored, toSubject(bus, 'queue', stored.subject), text)
    })
    return changed
  })
}

/** An installation may have no archive. */
async function zeroWithoutArchive(work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (isApiError(error, JetStreamApiCodes.StreamNotFound)) return 0
    throw error
  }
}

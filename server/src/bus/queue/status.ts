import { randomUUID } from 'node:crypto'
import type { NextMsgRequest, SeqMsgRequest, StoredMsg } from '@nats-io/jetstream'
import type { IngestCredential } from '../../access/ingest-credential.ts'
import type { KeyId } from '../../ids.ts'
import { DAY_MS } from '../../time.ts'
import type { Bus } from '../connect.ts'
import { toCredentialFilter } from '../dead-letters.ts'
import type { StreamName } from '../streams.ts'
import { createLatestPublisher } from './latest-publisher.ts'
import {
  type HandledMark,
  type Sample,
  type SentMark,
  toGroupKey,
  toStatusSubject,
  type WaitingEvents,
  type WaitingMessage,
} from './status-messages.ts'
import { toRootFilter } from './subjects.ts'

/** What a sender can learn about the events of its credential, and of no other. */
export interface IngestStatus {
  /** When the latest event was accepted; null = none in the last 30 days. */
  readonly last_event_at: string | null
  readonly waiting: readonly (WaitingEvents & { readonly since: string })[]
  readonly dead_letters: number
  readonly lag_seconds: number
}

export interface IngestStatusReader {
  /** Records that events of the credential were stored in the queue, under this sequence. */
  noteSent(credential: IngestCredential, sequence: number): void
  read(credential: IngestCredential): Promise<IngestStatus>
  stop(): void
}

// Bounds of one request. Messages that wait are at most as many as a tenant root may park.
const MAX_MESSAGES = 1000
const MAX_BYTES = 8 * 1024 ** 2
const MAX_READ_MS = 3000
const MAX_GROUPS = 100
const MAX_SENDERS = 10_000
/** Repeated requests of a credential get the same response for this long. */
const CACHE_MS = 1000

/** Reads the bus alone: it works while the database is unavailable. */
export function createIngestStatus(bus: Bus): IngestStatusReader {
  const node = randomUUID().slice(0, 8)
  const latest = createLatestPublisher(bus)
  const marks = new Map<KeyId, SentMark>()
  const cache = new Map<KeyId, { readonly at: number; readonly status: Promise<IngestStatus> }>()

  return {
    noteSent(credential, sequence) {
      const now = Date.now()
      const { samples = [] } = marks.get(credential.id) ?? {}
      if (marks.size >= MAX_SENDERS && !marks.has(credential.id)) marks.clear()
      const mark: SentMark = {
        at: new Date(now).toISOString(),
        samples: thinSamples([...samples, [sequence, now]], now),
      }
      marks.set(credential.id, mark)
      latest.publish(toStatusSubject(bus, 'sent', toSender(credential), node), JSON.stringify(mark))
    },
    read(credential) {
      const cached = cache.get(credential.id)
      const now = performance.now()
      if (cached !== undefined && now - cached.at < CACHE_MS) return cached.status
      const status = readStatus(bus, credential, marks.get(credential.id))
      if (cache.size >= MAX_SENDERS) cache.clear()
      cache.set(credential.id, { at: now, status })
      return status
    },
    stop: () => latest.stop(),
  }
}

const toSender = ({ id, root }: IngestCredential) => ({ root, credential: id })

async function readStatus(
  bus: Bus,
  credential: IngestCredential,
  own: SentMark | undefined,
): Promise<IngestStatus> {
  const sender = toSender(credential)
  const filter = (kind: Parameters<typeof toStatusSubject>[1]) => toStatusSubject(bus, kind, sender, '*')
  const [queued, dead_letters, sent, handled, waiting] = await Promise.all([
    countMessages(bus, 'QUEUE', toRootFilter(bus, credential.root)),
    countMessages(bus, 'DEAD', toCredentialFilter(bus, credential.root, credential.id)),
    readMarks<SentMark>(bus, filter('sent')),
    readMarks<HandledMark>(bus, filter('handled')),
    readMarks<WaitingMessage>(bus, filter('waiting')),
  ])
  const marks = own === undefined ? sent : [...sent, own]
  return {
    last_event_at:
      marks
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? null,
    // What a lost message of a worker would leave behind.
    waiting: queued === 0 ? [] : sumWaiting(waiting),
    dead_letters,
    lag_seconds: queued === 0 ? 0 : computeLag(marks, handled),
  }
}

/** Counts by subject, without reading a message. */
export async function countMessages(bus: Bus, stream: StreamName, filter: string): Promise<number> {
  return Object.values(await countBySubject(bus, stream, filter)).reduce((sum, messages) => sum + messages, 0)
}

export async function countBySubject(
  bus: Bus,
  stream: StreamName,
  filter: string,
): Promise<Readonly<Record<string, number>>> {
  const info = bus.manager.streams.info(bus.streamName(stream), { subjects_filter: filter })
  const { state } = await bus.rejectOnDisconnect(info)
  return state.subjects ?? {}
}

async function readMarks<Mark>(bus: Bus, filter: string): Promise<Mark[]> {
  return (await readNamedMarks<Mark>(bus, filter)).map(({ mark }) => mark)
}

/** Reads at most `MAX_MESSAGES` marks. */
export async function readNamedMarks<Mark>(
  bus: Bus,
  filter: string,
): Promise<{ readonly subject: string; readonly mark: Mark }[]> {
  const marks: { readonly subject: string; readonly mark: Mark }[] = []
  const deadline = performance.now() + MAX_READ_MS
  let bytes = 0
  let stored = await findNext(bus, 0, filter)
  while (stored !== null) {
    bytes += stored.data.length
    // An empty message has replaced a mark.
    if (stored.data.length > 0) marks.push({ subject: stored.subject, mark: stored.json<Mark>() })
    if (marks.length >= MAX_MESSAGES || bytes > MAX_BYTES || performance.now() > deadline) break
    stored = await findNext(bus, stored.seq, filter)
  }
  return marks
}

function findNext(bus: Bus, after: number, filter: string): Promise<StoredMsg | null> {
  const request: NextMsgRequest & SeqMsgRequest = { seq: after + 1, next_by_subj: filter }
  return bus.rejectOnDisconnect(bus.manager.streams.getMessage(bus.streamName('STATUS'), request))
}

function sumWaiting(messages: readonly WaitingMessage[]): IngestStatus['waiting'] {
  const groups = new Map<string, WaitingEvents & { readonly since: string }>()
  for (const { since, events } of messages) {
    for (const group of events) {
      const key = toGroupKey(group)
      const before = groups.get(key)
      groups.set(key, {
        ...group,
        count: group.count + (before?.count ?? 0),
        since: before === undefined || since < before.since ? since : before.since,
      })
    }
  }
  return [...groups.values()].toSorted((a, b) => (a.since < b.since ? -1 : 1)).slice(0, MAX_GROUPS)
}

/** The age of the oldest message that no worker has handled, as far as the samples show. */
export function computeLag(sent: readonly SentMark[], handled: readonly HandledMark[]): number {
  const handledUpTo = Math.max(0, ...handled.map(({ sequence }) => sequence))
  const unhandled = sent
    .flatMap(({ samples }) => samples)
    .filter(([sequence]) => sequence > handledUpTo)
    .map(([, time]) => time)
  if (unhandled.length === 0) return 0
  return Math.max(0, Math.round((Date.now() - Math.min(...unhandled)) / 1000))
}

const MAX_SAMPLE_AGE_MS = 7 * DAY_MS
/** A gap between two samples is at most this part of their age, or a tenth of a second. */
const MAX_RELATIVE_GAP = 0.25
const MIN_GAP_MS = 100

/** Drops samples that their neighbours stand for, so that about a hundred cover a week. */
export function thinSamples(samples: readonly Sample[], now: number): Sample[] {
  const kept: Sample[] = []
  for (const [index, sample] of samples.entries()) {
    const previous = kept.at(-1)
    const next = samples[index + 1]
    if (now - sample[1] > MAX_SAMPLE_AGE_MS) continue
    const allowedGap = Math.max(MIN_GAP_MS, MAX_RELATIVE_GAP * (now - sample[1]))
    if (previous !== undefined && next !== undefined && next[1] - previous[1] < allowedGap) continue
    kept.push(sample)
  }
  return kept
}

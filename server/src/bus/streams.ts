/** A stream of the bus. To add one, add an entry below. */
export interface StreamDefinition {
  readonly name: string
  /** Without the prefix. */
  readonly subjects: readonly string[]
  /** `limits` keeps messages until they expire, `workqueue` until their one consumer acknowledges them. */
  readonly retention: 'limits' | 'workqueue'
  /** What a full stream drops: its oldest messages, or the new one, whose publisher then gets an error. */
  readonly discard: 'old' | 'new'
  /** 0 = messages do not expire. */
  readonly maxAgeSeconds: number
  readonly maxBytes: number
  readonly maxMessageBytes: number
  /** How long a message with a repeated id is dropped. */
  readonly duplicateWindowSeconds: number
  /** Keeps only the latest messages of a subject; undefined = all. */
  readonly maxMessagesPerSubject?: number
  /** Whether a message can have a lifetime of its own. */
  readonly hasMessageLifetimes?: boolean
  /** Undefined = the default of the server, which is 1,000 since NATS 2.15. */
  readonly maxConsumers?: number
}

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const KIB = 1024
const MIB = 1024 ** 2
const GIB = 1024 ** 3

export const streams = [
  {
    name: 'EVENTS',
    subjects: ['events.>'],
    retention: 'limits',
    discard: 'old',
    maxAgeSeconds: 7 * DAY,
    maxBytes: GIB,
    maxMessageBytes: 256 * KIB,
    duplicateWindowSeconds: 10 * MINUTE,
  },
  // A dead letter never displaces another: while this stream is full, messages wait in their own stream.
  {
    name: 'DEAD',
    subjects: ['dead.>'],
    retention: 'limits',
    discard: 'new',
    maxAgeSeconds: 30 * DAY,
    maxBytes: GIB,
    maxMessageBytes: 1024 * KIB,
    duplicateWindowSeconds: 10 * MINUTE,
  },
  // An acknowledged event is never dropped for a newer one: while this stream is full, senders get an error. The subject
  // names the tenant root and a size class: bus/queue/shares.ts computes each root's share from the counts by subject.
  {
    name: 'QUEUE',
    subjects: ['queue.>'],
    retention: 'workqueue',
    discard: 'new',
    maxAgeSeconds: 0,
    maxBytes: 4 * GIB,
    // An admin command reads messages as base64 in JSON, and that must fit into the 1 MiB of a bus message.
    maxMessageBytes: 700 * KIB,
    duplicateWindowSeconds: 10 * MINUTE,
    // One for each tenant root with a backlog.
    maxConsumers: 100_000,
  },
  // The current list of revoked ingest credentials.
  {
    name: 'REVOKED',
    subjects: ['revoked.>'],
    retention: 'limits',
    discard: 'old',
    maxAgeSeconds: 0,
    maxBytes: 16 * MIB,
    maxMessageBytes: 700 * KIB,
    duplicateWindowSeconds: MINUTE,
    maxMessagesPerSubject: 1,
  },
  // How often a message was retried later without counting as an attempt, or why it will be a dead letter.
  {
    name: 'WAITS',
    subjects: ['waits.>'],
    retention: 'limits',
    discard: 'old',
    maxAgeSeconds: DAY,
    maxBytes: 64 * MIB,
    maxMessageBytes: KIB,
    duplicateWindowSeconds: MINUTE,
    maxMessagesPerSubject: 1,
  },
  // What senders can learn about their events (bus/queue/status.ts). It can be lost: nothing is decided by it.
  {
    name: 'STATUS',
    subjects: ['status.>'],
    retention: 'limits',
    discard: 'old',
    maxAgeSeconds: 30 * DAY,
    maxBytes: 256 * MIB,
    maxMessageBytes: 64 * KIB,
    duplicateWindowSeconds: MINUTE,
    maxMessagesPerSubject: 1,
    hasMessageLifetimes: true,
  },
] as const satisfies readonly StreamDefinition[]

export type StreamName = (typeof streams)[number]['name']

/** Applies the operator's setting for the size of the queue. */
export function configureStreams({ ingestMaxBytes }: { readonly ingestMaxBytes: number }) {
  return streams.map((stream) => (stream.name === 'QUEUE' ? { ...stream, maxBytes: ingestMaxBytes } : stream))
}

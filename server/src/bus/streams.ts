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
  /** Whether a message can replace all earlier ones of its subject. */
  readonly allowsRollup?: boolean
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
  // Copies of handled messages, for `queue replay` after a restore. Their subjects end like those of the originals.
  {
    name: 'ARCHIVE',
    subjects: ['archive.>'],
    retention: 'limits',
    discard: 'old',
    // Both are settings of the worker.
    maxAgeSeconds: 0,
    maxBytes: 4 * GIB,
    maxMessageBytes: 700 * KIB,
    duplicateWindowSeconds: 10 * MINUTE,
  },
  // What took access away or deleted, for `restore-point declare`, and when the relay was last up to date. Ids only.
  {
    name: 'RESTRICTIONS',
    subjects: ['restrictions.>'],
    retention: 'limits',
    discard: 'old',
    // A setting of the worker.
    maxAgeSeconds: 0,
    maxBytes: 256 * MIB,
    maxMessageBytes: 64 * KIB,
    duplicateWindowSeconds: 10 * MINUTE,
    allowsRollup: true,
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

export interface StreamSettings {
  readonly ingestMaxBytes: number
  /** 0 = there is no archive. */
  readonly ingestArchiveDays: number
  readonly ingestArchiveMaxBytes: number
  readonly restrictionDays: number
}

/** The streams that the worker declares, as the operator has set them. */
export function configureStreams(
  settings: StreamSettings,
): readonly (StreamDefinition & { name: StreamName })[] {
  const { ingestMaxBytes, ingestArchiveDays, ingestArchiveMaxBytes, restrictionDays } = settings
  return streams.flatMap((stream) => {
    if (stream.name === 'QUEUE') return { ...stream, maxBytes: ingestMaxBytes }
    if (stream.name === 'RESTRICTIONS') return { ...stream, maxAgeSeconds: restrictionDays * DAY }
    if (stream.name !== 'ARCHIVE') return stream
    if (ingestArchiveDays === 0) return []
    return { ...stream, maxAgeSeconds: ingestArchiveDays * DAY, maxBytes: ingestArchiveMaxBytes }
  })
}

/** A stream of the bus. A new one is one more row below; nothing else has to know of it. */
export interface StreamDefinition {
  readonly name: string
  /** Below the prefix. */
  readonly subjects: readonly string[]
  /** `limits` keeps messages for their time, `workqueue` until their one consumer has settled them. */
  readonly retention: 'limits' | 'workqueue'
  /** What a full stream gives up: its oldest messages, or the new one, whose publisher is then told. */
  readonly discard: 'old' | 'new'
  /** 0 = messages do not age. */
  readonly maxAgeSeconds: number
  readonly maxBytes: number
  readonly maxMessageBytes: number
  /** For how long a message with the id of an earlier one is dropped. */
  readonly duplicateWindowSeconds: number
  /** How many messages of a subject are kept, the latest ones; all of them when nothing is said. */
  readonly maxMessagesPerSubject?: number
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
  // A dead letter is never pushed out by another: while this stream is full, messages wait in their own.
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
  // What was acknowledged to a sender is never given up for something newer: when it is full, senders are told.
  {
    name: 'INGEST',
    subjects: ['ingest.>'],
    retention: 'workqueue',
    discard: 'new',
    maxAgeSeconds: 0,
    maxBytes: 4 * GIB,
    // As JSON in base64, the form in which an operator's command reads it, it still fits into the bus's 1 MiB.
    maxMessageBytes: 700 * KIB,
    duplicateWindowSeconds: 10 * MINUTE,
  },
  // The list of ended ingest credentials, as it is now.
  {
    name: 'ENDED',
    subjects: ['ended.>'],
    retention: 'limits',
    discard: 'old',
    maxAgeSeconds: 0,
    maxBytes: 16 * MIB,
    maxMessageBytes: 700 * KIB,
    duplicateWindowSeconds: MINUTE,
    maxMessagesPerSubject: 1,
  },
  // How often a message was put off without being an attempt.
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
] as const satisfies readonly StreamDefinition[]

export type StreamName = (typeof streams)[number]['name']

/** The streams of an installation: how much may wait in the queue is the operator's choice. */
export function configureStreams({ ingestMaxBytes }: { readonly ingestMaxBytes: number }) {
  return streams.map((stream) =>
    stream.name === 'INGEST' ? { ...stream, maxBytes: ingestMaxBytes } : stream,
  )
}

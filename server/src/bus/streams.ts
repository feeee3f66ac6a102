/** A stream of the bus. A new one is one more row below; nothing else has to know of it. */
export interface StreamDefinition {
  readonly name: string
  /** Below the prefix. */
  readonly subjects: readonly string[]
  /** `limits` keeps messages for their time, `workqueue` until their one consumer has settled them. */
  readonly retention: 'limits' | 'workqueue'
  /** What a full stream gives up: its oldest messages, or the new one, whose publisher is then told. */
  readonly discard: 'old' | 'new'
  readonly maxAgeSeconds: number
  readonly maxBytes: number
  readonly maxMessageBytes: number
  /** For how long a message with the id of an earlier one is dropped. */
  readonly duplicateWindowSeconds: number
}

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const KIB = 1024
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
] as const satisfies readonly StreamDefinition[]

export type StreamName = (typeof streams)[number]['name']

import type { TSchema } from 'typebox'
import type { IngestCredential } from '../../access/ingest-credential.ts'
import type { ErrorCode } from '../../errors.ts'
import type { KeyId } from '../../ids.ts'
import type { Reply } from '../reply.ts'

/** What a door for events promises. Pure data but for its verb; http/ingest/door.ts runs every one. */
export interface IngestEndpoint {
  readonly method: 'POST'
  readonly path: `/ingest/${string}`
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  readonly errorBody: 'error'
  readonly query: TSchema
  /** One entry of the body, for the reference: what is wrong inside of an entry is for the verb to say. */
  readonly item: TSchema
  readonly mostItems: number
  readonly replies: Readonly<Record<number, { readonly description: string; readonly body: TSchema }>>
  /** Codes beyond those of every door for events. */
  readonly refusals: readonly ErrorCode[]
  run(context: IngestContext, items: readonly unknown[]): Promise<Reply>
}

/** What the verb is given. There is no database in it, on purpose: events are taken while that is away. */
export interface IngestContext {
  readonly credential: IngestCredential
  readonly queue: EventQueue
  readonly now: () => Date
}

/** What a door for events needs of the bus. */
export interface EventQueue {
  isOpen(): boolean
  /** Whether a credential was ended before its time; null when that cannot be known now. */
  hasEnded(id: KeyId): boolean | null
  /** Resolves when all of them, each a text of JSON, are stored for good; refuses otherwise. */
  store(credential: IngestCredential, events: readonly string[]): Promise<void>
}

import type { TSchema } from 'typebox'
import type { IngestCredential } from '../../access/ingest-credential.ts'
import type { Pool } from '../../db/connect.ts'
import type { ErrorCode } from '../../errors.ts'
import type { KeyId } from '../../ids.ts'
import type { Reply } from '../reply.ts'

/** What every door for senders promises. Pure data but for its verb; http/ingest/pipeline.ts runs every one. */
interface SenderEndpointBase {
  readonly method: 'POST'
  readonly path: `/ingest/${string}`
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  readonly errorBody: 'error'
  readonly query: TSchema
  readonly replies: Readonly<Record<number, { readonly description: string; readonly body: TSchema }>>
  /** Codes beyond those of every door for senders. */
  readonly refusals: readonly ErrorCode[]
}

/** A door for events. */
export interface IngestEndpoint extends SenderEndpointBase {
  /** One entry of the body, for the reference: what is wrong inside of an entry is for the verb to say. */
  readonly item: TSchema
  readonly maxItems: number
  run(context: IngestContext, items: readonly unknown[]): Promise<Reply>
}

/** A door for one file. */
export interface UploadEndpoint extends SenderEndpointBase {
  readonly mediaTypes: readonly string[]
  readonly file: TSchema
  readonly maxBytes: number
  run(context: UploadContext, query: unknown, text: string): Promise<Reply>
}

export type SenderEndpoint = IngestEndpoint | UploadEndpoint

/** What the verb is given. There is no database in it, on purpose: events are taken while that is away. */
export interface IngestContext {
  readonly credential: IngestCredential
  readonly queue: EventQueue
  readonly now: () => Date
}

/** A file is too large for the queue: it is stored, and the queue is told where. */
export interface UploadContext extends IngestContext {
  readonly database: Pool
}

/** What a door for events needs of the bus. */
export interface EventQueue {
  isOpen(): boolean
  /** Whether a credential was ended before its time; null when that cannot be known now. */
  isRevoked(id: KeyId): boolean | null
  /** Resolves when all of them, each a text of JSON, are stored for good; refuses otherwise. */
  store(credential: IngestCredential, events: readonly string[]): Promise<void>
}

import type { TSchema } from 'typebox'
import type { IngestCredential } from '../../access/ingest-credential.ts'
import type { LimitPolicy } from '../../config.ts'
import type { Pool } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { ErrorCode } from '../../errors.ts'
import type { KeyId } from '../../ids.ts'
import type { BodyText } from '../body.ts'
import type { EndpointExample } from '../endpoint.ts'
import type { Reply } from '../reply.ts'

/** What event and upload endpoints have in common. http/ingest/pipeline.ts runs them. */
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
  /** Error codes besides those of every ingest endpoint. */
  readonly refusals: readonly ErrorCode[]
  readonly example?: EndpointExample
}

/** Accepts a batch of events. */
export interface IngestEndpoint extends SenderEndpointBase {
  /** What an entry of the body can be, by name, for the reference. The handler validates entries. */
  readonly itemSchemas: Readonly<Record<string, TSchema>>
  readonly maxItems: number
  run(context: IngestContext, body: BodyText): Promise<Reply>
}

/** Accepts one file. */
export interface UploadEndpoint extends SenderEndpointBase {
  readonly mediaTypes: readonly string[]
  readonly file: TSchema
  readonly maxBytes: number
  run(context: UploadContext, query: unknown, text: string): Promise<Reply>
}

/** Returns to a sender what became of the events of its credential. */
export interface SenderStatusEndpoint extends Omit<SenderEndpointBase, 'method'> {
  readonly method: 'GET'
  run(context: IngestContext): Promise<Reply>
}

/** Answers a question of a sender about events that it names in the body. Counts in a window of the credential. */
export interface SenderQueryEndpoint extends SenderEndpointBase {
  readonly request: TSchema
  readonly limit: LimitPolicy
  run(context: SenderQueryContext, body: unknown): Promise<Reply>
}

export type SenderEndpoint = IngestEndpoint | UploadEndpoint | SenderStatusEndpoint | SenderQueryEndpoint

/** Has no database on purpose: events are accepted while the database is unavailable. */
export interface IngestContext {
  readonly credential: IngestCredential
  readonly queue: EventQueue
  readonly now: () => Date
}

/** A file is too large for the queue, so it is stored in the database and the queue gets a reference. */
export interface UploadContext extends IngestContext {
  readonly database: Pool
  /** Bytes of stored files that a tenant root may have. */
  readonly quota: number
}

/** Reads the database in the scope of the credential's tenant root. */
export interface SenderQueryContext {
  readonly credential: IngestCredential
  readonly tx: Tx
}

/** What ingest endpoints need of the bus. */
export interface EventQueue {
  /** Returns the body of a status response; refuses if the credential sends too many requests or the bus is unavailable. */
  readStatus(credential: IngestCredential): Promise<unknown>
  /** Returns why no event can be stored now, or null. */
  checkReady(): Promise<string | null>
  /** Whether a credential is revoked; null if that is unknown now. */
  isRevoked(id: KeyId): boolean | null
  /** Refuses with 429 if the credential sends too many requests, or its tenant root has filled a share. */
  admit(credential: IngestCredential): void
  /** Resolves when all events, each a JSON text, are stored durably; refuses otherwise. */
  store(credential: IngestCredential, events: readonly string[]): Promise<void>
}

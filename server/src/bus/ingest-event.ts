import type { Static, TSchema } from 'typebox'
import type { KeyId, OrganizationId, RootId } from '../ids.ts'
import type { WorkerContext } from './context.ts'

/** An event as it lies in the queue: checked, and reduced to what its kind keeps. */
export interface IngestEvent<Payload = unknown> {
  readonly id: string
  readonly type: string
  readonly version: number
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`; never far ahead of our clock. */
  readonly occurred_at: string
  readonly payload: Payload
}

/** A kind of event that the ingest door takes. */
export interface EventKind<Payload extends TSchema = TSchema> {
  readonly type: string
  readonly version: number
  readonly summary: string
  /** Open objects: what a sender adds is no fault. */
  readonly payload: Payload
  /** What is wrong with a payload that its shape cannot say, without quoting it; null = nothing. */
  findFault?(payload: Static<Payload>): string | null
  /**
   * What is kept of a payload, or a promise of it: the fields we know, an unknown choice as null. Nothing else reaches the
   * queue.
   */
  normalize(payload: Static<Payload>): unknown
  /** Whether normalizing a payload is so expensive that a node must do it one at a time. */
  isExpensive?(payload: Static<Payload>): boolean
}

/** Events of one message: all of one tenant root, sent with one credential. */
export interface EventBatch {
  readonly root: RootId
  readonly credential: KeyId
  /** The organizations the credential names; null = every one of the root. An event of another is refused. */
  readonly organizations: readonly OrganizationId[] | null
  readonly events: readonly IngestEvent[]
}

/** An event that cannot be stored as things stand, and why: no value of the event is quoted. */
export interface DeferredEvent {
  readonly event: IngestEvent
  readonly reason: string
}

/** Kinds of events that are stored by one verb, together. */
export interface EventFamily {
  readonly kinds: readonly EventKind[]
  /**
   * Resolves when what it could store is committed; returns the rest, which is tried again later and is at last a dead
   * letter. It may be given the same events again, in any order.
   */
  handle(context: WorkerContext, batch: EventBatch): Promise<readonly DeferredEvent[]>
}

/** Keeps the type of a kind's own payload while it is written, and forgets it for the table of contents. */
export function defineEventKind<Payload extends TSchema>(definition: EventKind<Payload>): EventKind {
  return definition
}

/** Thrown by a handler when its work must wait for something that is under way. It is tried again and never given up. */
export class RetryLaterError extends Error {
  override readonly name = 'NotNow'
}

import type { Static, TSchema } from 'typebox'
import type { Actor } from '../access/audit.ts'
import type { KeyId, OrganizationId, RootId } from '../ids.ts'
import type { WorkerContext } from './context.ts'
import type { OrganizationRef } from './queue/shapes.ts'

/** An event in the queue: validated and normalized. */
export interface IngestEvent<Payload = unknown> {
  readonly id: string
  readonly type: string
  readonly version: number
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`; never far in the future. */
  readonly occurred_at: string
  readonly payload: Payload
}

/** What a sender probably meant otherwise in an event that is accepted. It quotes names of fields, never a value. */
export interface EventWarning {
  /** The field in the event, for example `payload.findings.0.severity`. */
  readonly path: string
  readonly message: string
}

/** The time by which an event counts, and the field that has it. */
export interface CountedTime {
  readonly path: string
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly time: string
}

/** A kind of event that the ingest endpoint accepts. */
export interface EventKind<Payload extends TSchema = TSchema> {
  readonly type: string
  readonly version: number
  readonly summary: string
  /** Open objects: senders can add fields. */
  readonly payload: Payload
  /** A payload with values of the demo, for the reference. */
  readonly example?: unknown
  /** Returns an error that the schema cannot express, without quoting the payload; null = valid. */
  findFault?(payload: Static<Payload>): string | null
  /** Returns the values of a valid payload that are not stored as sent, with paths in the payload. */
  findWarnings?(payload: Static<Payload>): EventWarning[]
  /**
   * Returns the part of a payload that enters the queue, or a promise of it: known fields only, with unknown choices as
   * null.
   */
  normalize(payload: Static<Payload>): unknown
  /** The time by which METRICS_RETENTION_MONTHS applies to an event with this normalized payload; absent = never. */
  getCountedTime?(normalized: never, occurredAt: string): CountedTime
  /** The organizations that a normalized payload names. Default: its field `organization`. */
  listOrganizations?(normalized: never): readonly OrganizationRef[]
  /** Whether normalizing a payload is so expensive that a node must do it one at a time. */
  isExpensive?(payload: Static<Payload>): boolean
}

/** The events of one message: all of one tenant root, sent with one credential. */
export interface EventBatch {
  readonly root: RootId
  readonly credential: KeyId
  /** The credential's organizations; null = every organization of the root. Events of others are deferred. */
  readonly organizations: readonly OrganizationId[] | null
  readonly events: readonly IngestEvent[]
}

/** The actor of changes that events cause. A person whom an event names is only claimed by the sender. */
export function getEventActor({ credential }: Pick<EventBatch, 'credential'>): Actor {
  return { kind: 'key', id: credential }
}

/** An event that cannot be stored yet. The reason quotes no value of the event. */
export interface DeferredEvent {
  readonly event: IngestEvent
  readonly reason: string
}

/** Kinds of events that one handler stores together. */
export interface EventFamily {
  readonly kinds: readonly EventKind[]
  /** Whether an event that it could not store may be stored in part. */
  readonly storesParts?: boolean
  /**
   * Resolves after the commit. Returns the events that it could not store; they are retried and finally become a dead
   * letter. It can get the same events more than once, in any order.
   */
  handle(context: WorkerContext, batch: EventBatch): Promise<readonly DeferredEvent[]>
}

/** Types an event kind by its own payload where it is defined, and erases it for the list of kinds. */
export function defineEventKind<Payload extends TSchema>(definition: EventKind<Payload>): EventKind {
  return definition
}

/** Thrown by a handler that must wait for other work. The message is retried without limit. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError'
}

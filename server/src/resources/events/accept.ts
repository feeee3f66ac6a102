import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EventKind, EventWarning, IngestEvent } from '../../bus/ingest-event.ts'
import type { ErrorCode } from '../../errors.ts'
import type { BodyText } from '../../http/body.ts'
import { createKeyedMutex, type RunExclusive, withWaitLimit } from '../../http/connections/keyed-mutex.ts'
import { explainShapeErrors } from '../../http/explain-shape.ts'
import { readBatch } from '../../http/ingest/batch.ts'
import type { IngestEndpoint } from '../../http/ingest/endpoint.ts'
import type { RootId } from '../../ids.ts'
import { compileShape } from '../../shape.ts'
import { explainExpiry } from './expired.ts'
import { MAX_BATCH_ITEMS, MAX_WARNINGS, toEventSchema } from './schema.ts'
import { createFieldCheck, findSimilar } from './warnings.ts'

const MAX_EVENT_BYTES = 512 * 1024
// A normalized event can be slightly larger than the original: omitted fields are written as null.
const MAX_NORMALIZED_BYTES = 640 * 1024
const MAX_CLOCK_AHEAD_MS = 5 * 60 * 1000
const MAX_DEPTH = 64
// Longer names are neither compared nor repeated in a message.
const MAX_NAME_LENGTH = 64
// Redacting a batch of long texts must not block the event loop for other requests.
const MAX_BLOCKING_MS = 20
// A single event of 500 KiB blocks the event loop for 60 ms; a batch of small ones is checked in slices.
const LARGE_BATCH_LENGTH = 384 * 1024

/** What became of the entries of a request. */
export interface CheckedBatch {
  /** The JSON texts to queue. */
  readonly accepted: readonly string[]
  readonly rejected: readonly (Rejection & { readonly index: number })[]
  readonly warnings: readonly (EventWarning & { readonly index: number })[]
}

export type CheckBatch = (body: BodyText, at: Date) => Promise<CheckedBatch>
export type CheckLargeBatch = (root: RootId, body: BodyText, at: Date) => Promise<CheckedBatch>

/** Queues the valid events and lists the rejected ones. Responds after the queue has acknowledged every message. */
export function createEventAcceptor(
  check: CheckBatch,
  checkLarge: CheckLargeBatch = (_root, body, at) => check(body, at),
): IngestEndpoint['run'] {
  return async ({ credential, queue, now }, body) => {
    const { accepted, rejected, warnings } = await (body.text.length > LARGE_BATCH_LENGTH
      ? checkLarge(credential.root, body, now())
      : check(body, now()))
    if (accepted.length > 0) await queue.store(credential, accepted)
    return { status: 202, body: { json: { accepted: accepted.length, rejected, warnings } } }
  }
}

/** Checks every entry of a body on its own. A body that is not a batch is refused. */
export function createBatchChecker(
  kinds: readonly EventKind[],
  retentionMonths: number | null = null,
): CheckBatch {
  const check = createEventChecker(kinds, retentionMonths)
  return async (body, at) => {
    const accepted: string[] = []
    const rejected: CheckedBatch['rejected'][number][] = []
    const warnings: CheckedBatch['warnings'][number][] = []
    let sliceStart = performance.now()
    for (const [index, item] of readBatch(body, MAX_BATCH_ITEMS).entries()) {
      if (performance.now() - sliceStart > MAX_BLOCKING_MS) {
        await yieldToEventLoop()
        sliceStart = performance.now()
      }
      const checked = await check(item, at)
      if ('code' in checked) {
        rejected.push({ index, ...checked })
        continue
      }
      accepted.push(checked.text)
      if (checked.expired !== null) warnings.push({ index, ...checked.expired })
      for (const warning of checked.warnings.slice(0, Math.max(0, MAX_WARNINGS - warnings.length)))
        warnings.push({ index, ...warning })
    }
    return { accepted, rejected, warnings }
  }
}

interface Rejection {
  readonly code: ErrorCode
  readonly message: string
}

interface AcceptedEvent {
  /** The JSON text to queue. */
  readonly text: string
  readonly warnings: readonly EventWarning[]
  /** Why it will not be stored. Never left out of a response. */
  readonly expired: EventWarning | null
}

type CheckedEvent = AcceptedEvent | Rejection

/** Compiles the schemas once. Each event is then validated, normalized and serialized exactly once. */
export function createEventChecker(
  kinds: readonly EventKind[],
  retentionMonths: number | null = null,
): (event: unknown, now: Date) => Promise<CheckedEvent> {
  const kindsByType = Map.groupBy(kinds, ({ type }) => type)
  // Expensive payloads are normalized in threads, which compete with requests for processors.
  const runExclusive = withWaitLimit(createKeyedMutex())
  const compiled = new Map(
    kinds.map((kind) => {
      const schema = toEventSchema(kind)
      return [kind, { validate: compileShape(schema), findFieldWarnings: createFieldCheck(schema) }]
    }),
  )

  function findKind({ type, version }: Partial<IngestEvent>): EventKind | Rejection {
    const versions = typeof type === 'string' ? kindsByType.get(type) : undefined
    if (versions === undefined) return invalid(describeUnknownType(type, [...kindsByType.keys()]))
    const kind = versions.find((known) => known.version === version)
    return kind ?? invalid(describeUnknownVersion(version, versions))
  }

  return async (event, now) => {
    if (event === null || typeof event !== 'object' || Array.isArray(event)) {
      return invalid('An event must be an object with id, type, version, occurred_at and payload.')
    }
    const { bytes, fault } = measureEvent(event, MAX_EVENT_BYTES)
    if (fault !== null) return invalid(fault)
    if (bytes > MAX_EVENT_BYTES) return tooLarge(event, bytes)
    const kind = findKind(event)
    if ('code' in kind) return kind
    const shape = compiled.get(kind)
    if (shape === undefined) throw new Error('Every kind is compiled.')
    if (!shape.validate(event)) {
      const message = explainShapeErrors('event', shape.validate.errors, { payload: kind.example })
      // A missing field is often one that is misspelled.
      return invalid(
        [message, ...shape.findFieldWarnings(event).map((one) => one.message)].slice(0, 2).join(' '),
      )
    }
    const checked = await normalizeEvent(kind, event as IngestEvent<never>, now, runExclusive)
    if ('code' in checked) return checked
    return {
      text: checked.text,
      warnings: [...shape.findFieldWarnings(event), ...findValueWarnings(kind, event)],
      expired: explainExpiry(kind, checked.normalized, { months: retentionMonths, now }),
    }
  }
}

function findValueWarnings(kind: EventKind, event: object): EventWarning[] {
  const { payload } = event as IngestEvent<never>
  const warnings = kind.findWarnings?.(payload) ?? []
  return warnings.map(({ path, message }) => ({ path: `payload.${path}`, message }))
}

const allTypes = 'GET /events.schema.json lists all types.'

function describeUnknownType(type: unknown, known: readonly string[]): string {
  if (type === undefined)
    return `The event has no type. Send, for example, "type": "${known[0]}". ${allTypes}`
  if (typeof type !== 'string') return `type must be a text, for example "${known[0]}". ${allTypes}`
  const similar = findSimilar(type.slice(0, MAX_NAME_LENGTH), known)
  return `The event type is unknown.${similar === null ? '' : ` Did you mean ${similar}?`} ${allTypes}`
}

function describeUnknownVersion(version: unknown, kinds: readonly EventKind[]): string {
  const numbers = kinds.map((kind) => kind.version)
  const example = `Send "version": ${numbers.at(-1)}.`
  if (version === undefined) return `The event has no version. ${example}`
  if (typeof version !== 'number')
    return `version must be a number, not ${typeof version === 'string' ? 'a text' : 'another type'}. ${example}`
  return `The event version is unknown. Known versions of ${kinds[0]?.type}: ${numbers.join(', ')}. ${example}`
}

/** Returns the event with the JSON text to queue. */
async function normalizeEvent(
  kind: EventKind,
  event: IngestEvent<never>,
  now: Date,
  runExclusive: RunExclusive,
): Promise<{ readonly normalized: IngestEvent; readonly text: string } | Rejection> {
  const { id, type, version, payload } = event
  const occurredAt = Date.parse(event.occurred_at)
  if (occurredAt < 0)
    return invalid(
      'The event is not valid: occurred_at must not be before 1970, for example "2026-01-31T09:30:00Z".',
    )
  const fault = kind.findFault?.(payload) ?? null
  if (fault !== null) return invalid(`The event is not valid: payload.${fault}`)
  const time = occurredAt > now.getTime() + MAX_CLOCK_AHEAD_MS ? now : new Date(occurredAt)
  const normalized: IngestEvent = {
    id,
    type,
    version,
    occurred_at: time.toISOString(),
    payload: kind.isExpensive?.(payload)
      ? await runExclusive('normalize', async () => kind.normalize(payload))
      : await kind.normalize(payload),
  }
  const text = JSON.stringify(normalized)
  const fits = text.length * 3 <= MAX_NORMALIZED_BYTES || Buffer.byteLength(text) <= MAX_NORMALIZED_BYTES
  return fits ? { normalized, text } : tooLarge(event, Buffer.byteLength(text))
}

/** Names the largest field, because an event cannot be sent in parts: its id counts once. */
function tooLarge(event: object, bytes: number): Rejection {
  const largest = findLargestField(event)
  return {
    code: 'PAYLOAD_TOO_LARGE',
    message:
      `The event has ${toKib(bytes)} KiB of JSON, and at most ${toKib(MAX_EVENT_BYTES)} KiB are accepted. ` +
      `${largest}Leave out fields that are not in /events.schema.json, which are not stored, then the entries of lists ` +
      'that matter least. An event cannot be sent in parts, because its id counts once.',
  }
}

function findLargestField(event: object): string {
  const { payload } = event as { payload?: unknown }
  const isObject = payload !== null && typeof payload === 'object'
  const fields = Object.entries(isObject ? payload : event).map(([name, value]) => {
    return { name, bytes: Buffer.byteLength(JSON.stringify(value) ?? '') }
  })
  const [largest] = fields.toSorted((a, b) => b.bytes - a.bytes)
  if (largest === undefined || largest.name.length > MAX_NAME_LENGTH) return ''
  return `The largest field is ${isObject ? 'payload.' : ''}${largest.name} with ${toKib(largest.bytes)} KiB. `
}

function toKib(bytes: number): number {
  return Math.ceil(bytes / 1024)
}

function invalid(message: string): Rejection {
  return { code: 'INVALID_REQUEST', message }
}

interface EventMeasurement {
  /** Size as compact JSON: an upper bound, and exact if that bound exceeds the limit. */
  readonly bytes: number
  /** Why the value cannot be stored; null if it can. */
  readonly fault: string | null
}

/** Measures and checks a parsed value in one pass, including fields that are not stored. */
function measureEvent(value: unknown, limitBytes: number): EventMeasurement {
  const state: MeasureState = { bound: 0, fault: null }
  visit(value, 0, state)
  const { bound, fault } = state
  return {
    bytes: bound <= limitBytes || fault !== null ? bound : Buffer.byteLength(JSON.stringify(value)),
    fault,
  }
}

interface MeasureState {
  bound: number
  fault: string | null
}

// Upper bounds in JSON: 6 bytes per character; 25 per number, 5 for null, true and false, plus a comma.
const CHARACTER_BYTES = 6
const SCALAR_BYTES = 26

function visit(value: unknown, depth: number, state: MeasureState): void {
  if (typeof value === 'string') {
    visitText(value, state)
  } else if (value === null || typeof value !== 'object') {
    state.bound += SCALAR_BYTES
  } else if (depth >= MAX_DEPTH) {
    state.fault = `The event is nested deeper than ${MAX_DEPTH} levels.`
  } else if (Array.isArray(value)) {
    state.bound += 3
    for (const item of value) visit(item, depth + 1, state)
  } else {
    state.bound += 3
    for (const name of Object.keys(value)) {
      visitText(name, state)
      visit((value as Record<string, unknown>)[name], depth + 1, state)
    }
  }
}

function visitText(text: string, state: MeasureState): void {
  state.bound += text.length * CHARACTER_BYTES + 3
  if (text.includes('\0') || !text.isWellFormed()) {
    state.fault = 'The event contains a NUL character or half a surrogate pair.'
  }
}

import { Type } from 'typebox'
import { type Consumer, defineConsumer, PartiallyHandledError } from '../../bus/consumer.ts'
import type { WorkerContext } from '../../bus/context.ts'
import type {
  DeferredEvent,
  EventBatch,
  EventFamily,
  EventKind,
  IngestEvent,
} from '../../bus/ingest-event.ts'
import { describeFailure, shouldRetryLater } from '../../bus/process-message.ts'
import { countEventIds } from '../../bus/queue/event-ids.ts'
import { recordEventStatuses, toStatuses } from '../../bus/queue/event-status.ts'
import type { OrganizationRef } from '../../bus/queue/shapes.ts'
import { pluralize } from '../../plural.ts'
import { nullable } from '../../shape.ts'
import { explainExpiry } from './expired.ts'

const Uuid = Type.String({ format: 'uuid' })

/** The message that the ingest endpoint publishes. It has validated the payloads already. */
const Batch = Type.Object({
  root: Uuid,
  credential: Uuid,
  organizations: nullable(Type.Array(Uuid)),
  events: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      version: Type.Integer(),
      occurred_at: Type.String(),
      payload: Type.Unknown(),
    }),
  ),
})

/** Passes the events of a message to the handlers of their families, one family at a time. */
export function queueConsumer(
  families: readonly EventFamily[],
  settings: Consumer['settings'] = {},
): Consumer {
  return defineConsumer({
    name: 'ingest',
    stream: 'QUEUE',
    subject: 'queue.*.*',
    schema: Batch,
    settings,
    handle: (context, batch) => handleBatch(families, context, batch as unknown as EventBatch),
  })
}

async function handleBatch(
  families: readonly EventFamily[],
  context: WorkerContext,
  batch: EventBatch,
): Promise<void> {
  const familyOf = new Map(
    families.flatMap((family) => family.kinds.map((kind) => [toKindKey(kind), family])),
  )
  const kinds = new Map(families.flatMap((family) => family.kinds.map((kind) => [toKindKey(kind), kind])))
  const retention = { months: context.metricsRetentionMonths, now: context.now() }
  const expired = new Set(
    batch.events.filter((event) => explainExpiry(kinds.get(toKindKey(event)), event, retention) !== null),
  )
  // Their ids are not counted, so they can be sent again when the operator stores more months.
  const current = batch.events.filter((event) => !expired.has(event))
  const counted = await countEventIds(context, { ...batch, events: current }, (event) =>
    listOrganizations(kinds.get(toKindKey(event)), event),
  )
  const parts = Map.groupBy(counted.batch.events, (event) => familyOf.get(toKindKey(event)))
  const deferred = (parts.get(undefined) ?? []).map((event) =>
    defer(event, 'This worker does not know the event type or version.'),
  )
  for (const family of families) {
    const events = parts.get(family)
    if (events !== undefined) deferred.push(...(await handleFamily(family, context, { ...batch, events })))
  }
  const wholly = deferred.filter(({ event }) => !familyOf.get(toKindKey(event))?.storesParts)
  const unstored = new Set(wholly.map(({ event }) => event))
  await counted.release(unstored)
  await counted.countCreated(unstored)
  const waiting = new Set(deferred.map(({ event }) => event))
  await recordEventStatuses(
    context,
    batch,
    new Map([
      ...toStatuses(
        counted.batch.events.filter((event) => !waiting.has(event)),
        'stored',
      ),
      ...toStatuses([...waiting], 'parked'),
      ...toStatuses([...counted.refused, ...expired], 'refused'),
    ]),
  )
  if (deferred.length === 0) return
  const reasons = [...new Set(deferred.map(({ reason }) => reason))]
  throw new PartiallyHandledError(
    `${pluralize(deferred.length, 'event was', 'events were')} not processed: ${reasons.join(' ')}`,
    {
      ...batch,
      events: deferred.map(({ event }) => event),
    },
  )
}

/**
 * A failing family defers only its own events, and of those only the events that fail: a batch that fails is handled
 * again in halves. Handlers are idempotent, so what was stored before the failure is not stored twice.
 */
async function handleFamily(
  family: EventFamily,
  context: WorkerContext,
  familyBatch: EventBatch,
): Promise<readonly DeferredEvent[]> {
  try {
    return await family.handle(context, familyBatch)
  } catch (err) {
    if (shouldRetryLater(err)) throw err
    const { events } = familyBatch
    if (events.length > 1) {
      const middle = Math.ceil(events.length / 2)
      return [
        ...(await handleFamily(family, context, { ...familyBatch, events: events.slice(0, middle) })),
        ...(await handleFamily(family, context, { ...familyBatch, events: events.slice(middle) })),
      ]
    }
    context.log.warn({ err, type: events[0]?.type }, 'event failed')
    return events.map((event) => defer(event, describeFailure(err)))
  }
}

function listOrganizations(
  kind: EventKind | undefined,
  { payload }: IngestEvent,
): readonly OrganizationRef[] {
  if (kind?.listOrganizations !== undefined) return kind.listOrganizations(payload as never)
  const { organization } = (payload ?? {}) as { readonly organization?: OrganizationRef }
  return organization === undefined ? [] : [organization]
}

function defer(event: IngestEvent, reason: string): DeferredEvent {
  return { event, reason }
}

function toKindKey({ type, version }: { readonly type: string; readonly version: number }): string {
  return `${type} ${version}`
}

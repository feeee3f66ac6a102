import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { type IngestCredential, signIngestCredential } from '../src/access/ingest-credential.ts'
import type { Bus } from '../src/bus/connect.ts'
import type { WorkerContext } from '../src/bus/context.ts'
import {
  type DeferredEvent,
  defineEventKind,
  type EventBatch,
  type EventFamily,
  type IngestEvent,
} from '../src/bus/ingest-event.ts'
import { publishRevokedCredentials } from '../src/bus/queue/revoked-credentials.ts'
import type { KeyRing } from '../src/config.ts'
import type { KeyId, RootId } from '../src/ids.ts'
import { busUrl, type TestBus } from './bus.ts'

/** Settings of a process that accepts events of tenants of `createTenant`. */
export function ingestSettings({ prefix }: Pick<TestBus, 'prefix'>) {
  // The key ring of test tenants.
  return {
    NATS_URL: busUrl,
    BUS_PREFIX: prefix,
    INGEST_KEYS: `test:${'07'.repeat(32)}`,
    INGEST_REQUESTS_PER_SECOND: '100000',
  }
}

/** A credential that is in no database: the ingest endpoint does not read one. */
export function createCredential(
  ring: KeyRing,
  root: RootId,
  fields: Partial<IngestCredential> = {},
): { readonly id: KeyId; readonly value: string } {
  const id = randomUUID() as KeyId
  const expiresAt = new Date(Date.now() + 3_600_000)
  return { id, value: signIngestCredential(ring, { id, root, organizations: null, expiresAt, ...fields }) }
}

/** Publishes a list of revoked credentials without a database. Returns whether it has changed. */
export function publishRevoked(bus: Bus, ids: readonly KeyId[]): Promise<boolean> {
  return publishRevokedCredentials(bus, () => Promise.resolve(ids), new Date())
}

export function createEvent(fields: Partial<IngestEvent> = {}): IngestEvent {
  return {
    id: randomUUID(),
    type: 'probe.done',
    version: 1,
    occurred_at: new Date().toISOString(),
    payload: { number: 1 },
    ...fields,
  }
}

const Probe = Type.Object({
  number: Type.Integer(),
  level: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  text: Type.Optional(Type.String()),
})

export const probeKind = defineEventKind({
  type: 'probe.done',
  version: 1,
  summary: 'An event of a test.',
  payload: Probe,
  normalize: ({ number, level, text }: Static<typeof Probe>) => ({
    number,
    level: level === 'high' ? level : null,
    ...(text !== undefined && { text }),
  }),
})

/** Lists no organizations, so that no database is needed to process it. */
export const namedProbeKind = defineEventKind({
  type: 'probe.named',
  version: 1,
  summary: 'An event of a test.',
  payload: Type.Object({}),
  normalize: (payload) => payload,
  listOrganizations: () => [],
})

export function probeFamily(
  handle: (batch: EventBatch, context: WorkerContext) => Promise<readonly DeferredEvent[]>,
  kinds: EventFamily['kinds'] = [probeKind],
): EventFamily {
  return { kinds, handle: (context, batch) => handle(batch, context) }
}

/** Sends events to a process. */
export function sendEvents(url: string, credential: string, events: readonly unknown[]): Promise<Response> {
  return fetch(`${url}/ingest/v1/events`, {
    method: 'POST',
    headers: { 'x-service-api-key': credential, 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
}

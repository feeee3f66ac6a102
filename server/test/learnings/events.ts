import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { WorkerContext } from '../../src/bus/context.ts'
import type { DeferredEvent, EventBatch, IngestEvent } from '../../src/bus/ingest-event.ts'
import { connect, type Pool } from '../../src/db/connect.ts'
import { connectMetricsStores } from '../../src/db/stores.ts'
import type { KeyId, LearningId } from '../../src/ids.ts'
import { learningEvents } from '../../src/resources/learnings/events/event.ts'
import { createEmbedderSet, type Embedder } from '../../src/text/embed/embedder.ts'
import { createWorkerContext } from '../bus.ts'
import type { TestDatabase } from '../database.ts'
import type { TestOrganization } from '../tenant.ts'

/** A worker without a bus, with the clock of the test. */
export interface TestWorker extends WorkerContext {
  readonly database: Pool
  close(): Promise<void>
}

export function createTestWorker(
  database: TestDatabase,
  {
    now = () => new Date(),
    embedders,
    name = 'worker',
  }: { now?: () => Date; embedders: readonly Embedder[]; name?: string },
): TestWorker {
  const pool = connect({ url: database.urls.worker, name, connections: 8 })
  const stores = connectMetricsStores(new Map(), 'test', 1)
  const { bus: _bus, ...context } = createWorkerContext(pool, null as never, stores)
  return {
    ...context,
    embedders: createEmbedderSet(embedders),
    get bus(): never {
      throw new Error('This worker has no bus.')
    },
    now,
    async close() {
      await Promise.all([pool.end(), stores.close()])
    },
  }
}

/** An event as sent; `fields` override the default payload. */
export interface LearningEventFields {
  readonly id?: string
  readonly at?: Date
  readonly [field: string]: unknown
}

/** Creates events of an organization. */
export function createEventFactory({ orgId, instance, root, repositories }: TestOrganization) {
  const host = instance === null ? 'github.com' : `git-${root.slice(0, 8)}.example.com`
  const organization = { provider: 'github', host, id: orgId }
  const repository_id = repositories[0]?.repositoryId ?? ''
  const defineEvent =
    (type: string, common: object) =>
    ({ id = randomUUID(), at = new Date(), ...fields }: LearningEventFields = {}): IngestEvent => ({
      id,
      type,
      version: 1,
      occurred_at: at.toISOString(),
      payload: { organization, ...common, ...fields },
    })
  return {
    proposed: defineEvent('learning.proposed', {
      repository_id,
      learning: 'Say why, not what.',
      source: 'review',
    }),
    closed: defineEvent('pull_request.closed', { repository_id, number: 1, merged: true }),
    used: (ids: readonly LearningId[], fields: LearningEventFields = {}) =>
      defineEvent('learning.used', { learning_ids: ids })(fields),
  }
}

/** Normalizes events like the ingest endpoint and passes them to the family's handler. */
export function applyEvents(
  worker: WorkerContext,
  { root }: TestOrganization,
  events: readonly IngestEvent[],
  organizations: EventBatch['organizations'] = null,
): Promise<readonly DeferredEvent[]> {
  const normalized = events.map((event) => {
    const kind = learningEvents.kinds.find(({ type }) => type === event.type)
    return { ...event, payload: kind?.normalize(event.payload) }
  })
  return learningEvents.handle(worker, {
    root,
    credential: randomUUID() as KeyId,
    organizations,
    events: normalized,
  })
}

export interface StoredLearning {
  readonly id: LearningId
  readonly repository_id: string
  readonly state: string
  readonly text: string
  readonly source: string
  readonly deadline: Date | null
  readonly position: string | null
  readonly file: string | null
  readonly source_url: string | null
  readonly author_id: string | null
  readonly author_username: string | null
  readonly person_id: string | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly last_used_at: Date | null
  readonly usage_count: string
  readonly indexed: boolean
  readonly tasks: readonly string[]
  readonly origins: readonly string[]
}

/** All Learnings of an organization, in order of text. */
export async function storedLearnings(
  superuser: pg.Pool,
  { id }: TestOrganization,
): Promise<StoredLearning[]> {
  const { rows } = await superuser.query<StoredLearning>(
    `select l.*,
       exists (select from learning_index i where i.organization_id = l.organization_id and i.learning_id = l.id
         and i.content_hash = l.content_hash) as indexed,
       array(select t.kind from learning_task t where t.organization_id = l.organization_id
         and t.learning_id = l.id order by 1) as tasks,
       array(select o.number::text from learning_origin o where o.organization_id = l.organization_id
         and o.learning_id = l.id order by o.number) as origins
     from learning l where l.organization_id = $1 order by l.text, l.repository_id`,
    [id],
  )
  return rows
}

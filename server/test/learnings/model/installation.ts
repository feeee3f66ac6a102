import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { EventBatch, IngestEvent } from '../../../src/bus/ingest-event.ts'
import type { KeyId, OrganizationId, RootId } from '../../../src/ids.ts'
import { repairIndex } from '../../../src/learning-index/maintenance/repair.ts'
import { autoApproveDueLearnings } from '../../../src/resources/learnings/events/auto-approve.ts'
import { learningEvents } from '../../../src/resources/learnings/events/event.ts'
import { setLearningSetting } from '../../../src/resources/settings/update.ts'
import { createEmbedderSet, type Embedder, EmbeddingError } from '../../../src/text/embed/embedder.ts'
import { type CallOptions, startService, type TestResponse } from '../../call.ts'
import { createDatabase } from '../../database.ts'
import { createTenant } from '../../tenant.ts'
import { createTestWorker } from '../events.ts'
import { REPOSITORIES } from './history.ts'

/** A new organization for one history. */
export interface HistoryOrganization {
  readonly id: OrganizationId
  readonly orgId: string
  readonly repositories: readonly string[]
}

/** A server on its own database, with a controlled clock and embedding model. */
export interface LearningsInstallation {
  readonly superuser: pg.Pool
  /** The clock of API and worker. */
  now: number
  /** Whether the embedding model fails. */
  failing: boolean
  newOrganization(): Promise<HistoryOrganization>
  clear(organization: HistoryOrganization): Promise<void>
  call(url: string, options: CallOptions): Promise<TestResponse>
  /** Normalizes the event like the ingest endpoint and applies it. */
  applyEvent(event: IngestEvent): Promise<void>
  setDelay(organization: HistoryOrganization, repository: string, days: number): Promise<void>
  tick(): Promise<void>
  repair(): Promise<void>
  close(): Promise<void>
}

const DIMENSIONS = 4
const limitsOff = { LIMIT_LEARNINGS_WRITES: 'off', LIMIT_LEARNINGS_DRY_RUNS: 'off', LIMIT_METRICS: 'off' }

const insertOrganizations = `
  with made as (
    insert into organization (root_id, id, provider, host, provider_organization_id, name)
    select $1, gen_random_uuid(), 'github', 'github.com', (1000 + n)::text, 'o' || n from generate_series($2::int, $3::int) n
    returning root_id, id, provider_organization_id
  ), repositories as (
    insert into repository (root_id, organization_id, id, provider, provider_repository_id, name)
    select root_id, id, gen_random_uuid(), 'github', provider_organization_id || '-' || place, 'r' || place
    from made, generate_series(0, $4::int - 1) place
  )
  select id, provider_organization_id as "orgId" from made`

export async function startLearningsInstallation(): Promise<LearningsInstallation> {
  const database = await createDatabase()
  const superuser = database.superuser()
  // Durability is not tested here.
  await superuser.query(`alter database ${database.name} set synchronous_commit = off`)
  const tenant = await createTenant(database, { organizations: 1, repositories: 1 })
  const { root } = tenant.workspace
  const { value: key } = await tenant.createKey('workspace')
  const now = () => new Date(installation.now)
  const embedders = [createFakeEmbedder(() => installation.failing)]
  const worker = createTestWorker(database, { now, embedders })
  const service = startService(database, limitsOff, undefined, undefined, undefined, {
    now,
    embedders: createEmbedderSet(embedders),
  })
  const installation: LearningsInstallation = {
    superuser,
    now: 0,
    failing: false,
    newOrganization: createOrganizationPool(superuser, root),
    // Pending Learnings would otherwise be approved during a later history.
    async clear({ id }) {
      await superuser.query('delete from learning where organization_id = $1', [id])
    },
    call: (url, options) => service.call(url, { ...options, key }),
    async applyEvent(event) {
      const kind = learningEvents.kinds.find(({ type }) => type === event.type)
      const normalized = { ...event, payload: kind?.normalize(event.payload) }
      const batch: EventBatch = {
        root,
        credential: randomUUID() as KeyId,
        organizations: null,
        events: [normalized],
      }
      const deferred = await learningEvents.handle(worker, batch)
      if (deferred.length > 0) throw new Error(`An event was deferred: ${deferred[0]?.reason}`)
    },
    async setDelay({ id }, repository, days) {
      await tenant.change(root, (change) =>
        setLearningSetting(change, id, repository, { approval_delay: days }),
      )
    },
    tick: () => autoApproveDueLearnings(worker),
    repair: () => repairIndex(worker),
    async close() {
      await Promise.all([service.stop(), worker.close(), tenant.close(), superuser.end()])
      await database.drop()
    },
  }
  return installation
}

/** Hands out unused organizations, created in batches of a hundred. */
function createOrganizationPool(superuser: pg.Pool, root: RootId): LearningsInstallation['newOrganization'] {
  const indexes = Array.from({ length: REPOSITORIES }, (_, index) => index)
  const organizations: HistoryOrganization[] = []
  let made = 0
  return async () => {
    if (organizations.length === 0) {
      const values = [root, made + 1, made + 100, REPOSITORIES]
      const { rows } = await superuser.query<{ id: OrganizationId; orgId: string }>(
        insertOrganizations,
        values,
      )
      made += rows.length
      for (const row of rows)
        organizations.push({ ...row, repositories: indexes.map((index) => `${row.orgId}-${index}`) })
    }
    return organizations.pop() as HistoryOrganization
  }
}

/** Cheap vectors that differ by text. */
function createFakeEmbedder(isFailing: () => boolean): Embedder {
  return {
    model: 'fake',
    dimensions: DIMENSIONS,
    embed(texts) {
      if (isFailing()) return Promise.reject(new EmbeddingError('The fake model fails.'))
      return Promise.resolve(texts.map(toUnitVector))
    },
  }
}

function toUnitVector(text: string): Float32Array {
  const sums = new Float32Array(DIMENSIONS).fill(1)
  for (let index = 0; index < text.length; index++)
    sums[index % DIMENSIONS] = (sums[index % DIMENSIONS] ?? 0) + text.charCodeAt(index)
  const length = Math.hypot(...sums)
  return sums.map((sum) => sum / length)
}

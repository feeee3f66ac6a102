import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { EventBatch, IngestEvent } from '../../../src/bus/ingest-event.ts'
import type { KeyId, OrganizationId, RootId } from '../../../src/ids.ts'
import { repairIndex } from '../../../src/learning-index/maintenance/repair.ts'
import { approveByTime } from '../../../src/resources/learnings/events/approve-by-time.ts'
import { learnings } from '../../../src/resources/learnings/events/event.ts'
import { setLearningSetting } from '../../../src/resources/learnings/set.ts'
import { type Embedder, EmbeddingFailed } from '../../../src/text/embed/embedder.ts'
import { type Answer, type Call, startService } from '../../call.ts'
import { makeDatabase } from '../../database.ts'
import { makeTenant } from '../../tenant.ts'
import { openWorker } from '../events.ts'
import { REPOSITORIES } from './history.ts'

/** A fresh organization, for one history. */
export interface Ground {
  readonly id: OrganizationId
  readonly orgId: string
  readonly repositories: readonly string[]
}

/** A whole service on a database of its own, with a clock and a model that obey. */
export interface Lane {
  readonly superuser: pg.Pool
  /** The clock of everybody. */
  now: number
  /** The model is away. */
  failing: boolean
  newGround(): Promise<Ground>
  clear(ground: Ground): Promise<void>
  call(url: string, options: Call): Promise<Answer>
  /** As the ingest door would have kept it. */
  tell(event: IngestEvent): Promise<void>
  setDelay(ground: Ground, repository: string, days: number): Promise<void>
  tick(): Promise<void>
  repair(): Promise<void>
  close(): Promise<void>
}

const DIMENSIONS = 4
const nothingLimits = { LIMIT_LEARNINGS_WRITES: 'off', LIMIT_METRICS: 'off' }

const insertGrounds = `
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

export async function openLane(): Promise<Lane> {
  const database = await makeDatabase()
  const superuser = database.superuser()
  // What is compared is read from memory; nobody pulls the plug.
  await superuser.query(`alter database ${database.name} set synchronous_commit = off`)
  const tenant = await makeTenant(database, { organizations: 1, repositories: 1 })
  const { root } = tenant.workspace
  const { value: key } = await tenant.keyOf('workspace')
  const now = () => new Date(lane.now)
  const embedders = [obedientEmbedder(() => lane.failing)]
  const worker = openWorker(database, { now, embedders })
  const service = startService(database, nothingLimits, undefined, undefined, undefined, { now, embedders })
  const lane: Lane = {
    superuser,
    now: 0,
    failing: false,
    newGround: groundMaker(superuser, root),
    // What waits in it would otherwise be approved in the time of a later history.
    async clear({ id }) {
      await superuser.query('delete from learning where organization_id = $1', [id])
    },
    call: (url, options) => service.call(url, { ...options, key }),
    async tell(event) {
      const kind = learnings.kinds.find(({ type }) => type === event.type)
      const kept = { ...event, payload: kind?.normalize(event.payload) }
      const batch: EventBatch = {
        root,
        credential: randomUUID() as KeyId,
        organizations: null,
        events: [kept],
      }
      const deferred = await learnings.handle(worker, batch)
      if (deferred.length > 0) throw new Error(`An event was put off: ${deferred[0]?.reason}`)
    },
    async setDelay({ id }, repository, days) {
      await tenant.change(root, (change) =>
        setLearningSetting(change, id, repository, { approval_delay: days }),
      )
    },
    tick: () => approveByTime(worker),
    repair: () => repairIndex(worker),
    async close() {
      await Promise.all([service.stop(), worker.close(), tenant.close(), superuser.end()])
      await database.drop()
    },
  }
  return lane
}

/** Organizations that nobody has used, made by the hundred. */
function groundMaker(superuser: pg.Pool, root: RootId): Lane['newGround'] {
  const places = Array.from({ length: REPOSITORIES }, (_, place) => place)
  const grounds: Ground[] = []
  let made = 0
  return async () => {
    if (grounds.length === 0) {
      const values = [root, made + 1, made + 100, REPOSITORIES]
      const { rows } = await superuser.query<{ id: OrganizationId; orgId: string }>(insertGrounds, values)
      made += rows.length
      for (const row of rows)
        grounds.push({ ...row, repositories: places.map((place) => `${row.orgId}-${place}`) })
    }
    return grounds.pop() as Ground
  }
}

/** Vectors that differ with the text, and cost nothing. */
function obedientEmbedder(isFailing: () => boolean): Embedder {
  return {
    model: 'obedient',
    dimensions: DIMENSIONS,
    embed(texts) {
      if (isFailing()) return Promise.reject(new EmbeddingFailed('The model was told to fail.'))
      return Promise.resolve(texts.map(vectorOf))
    },
  }
}

function vectorOf(text: string): Float32Array {
  const sums = new Float32Array(DIMENSIONS).fill(1)
  for (let place = 0; place < text.length; place++)
    sums[place % DIMENSIONS] = (sums[place % DIMENSIONS] ?? 0) + text.charCodeAt(place)
  const length = Math.hypot(...sums)
  return sums.map((sum) => sum / length)
}

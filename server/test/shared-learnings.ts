import { rootScope, type Scope } from '../src/access/scope.ts'
import { connect, type Pool } from '../src/db/connect.ts'
import { inTransaction, type Tx } from '../src/db/transaction.ts'
import type { LearningId, OrganizationId } from '../src/ids.ts'
import { indexLearnings } from '../src/learning-index/index-learnings.ts'
import { embedAll } from '../src/learning-index/models.ts'
import {
  insertLearnings,
  type LearningRow,
  reserveLearningPositions,
} from '../src/resources/learnings/write/sql.ts'
import type { EmbeddingModels } from '../src/text/embed/embedder.ts'
import { type Embedder, EmbeddingError } from '../src/text/embed/embedder.ts'
import { contentHash, learningId } from '../src/text/identity.ts'
import { REDACTOR_VERSION } from '../src/text/redact.ts'
import { hashToVector } from './engines/embedding-server.ts'
import { openTenant } from './fixture.ts'

/** The learnings of an organization, and the pool of a node that searches them. */
export async function openLearningIndex() {
  const { database, superuser, tenant, use } = await openTenant()
  const api = use(connect({ url: database.urls.api, name: 'test', connections: 4 }))
  const { root, organizations } = tenant.alone
  const organization = organizations[0].id
  const scope: Scope = { ...rootScope(root), organizations: [organization] }
  const sql = async (text: string) => (await superuser.query<Record<string, unknown>>(text)).rows
  return { database, tenant, api, organization, scope, sql }
}

export interface TestEmbedder extends Embedder {
  /** Makes every call fail from now on, or succeed again. */
  fail(failing: boolean): void
  readonly calls: readonly (readonly string[])[]
}

/** Texts with common words are near each other. */
export function createTestEmbedder(model: string, dimensions = 64): TestEmbedder {
  const calls: (readonly string[])[] = []
  let failing = false
  return {
    model,
    dimensions,
    calls,
    fail(now) {
      failing = now
    },
    embed(texts) {
      calls.push(texts)
      if (failing) return Promise.reject(new EmbeddingError('told to fail'))
      return Promise.resolve(texts.map((text) => normalizeVector(hashToVector(text, dimensions))))
    },
  }
}

function normalizeVector(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector)
  return Float32Array.from(vector, (value) => value / length)
}

interface PlantedLearning {
  readonly text: string
  readonly repository?: string
  readonly author?: string
  readonly file?: string
}

/** Inserts shared Learnings that are not in the index yet. */
export async function plantLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  planted: readonly PlantedLearning[],
  at = new Date(),
): Promise<LearningRow[]> {
  const head = await reserveLearningPositions(scope, tx, planted.length, REDACTOR_VERSION)
  const rows = planted.map(
    ({ text, repository = '1', author = null, file = null }, index): LearningRow => ({
      id: learningId({ organization, repository }, text),
      organization_id: organization,
      instance_id: scope.instance,
      repository_id: repository,
      state: 'shared',
      text,
      content_hash: contentHash(repository, text),
      redactor_version: REDACTOR_VERSION,
      file,
      source_url: null,
      author_id: author,
      author_username: author,
      person_id: null,
      source: 'api',
      deadline: null,
      position: head.position - planted.length + index + 1,
      pull_request: null,
      flags: [],
      created_at: at,
      updated_at: at,
    }),
  )
  await insertLearnings(scope, tx, rows)
  return rows
}

/** Like a handler: embeds first, then writes and indexes in one transaction. Returns those that were not indexed. */
export async function shareLearnings(
  pool: Pool,
  scope: Scope,
  models: EmbeddingModels,
  organization: OrganizationId,
  planted: readonly PlantedLearning[],
): Promise<{ readonly rows: LearningRow[]; readonly failed: ReadonlySet<LearningId> }> {
  const vectors = await embedAll(
    scope,
    models,
    planted.map(({ text }) => text),
  )
  return inTransaction(pool, scope, async (tx) => {
    const rows = await plantLearnings(scope, tx, organization, planted)
    const items = rows.map((learning, index) => ({ learning, vectors: vectors[index] ?? new Map() }))
    return { rows, failed: await indexLearnings(scope, tx, models, items, new Date()) }
  })
}

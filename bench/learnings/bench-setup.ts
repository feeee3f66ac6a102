import { createSentences, growBulk, NAMES } from '../../server/test/bulk/learnings.ts'
import { createDatabase } from '../../server/test/database.ts'
import {
  connect,
  createLog,
  createVectorIndexes,
  type Embedder,
  localEmbedder,
} from '../../server/test/learning-search.ts'
import { createTenant } from '../../server/test/tenant.ts'

export interface BenchQuery {
  readonly text: string
  readonly vector: Float32Array
}

/** An organization that grows, and the queries sent to it. */
export type LearningsBench = Awaited<ReturnType<typeof createLearningsBench>>

const QUERY_COUNT = 100

export async function createLearningsBench() {
  const embedder: Embedder = localEmbedder
  const database = await createDatabase()
  const tenant = await createTenant(database, { repositories: 20 })
  const [organization] = tenant.alone.organizations
  const { value: key } = await tenant.createKey('organization', { of: 'alone' })
  const repositories = organization.repositories.map(({ repositoryId }) => repositoryId)
  const superuser = database.superuser()
  const api = connect({ url: database.urls.api, name: 'bench', connections: 1 })
  const activate = async ({ model, dimensions }: Pick<Embedder, 'model' | 'dimensions'>) => {
    await superuser.query('delete from learning_model')
    await superuser.query(`insert into learning_model values ($1, $2, 'active')`, [model, dimensions])
  }
  await activate(embedder)
  // Every repository gets all Learnings of the organization.
  await superuser.query(
    `insert into learning_setting (root_id, organization_id, scope) values ($1, $2, 'global')`,
    [tenant.alone.root, organization.id],
  )
  const queries = await createQueries(embedder)
  await superuser.query(
    `create table bench_question (place int primary key, vector halfvec(${embedder.dimensions}))`,
  )
  await superuser.query(`insert into bench_question select * from unnest($1::int[], $2::halfvec[])`, [
    queries.map((_, index) => index),
    queries.map(({ vector }) => `[${vector.join(',')}]`),
  ])
  let grown = 0
  return {
    embedder,
    database,
    superuser,
    api,
    key,
    root: tenant.alone.root,
    organization: organization.id,
    repositories,
    queries,
    activate,
    /** Grows to this many Learnings, and waits until the worker has indexed them. */
    async grow(to: number): Promise<void> {
      const target = { root: tenant.alone.root, organization: organization.id, repositories }
      await growBulk(database, target, embedder, { from: grown + 1, to })
      grown = to
      await createVectorIndexes({ database: tenant.pool, log: createLog('bench', 'silent') })
    },
    async end(): Promise<void> {
      await Promise.all([tenant.close(), superuser.end(), api.end(), localEmbedder.close()])
      await database.drop()
    },
  }
}

/** A query like a reviewer's: the subject of a Learning in other words, and a name. */
async function createQueries(embedder: Embedder): Promise<BenchQuery[]> {
  const sentences = createSentences()
  const texts = Array.from({ length: QUERY_COUNT }, (_, n) => {
    const words = (sentences[(n * 37) % sentences.length] ?? '').replaceAll('.', '').split(' ')
    return `Should ${words.filter((_word, index) => index % 4 !== n % 4).join(' ')} as in module${(n * 7) % NAMES}`
  })
  const vectors = await embedder.embed(texts)
  return texts.map((text, place) => ({ text, vector: vectors[place] ?? new Float32Array() }))
}

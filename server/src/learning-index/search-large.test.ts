import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growBulk } from '../../test/bulk/learnings.ts'
import { openTenant } from '../../test/fixture.ts'
import { createTestEmbedder } from '../../test/shared-learnings.ts'
import { rootScope } from '../access/scope.ts'
import { connect, type Statement } from '../db/connect.ts'
import type { NamedStatement } from '../db/named-statement.ts'
import { readScoped, type Tx } from '../db/transaction.ts'
import { createLog } from '../observe/log.ts'
import { listTerms } from '../text/tokens/tokenize.ts'
import { createVectorIndexes } from './maintenance/vector-index.ts'
import { type CandidateQuery, findCandidates, MAX_EXACT_ROWS } from './search.ts'
import { hashTerms } from './terms.ts'

const COUNT = MAX_EXACT_ROWS + 1_000
const embedder = createTestEmbedder('test')
const repositories = ['small', ...Array.from({ length: 9 }, () => 'large')]
const log = createLog('test', 'silent')

const { database, superuser, tenant, use } = await openTenant()
const api = use(connect({ url: database.urls.api, name: 'test', connections: 2 }))
await superuser.query(`insert into learning_model values ('test', 64, 'active')`)
const organization = tenant.alone.organizations[0].id
const scope = { ...rootScope(tenant.alone.root), organizations: [organization] }
await growBulk(database, { root: tenant.alone.root, organization, repositories }, embedder, { to: COUNT })

interface SentStatement {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** The hits, and the statements that were executed. */
async function searchFor(query: Partial<CandidateQuery>) {
  const sent: SentStatement[] = []
  const whole = { organizations: [organization], vector: null, terms: [], limit: 10, only: {}, ...query }
  const found = await readScoped(api, scope, (tx) => {
    const watched: Tx = {
      ...tx,
      query: (statement, values) => {
        sent.push({ statement, values })
        return tx.query(statement, values)
      },
    }
    return findCandidates(scope, watched, { active: embedder, filling: [] }, whole)
  })
  return { found, asked: sent, names: sent.map(({ statement }) => statement.name.split('.')[1]) }
}

/** The plan under row-level security, with the server's role. */
async function explain(
  sent: readonly SentStatement[],
  name: string,
  mode: 'custom' | 'generic',
): Promise<string> {
  const one = sent.find(({ statement }) => statement.name.startsWith(`learning-index.${name}.`))
  assert.ok(one)
  const client = await api.connect()
  try {
    await client.query('begin')
    await client.query(
      `select set_config('app.root', $1, true), set_config('app.organizations', $2, true),
         set_config('plan_cache_mode', $3, true)`,
      [scope.root, `{${organization}}`, `force_${mode}_plan`],
    )
    const text = `explain (analyze, costs off) ${one.statement.text}`
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(text, [...one.values])
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function vectorOf(text: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([text])
  assert.ok(vector)
  return vector
}

const queries = [
  'validate currency amounts in the payment service',
  'retry budgets of background workers',
  'do not log access tokens when parsing user input',
  'release file handles in a finally block',
  'accessibility labels in React components',
  'database migrations must keep foreign keys',
]

test('a large organization gets its own vector index, and searches use it', async () => {
  const unindexed = await searchFor({ vector: await vectorOf('currency') })
  assert.deepEqual(unindexed.names, ['vector-organizations', 'exact'])
  await createVectorIndexes({ database: tenant.pool, log })
  const { names, asked: sent } = await searchFor({ vector: await vectorOf('currency') })
  assert.deepEqual(names, ['vector-organizations', 'plan-vector', 'vector', 'plan-once'])
  const plan = await explain(sent, 'vector', 'custom')
  assert.match(plan, /Index Scan using learning_vector_[0-9a-f]{24} on learning_index_\d/)
  assert.doesNotMatch(plan, /Sort Key.*embedding/)
})

test('the vector index finds nearly all rows that an exact search finds', async () => {
  let [matched, all] = [0, 0]
  for (const text of queries) {
    const vector = await vectorOf(text)
    const { found } = await searchFor({ vector, terms: [] })
    const { rows } = await superuser.query<{ least: number }>(
      `select min(similarity) as least from (
         select -(embedding <#> $1::halfvec) as similarity from learning_index order by 1 desc limit 10) best`,
      [`[${vector.join(',')}]`],
    )
    // Many rows are equally near, so compare similarities, not ids.
    const minSimilarity = rows[0]?.least ?? 1
    matched += found.filter(({ similarity }) => (similarity ?? 0) >= minSimilarity - 1e-3).length
    all += found.length
  }
  assert.equal(all, queries.length * 10)
  assert.ok(matched / all >= 0.95, `${matched} of ${all}`)
})

test('finds a rare term with the inverted index, before terms that hundreds of rows share', async () => {
  await superuser.query(
    `update learning_index set terms = terms || ('x' || encode(substr(sha256(
       convert_to($1, 'UTF8') || '\\x00'::bytea || 'rareword'), 1, 8), 'hex'))::bit(64)::bigint
     where learning_id in (select learning_id from learning_index order by learning_id limit 3)`,
    [organization],
  )
  const { rows } = await superuser.query<{ id: string }>(
    'select learning_id as id from learning_index order by learning_id limit 3',
  )
  const { found, asked: sent } = await searchFor({ terms: [...listTerms(queries[0] ?? ''), 'rareword'] })
  assert.deepEqual(
    found.slice(0, 3).map(({ id }) => id),
    rows.map(({ id }) => id),
  )
  const plan = await explain(sent, 'words', 'generic')
  assert.match(plan, /Bitmap Index Scan on learning_index_\d+_terms_idx/)
})

test('does not look up common terms on request if it searches by vector too', async () => {
  const terms = ['service', 'module17', 'payment']
  const vector = await vectorOf('payment')
  const lookedUp = (sent: readonly SentStatement[]) => {
    const words = sent.find(({ statement }) => statement.name.startsWith('learning-index.words.'))
    assert.ok(words !== undefined)
    return words.values[(words.statement as NamedStatement).parameters.indexOf('terms')] as unknown[]
  }
  assert.equal(lookedUp((await searchFor({ vector, terms })).asked).length, 3)
  const rare = await searchFor({ vector, terms, rareTermsOnly: true })
  assert.deepEqual(lookedUp(rare.asked), hashTerms(organization, ['module17']))
  // Ten by vector, and the only one that names the module.
  assert.equal(rare.found.length, 11)
  // By words alone, every term counts.
  assert.equal(lookedUp((await searchFor({ terms, rareTermsOnly: true })).asked).length, 3)
})

test('compares every row that passes a filter', async () => {
  const vector = await vectorOf('currency')
  const filters = [{ repositories: ['small'] }, { neverUsed: true }, { createdSince: new Date(0) }]
  for (const only of filters) {
    const { names, found } = await searchFor({ vector, limit: 50, only })
    assert.deepEqual(names, ['exact'])
    assert.equal(found.length, 50)
  }
})

test('a repository filter uses the index on repositories', async () => {
  const { asked: sent, found } = await searchFor({
    vector: await vectorOf('currency'),
    only: { repositories: ['small'] },
  })
  assert.equal(found.length, 10)
  const plan = await explain(sent, 'exact', 'generic')
  assert.match(plan, /organization_id_model_repository_id_idx/)
})

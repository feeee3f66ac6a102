import type pg from 'pg'
import type { OrganizationId, RootId } from '../../src/ids.ts'
import { hashTerms } from '../../src/learning-index/terms.ts'
import type { Embedder } from '../../src/text/embed/embedder.ts'
import { listTerms } from '../../src/text/tokens/tokenize.ts'
import type { TestDatabase } from '../database.ts'

export interface BulkTarget {
  readonly root: RootId
  readonly organization: OrganizationId
  readonly repositories: readonly string[]
}

// Embedding them takes some seconds.
const SENTENCES = 1_000
const NOISES = 512
/** Enough names that only few Learnings share each. */
export const NAMES = 20_000

// A Learning is two sentences and a unique part. Its vector lies between those of the sentences, with some noise.
const createBulkLearnings = `
  create temp table bulk_learning as
  select n, a.text || ' ' || b.text || ' See module' || n % ${NAMES} || ', case ' || n || '.' as text, a.file,
    l2_normalize(a.vector + b.weaker + noise.vector) as embedding,
    a.terms || b.terms || ('x' || encode(substr(sha256(convert_to($2, 'UTF8') || '\\x00'::bytea
      || convert_to('module' || n % ${NAMES}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint as terms,
    ($3::text[])[1 + n % cardinality($3::text[])] as repository_id,
    overlay(overlay(md5($2 || n) placing '5' from 13) placing '8' from 17)::uuid as id
  from generate_series($4::int, $5::int) n
  join bulk_sentence a on a.place = (n * 7919::bigint) % ${SENTENCES}
  join bulk_sentence b on b.place = (n / ${SENTENCES} * 104729::bigint + n * 31) % ${SENTENCES}
  join bulk_noise noise on noise.place = (n * 2654435761) % ${NOISES}`

const insertLearnings = `
  insert into learning (root_id, organization_id, id, repository_id, state, text, content_hash, redactor_version, file,
    author_id, author_username, source, position, created_at, updated_at, usage_count)
  select $1, $2, id, repository_id, 'shared', text, sha256(convert_to(repository_id || text, 'UTF8')), 1, file,
    (n % 200)::text, 'author-' || n % 200, 'api', $3 + n, now() - n * interval '1 second', now(), n % 7
  from bulk_learning order by n`

const insertIndexRows = `
  insert into learning_index (root_id, organization_id, learning_id, repository_id, model, content_hash, embedding, terms)
  select $1, $2, id, repository_id, $3, sha256(convert_to(repository_id || text, 'UTF8')), embedding, terms
  from bulk_learning order by n`

const createTermsIndex = 'create index learning_index_terms on learning_index using gin (terms)'

/** Writes Learnings numbered from `from` on, with their index rows, like years of use. */
export async function growBulk(
  database: TestDatabase,
  { root, organization, repositories }: BulkTarget,
  embedder: Embedder,
  { from = 1, to }: { readonly from?: number; readonly to: number },
): Promise<void> {
  const pool = database.superuser()
  const client = await pool.connect()
  try {
    await client.query(
      `set maintenance_work_mem = '512MB'; set work_mem = '256MB'; set synchronous_commit = off`,
    )
    await plantSentences(client, organization, embedder)
    await client.query(
      createBulkLearnings
        .replaceAll('$2', `'${organization}'`)
        .replaceAll('$3', toArrayLiteral(repositories))
        .replaceAll('$4', String(from))
        .replaceAll('$5', String(to)),
    )
    await client.query(
      `insert into learning_head values ($1, $2, 1) on conflict (root_id) do update set position = excluded.position`,
      [root, to],
    )
    await client.query(insertLearnings, [root, organization, 0])
    // The plans of foreign key checks depend on the statistics of the table.
    await client.query('analyze learning')
    // Building indexes over terms and vectors is much faster than growing them; the worker creates the latter again.
    await client.query('drop index learning_index_terms')
    await client.query('select learning_index_drop_vector_indexes($1)', [embedder.model])
    await client.query(insertIndexRows, [root, organization, embedder.model])
    await client.query(createTermsIndex)
    await client.query('vacuum analyze learning, learning_index, learning_count')
  } finally {
    client.release()
    await pool.end()
  }
}

function toArrayLiteral(texts: readonly string[]): string {
  return `'{${texts.join(',')}}'`
}

async function plantSentences(
  client: pg.PoolClient,
  organization: OrganizationId,
  embedder: Embedder,
): Promise<void> {
  const sentences = createSentences()
  const vectors = await embedder.embed(sentences)
  const rows = sentences.map((text, index) => ({
    place: index,
    text,
    file: index % 5 === 0 ? `src/module-${index % 97}/part-${index % 11}.ts` : null,
    vector: `[${vectors[index]?.join(',')}]`,
    weaker: `[${vectors[index]?.map((value) => value * 0.7).join(',')}]`,
    terms: `{${hashTerms(organization, listTerms(text)).join(',')}}`,
  }))
  const random = createRandom(11)
  const spread = 0.5 / Math.sqrt(embedder.dimensions)
  const noises = Array.from({ length: NOISES }, (_, index) => ({
    place: index,
    vector: `[${Array.from({ length: embedder.dimensions }, () => (random() + random() + random() - 1.5) * 2 * spread).join(',')}]`,
  }))
  await client.query(
    `create temp table bulk_sentence (place int primary key, text text, file text, vector halfvec, weaker halfvec, terms bigint[]);
     create temp table bulk_noise (place int primary key, vector halfvec)`,
  )
  await client.query(
    'insert into bulk_sentence select * from json_populate_recordset(null::bulk_sentence, $1)',
    [JSON.stringify(rows)],
  )
  await client.query('insert into bulk_noise select * from json_populate_recordset(null::bulk_noise, $1)', [
    JSON.stringify(noises),
  ])
  await client.query('analyze bulk_sentence, bulk_noise')
}

/** The same in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const lists = {
  where: `In the payment service|For public endpoints|Inside database migrations|When handling webhooks|In React components|For background jobs|In the mobile client|When parsing user input|In the build pipeline|For cached responses|In the search module|When writing tests|For feature flags|In the audit trail|When sending mail|In the upload path|For time series data|In terraform modules|When calling other services|In the login flow`,
  rule: `always validate|never swallow|prefer explicit|do not log|wrap|measure|document|avoid mutable|batch|retry with backoff|close|paginate|escape|version|test the failure of|put a limit on|cache carefully|name by purpose|release in a finally block|keep idempotent`,
  what: `database connections|access tokens|error messages|currency amounts|time zones|retry budgets|file handles|null values|foreign keys|request headers|event payloads|feature toggles|translation strings|accessibility labels|thread pools|message queues|container images|query parameters|session cookies|rate limits|background workers|schema changes|personal data|cancellation signals|configuration values`,
  why: `because callers retry|so that rollbacks stay possible|or the incident of last spring returns|since the linter cannot see it|because it blocks the event loop|so that dashboards stay readable|as agreed with the platform team|otherwise replicas fall behind|because customers noticed|so reviewers can follow`,
}

export function createSentences(): string[] {
  const random = createRandom(7)
  const words = Object.values(lists).map((list) => list.split('|'))
  return Array.from(
    { length: SENTENCES },
    () => `${words.map((list) => list[Math.floor(random() * list.length)]).join(' ')}.`,
  )
}

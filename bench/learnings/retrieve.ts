import { postJson } from '../../proofs/tools/client.ts'
import type { Measurement } from '../../proofs/tools/report.ts'
import { findCandidates, readScoped, rootScope } from '../../server/test/learning-search.ts'
import { startApi } from '../../server/test/process.ts'
import { runPgbench, runWrk } from '../engine-tools.ts'
import type { LearningsBench } from './bench-setup.ts'

const NEAREST = 10
const CALLERS = 32
const CLIENTS = 16
const RATIO_GOAL = 0.7
const RECALL_GOAL = 0.95

export interface Plan {
  readonly rounds: number
  readonly seconds: number
}

/**
 * Learnings for a review through the API, compared with what it cannot do without: embedding the query, and the ten
 * nearest by the bare engine on the same rows.
 */
export async function measureRetrieval(
  bench: LearningsBench,
  size: number,
  plan: Plan,
): Promise<Measurement[]> {
  const recall = await measureRecall(bench)
  const api = await startApi(bench.database, { LIMIT_REVIEW_CONTEXT: 'off' })
  try {
    const { service, embedding, engine, ratio } = await measureAlternating(
      bench,
      `${api.url}/v1/review-context`,
      size,
      plan,
    )
    const rates = `${Math.round(service)} ÷ (${Math.round(embedding)} embedded, ${Math.round(engine)} by pgbench)`
    return [
      {
        measure: `${size} Learnings: retrievals per second ÷ bare embedding + pgvector: ${rates}, median of ${plan.rounds}`,
        goal: `≥ ${RATIO_GOAL}`,
        result: ratio.toFixed(2),
        met: ratio >= RATIO_GOAL,
      },
      {
        measure: `${size} Learnings: of the ${NEAREST} nearest, found by a search`,
        goal: `≥ ${RECALL_GOAL}`,
        result: recall.toFixed(3),
        met: recall >= RECALL_GOAL,
      },
    ]
  } finally {
    await api.stop()
  }
}

async function measureAlternating(
  bench: LearningsBench,
  url: string,
  size: number,
  { rounds, seconds }: Plan,
) {
  const { key, repositories, queries, database } = bench
  const bodies = queries.map(({ text }, index) =>
    JSON.stringify({
      repository_id: repositories[index % repositories.length],
      text,
      k: NEAREST,
      record_use: false,
    }),
  )
  const statements = ['\\set place random(0, 99)', await createBareStatement(bench)]
  // Starts the threads of the model and prepares the statements of the connections.
  await Promise.all(bodies.map((body) => postJson(url, key, body)))
  const taken: { service: number; embedding: number; engine: number; ratio: number }[] = []
  for (let round = 1; round <= rounds; round++) {
    const service = await runWrk({ url, key, connections: CALLERS, seconds, bodies })
    const embedding = await measureEmbedding(bench, seconds)
    const engine = await runPgbench({
      database: database.name,
      user: 'postgres',
      statements,
      variables: {},
      options: '-c jit=off -c plan_cache_mode=force_generic_plan -c hnsw.ef_search=100',
      clients: CLIENTS,
      seconds,
    })
    // One after the other: the times of both add up.
    const ratio = service * (1 / embedding + 1 / engine)
    const rates = [service, embedding, engine].map(Math.round).join(', ')
    console.error(`  ${size} Learnings, round ${round} of ${rounds}: ${rates}: ${ratio.toFixed(2)}`)
    taken.push({ service, embedding, engine, ratio })
  }
  const middle = taken.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(rounds / 2)]
  if (middle === undefined) throw new Error('No round was measured.')
  return middle
}

/** Queries per second that the model embeds, one text per call like a retrieval. */
async function measureEmbedding({ embedder, queries }: LearningsBench, seconds: number): Promise<number> {
  const start = performance.now()
  const end = start + seconds * 1000
  let embedded = 0
  const embedRepeatedly = async (first: number) => {
    for (let n = first; performance.now() < end; n++, embedded++)
      await embedder.embed([queries[n % queries.length]?.text ?? ''])
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => embedRepeatedly(caller * 3)))
  return (embedded * 1000) / (performance.now() - start)
}

/** The query without a service: no policies, directly on the partition, with the same index if there is one. */
async function createBareStatement({ superuser, embedder, organization }: LearningsBench): Promise<string> {
  const { rows } = await superuser.query<{ part: string; near: boolean }>(
    `select tableoid::regclass::text as part, exists (select from learning_vector_index) as near from learning_index limit 1`,
  )
  const [{ part, near } = { part: '', near: false }] = rows
  const vector = near ? `embedding::halfvec(${embedder.dimensions})` : 'embedding'
  return `select learning_id from ${part}
    where organization_id = '${organization}' and model = '${embedder.model}'
    order by ${vector} <#> (select vector from bench_question where place = :place) limit ${NEAREST}`
}

async function measureRecall({ superuser, api, root, organization, embedder, queries }: LearningsBench) {
  const scope = { ...rootScope(root), organizations: [organization] }
  let found = 0
  for (const { vector } of queries) {
    const { rows } = await superuser.query<{ similarity: number }>(
      `select -(embedding <#> $1::halfvec) as similarity from learning_index
       where organization_id = $2 and model = $3 order by embedding <#> $1::halfvec limit ${NEAREST}`,
      [`[${vector.join(',')}]`, organization, embedder.model],
    )
    const minSimilarity = rows.at(-1)?.similarity ?? 1
    const query = { organizations: [organization], vector, terms: [], limit: NEAREST, only: {} }
    const models = { active: embedder, filling: [] }
    const candidates = await readScoped(api, scope, (tx) => findCandidates(scope, tx, models, query))
    // If two are equally near, either is correct.
    found += candidates.filter(({ similarity }) => (similarity ?? -1) >= minSimilarity - 1e-6).length
  }
  return found / (queries.length * NEAREST)
}

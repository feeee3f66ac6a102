import type { Finding } from '../../proofs/tools/report.ts'
import { findCandidates, readScoped, rootScope } from '../../server/test/learning-search.ts'
import { startApi } from '../../server/test/process.ts'
import { runPgbench, runWrk } from '../engine-tools.ts'
import type { World } from './world.ts'

const NEAREST = 10
const CALLERS = 32
const CLIENTS = 16
const RATIO_GOAL = 0.6
const RECALL_GOAL = 0.95

export interface Plan {
  readonly rounds: number
  readonly seconds: number
}

/** Learnings for a review through the door, against the nearest ten by the bare engine on the same rows. */
export async function measureRetrieval(world: World, size: number, plan: Plan): Promise<Finding[]> {
  const recall = await measureRecall(world)
  const api = await startApi(world.database, { LIMIT_REVIEW_CONTEXT: 'off' })
  try {
    const { door, bare, ratio } = await takeTurns(world, `${api.url}/v1/review-context`, size, plan)
    const rates = `${Math.round(door)} ÷ ${Math.round(bare)}, median of ${plan.rounds}`
    return [
      {
        measure: `${size} Learnings: retrievals a second ÷ pgbench (${rates})`,
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

async function takeTurns(world: World, url: string, size: number, { rounds, seconds }: Plan) {
  const { key, repositories, questions, database } = world
  const bodies = questions.map(({ text }, place) =>
    JSON.stringify({
      repository_id: repositories[place % repositories.length],
      text,
      k: NEAREST,
      record_use: false,
    }),
  )
  const statements = ['\\set place random(0, 99)', await bareStatement(world)]
  const taken: { door: number; bare: number; ratio: number }[] = []
  for (let round = 1; round <= rounds; round++) {
    const door = await runWrk({ url, key, connections: CALLERS, seconds, bodies })
    const bare = await runPgbench({
      database: database.name,
      user: 'postgres',
      statements,
      variables: {},
      options: '-c jit=off -c plan_cache_mode=force_generic_plan -c hnsw.ef_search=100',
      clients: CLIENTS,
      seconds,
    })
    const rates = `${Math.round(door)} ÷ ${Math.round(bare)} = ${(door / bare).toFixed(2)}`
    console.error(`  ${size} Learnings, round ${round} of ${rounds}: ${rates}`)
    taken.push({ door, bare, ratio: door / bare })
  }
  const middle = taken.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(rounds / 2)]
  if (middle === undefined) throw new Error('There was no round.')
  return middle
}

/** What one would write without a service: no policies, the very partition, the same index where there is one. */
async function bareStatement({ superuser, embedder, organization }: World): Promise<string> {
  const { rows } = await superuser.query<{ part: string; near: boolean }>(
    `select tableoid::regclass::text as part, exists (select from learning_near_index) as near from learning_index limit 1`,
  )
  const [{ part, near } = { part: '', near: false }] = rows
  const vector = near ? `embedding::halfvec(${embedder.dimensions})` : 'embedding'
  return `select learning_id from ${part}
    where organization_id = '${organization}' and model = '${embedder.model}'
    order by ${vector} <#> (select vector from bench_question where place = :place) limit ${NEAREST}`
}

async function measureRecall({ superuser, api, root, organization, embedder, questions }: World) {
  const scope = { ...rootScope(root), organizations: [organization] }
  let found = 0
  for (const { vector } of questions) {
    const { rows } = await superuser.query<{ similarity: number }>(
      `select -(embedding <#> $1::halfvec) as similarity from learning_index
       where organization_id = $2 and model = $3 order by embedding <#> $1::halfvec limit ${NEAREST}`,
      [`[${vector.join(',')}]`, organization, embedder.model],
    )
    const least = rows.at(-1)?.similarity ?? 1
    const question = { organizations: [organization], vector, terms: [], limit: NEAREST, only: {} }
    const models = { active: embedder, filling: [] }
    const answer = await readScoped(api, scope, (tx) => findCandidates(scope, tx, models, question))
    // Of two that are equally near, either is right.
    found += answer.filter(({ similarity }) => (similarity ?? -1) >= least - 1e-6).length
  }
  return found / (questions.length * NEAREST)
}

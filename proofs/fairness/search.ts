// One tenant floods the local model with texts that are expensive to split into tokens; the searches of others must not notice.
import { setTimeout as sleep } from 'node:timers/promises'
import { createBulkRoots } from '../../server/test/bulk/tenants.ts'
import { createDatabase } from '../../server/test/database.ts'
import { limitsOff } from '../../server/test/limits-off.ts'
import { startApi } from '../../server/test/process.ts'
import { postJson } from '../tools/client.ts'
import { copyWithout, type SourceEdit } from '../tools/copy.ts'
import { p99 } from '../tools/quantile.ts'
import type { Measurement } from '../tools/report.ts'

const TENANTS = 10
const LANES = 30
const SEARCH_EVERY_MS = 60
/** Half of the time after which a search goes on without the model. */
const MAX_P99_MS = 1_000
const REPOSITORY = '1'
/** The model reads no more of each text. */
const CHARACTERS = 4_000

// Splitting a word takes a time that is proportional to its length.
const boundedTokens: SourceEdit = {
  file: 'text/embed/tokens.ts',
  name: 'boundTokens',
  by: 'function boundTokens(): void {}',
}
// Tenants take turns at the model.
const turnsByRoot: SourceEdit = {
  file: 'learning-index/models.ts',
  name: 'embedAll',
  wrap: '(embed, scope, ...given) => embed({ ...scope, root: undefined }, ...given)',
}
export const searchCures: readonly SourceEdit[] = [boundedTokens, turnsByRoot]

interface SearchPlan {
  readonly rounds: number
  readonly seconds: number
  /** Too few requests for a 99th percentile leave it out. */
  readonly judgesRatio: boolean
}

interface Searches {
  readonly times: number[]
  readonly refused: string[]
  /** Responses that the model had no part in. */
  byWords: number
}

/** A text in a thread of the model cannot be interrupted, so others wait for one, and their p99 has a limit instead of a ratio. */
export async function attackSearch(plan: SearchPlan, edits: readonly SourceEdit[]): Promise<Measurement[]> {
  const database = await createDatabase()
  const copy = edits.length === 0 ? null : await copyWithout(edits)
  const api = await startApi(database, limitsOff, copy?.apiEntry)
  const superuser = database.superuser()
  try {
    const [attacker = '', ...others] = (await createBulkRoots(database, TENANTS + 1)).flatMap(
      ({ keys }) => keys,
    )
    await superuser.query(
      `insert into repository (root_id, organization_id, id, provider, provider_repository_id, name, private)
       select root_id, id, gen_random_uuid(), provider, $1, 'repository', true from organization`,
      [REPOSITORY],
    )
    const search = (key: string, text: string) =>
      postJson(
        `${api.url}/v1/review-context`,
        key,
        JSON.stringify({ repository_id: REPOSITORY, text, record_use: false }),
      )
    await waitForModel(() => search(attacker, 'retry the payment call'))
    const text = `Retry the payment call. ${fill(`${'qzxjvkwq'.repeat(12)}ɓ `)}`
    const attack = () => search(attacker, text)
    const quiet: Searches[] = []
    const attacked: Searches[] = []
    for (let round = 0; round < plan.rounds; round++) {
      quiet.push(await searchBeside(search, others, plan.seconds / 2))
      attacked.push(await searchBeside(search, others, plan.seconds, attack))
    }
    return measure(join(attacked), join(quiet), plan)
  } finally {
    await superuser.end()
    await api.stop()
    await copy?.remove()
    await database.drop()
  }
}

function fill(words: string): string {
  return words.repeat(Math.ceil(CHARACTERS / words.length)).slice(0, CHARACTERS)
}

type Search = (key: string, text: string) => ReturnType<typeof postJson>

async function waitForModel(search: () => ReturnType<Search>): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { status, text } = await search()
    if (status === 200 && isByMeaning(text)) return
    await sleep(200)
  }
  throw new Error('The model did not answer within 10 seconds.')
}

function isByMeaning(text: string): boolean {
  return (JSON.parse(text) as { readonly ranked_by?: string }).ranked_by === 'meaning'
}

/** What the others see while one tenant always has many searches running. */
async function searchBeside(
  search: Search,
  others: readonly string[],
  seconds: number,
  attack?: () => ReturnType<Search>,
): Promise<Searches> {
  const end = performance.now() + seconds * 1000
  const flood = Array.from({ length: attack === undefined ? 0 : LANES }, async () => {
    while (performance.now() < end) await attack?.().catch(() => sleep(50))
  })
  const seen: Searches = { times: [], refused: [], byWords: 0 }
  const calls: Promise<void>[] = []
  for (let turn = 0; performance.now() < end; turn++) {
    calls.push(searchOnce(search, others[turn % others.length] ?? '', turn, seen))
    await sleep(SEARCH_EVERY_MS)
  }
  await Promise.all([...calls, ...flood])
  return seen
}

async function searchOnce(search: Search, key: string, turn: number, seen: Searches): Promise<void> {
  const started = performance.now()
  const found = await search(key, `Adds a retry around call number ${turn}`).catch(() => null)
  seen.times.push(performance.now() - started)
  if (found?.status !== 200) seen.refused.push(String(found?.status ?? 0))
  else if (!isByMeaning(found.text)) seen.byWords += 1
}

function join(stretches: readonly Searches[]): Searches {
  return {
    times: stretches.flatMap(({ times }) => times),
    refused: stretches.flatMap(({ refused }) => refused),
    byWords: stretches.reduce((sum, { byWords }) => sum + byWords, 0),
  }
}

function measure(attacked: Searches, quiet: Searches, { judgesRatio }: SearchPlan): Measurement[] {
  const time = p99(attacked.times)
  return [
    {
      measure: `search: of ${attacked.times.length} searches of the others, refused; not ranked by meaning`,
      goal: '0; 0',
      result: `${attacked.refused.length}; ${attacked.byWords}`,
      met: attacked.refused.length === 0 && attacked.byWords === 0,
    },
    {
      measure: `search: p99 of the others in ms (without the attack: ${p99(quiet.times).toFixed(0)})`,
      goal: judgesRatio ? `≤ ${MAX_P99_MS}` : 'shown',
      result: time.toFixed(0),
      met: !judgesRatio || time <= MAX_P99_MS,
    },
    {
      measure: `search: p99 of ${attacked.times.length} searches ÷ p99 without the attack`,
      goal: 'shown',
      result: (time / p99(quiet.times)).toFixed(2),
      met: true,
    },
  ]
}

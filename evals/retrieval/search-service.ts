import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { get, postJson, runConcurrently } from '../../proofs/tools/client.ts'
import { createDatabase, type TestDatabase } from '../../server/test/database.ts'
import type { LabelledLearning, Rankings, Situation } from '../../server/test/learnings/ranking.ts'
import { startApi } from '../../server/test/process.ts'
import { createTenant } from '../../server/test/tenant.ts'

const BATCH_SIZE = 50
const MAX_ATTEMPTS = 10
// With more, queries may wait too long for the model on a busy machine, and are then searched by words.
const CONCURRENCY = 2
const MAX_RESULTS = 50

type SearchedSituation = Situation & OfCorpus

/** A Learning that is returned. */
export interface FoundMatch {
  readonly id: string
  readonly match: string
}

/** Entry points of the API: without the floor, and as shipped if undefined. */
export interface SearchServiceEntries {
  readonly whole: string | undefined
  readonly withFloor: string | undefined
}

/** Learnings of one team: a situation is searched among those of its corpus. */
export interface OfCorpus {
  readonly corpus?: string
}

interface Corpus {
  readonly key: string
  readonly repository: string
}

/** Two API processes, and a tenant for each corpus that has stored its Learnings. */
export interface SearchService {
  /** Ranks the Learnings with POST /v1/review-context, without the floor. */
  rank(situations: readonly SearchedSituation[]): Promise<Rankings>
  /** What is returned, with the floor, by situation. */
  find(situations: readonly SearchedSituation[]): Promise<ReadonlyMap<string, readonly FoundMatch[]>>
  /** How many Learnings GET /v1/learnings?search returns. */
  countSearchResults(situations: readonly SearchedSituation[]): Promise<readonly number[]>
  /** How many queries were searched by words because the model was too slow. */
  countFailedEmbeddings(): number
  stop(): Promise<void>
}

export async function startSearchService(
  learnings: readonly (LabelledLearning & OfCorpus)[],
  entries: SearchServiceEntries,
  embedderSettings: Readonly<Record<string, string>>,
): Promise<SearchService> {
  const database = await createDatabase()
  if ('EMBEDDER_URL' in embedderSettings) await calibrate(database, embedderSettings)
  const limits = { LIMIT_LEARNINGS_WRITES: 'off', LIMIT_REVIEW_CONTEXT: 'off', LIMIT_METRICS: 'off' }
  const settings = { ...limits, ...embedderSettings }
  const whole = await startApi(database, settings, entries.whole)
  const withFloor = await startApi(database, settings, entries.withFloor)
  const corpora = new Map<string | undefined, Corpus>()
  const labelledIds = new Map<string, string>()
  for (const [name, ofCorpus] of Map.groupBy(learnings, ({ corpus }) => corpus)) {
    const corpus = await createCorpus(database)
    corpora.set(name, corpus)
    for (const [id, labelledId] of await store(withFloor.url, corpus, ofCorpus))
      labelledIds.set(id, labelledId)
  }
  const getCorpus = ({ corpus }: OfCorpus): Corpus => {
    const found = corpora.get(corpus)
    if (found === undefined) throw new Error(`The corpus ${corpus ?? 'without a name'} has no Learnings.`)
    return found
  }
  const review = async (url: string, situations: readonly SearchedSituation[]) => {
    const found = new Map<string, readonly FoundMatch[]>()
    await runConcurrently(situations.length, CONCURRENCY, 'situations', async (index) => {
      const situation = situations[index]
      if (situation === undefined) return
      const { key, repository } = getCorpus(situation)
      const { id, text, diff, files } = situation
      const body = { repository_id: repository, text, diff, files, k: MAX_RESULTS, record_use: false }
      const { learnings: returned } = await post(`${url}/v1/review-context`, key, body)
      found.set(
        id,
        returned.map((one: FoundMatch) => ({ id: labelledIds.get(one.id) ?? '', match: one.match })),
      )
    })
    return found
  }
  return {
    async rank(situations) {
      const found = await review(whole.url, situations)
      return new Map([...found].map(([id, ranked]) => [id, ranked.map((one) => one.id)]))
    },
    find: (situations) => review(withFloor.url, situations),
    async countSearchResults(situations) {
      const counts: number[] = []
      await runConcurrently(situations.length, CONCURRENCY, 'searches', async (index) => {
        const situation = situations[index]
        if (situation === undefined) return
        const url = `${withFloor.url}/v1/learnings?search=${encodeURIComponent(situation.text ?? '')}`
        const { status, text } = await get(url, getCorpus(situation).key)
        if (status !== 200) throw new Error(`GET ${url} returned ${status}.`)
        counts[index] = (JSON.parse(text) as { data: unknown[] }).data.length
      })
      return counts
    },
    countFailedEmbeddings: () =>
      [whole, withFloor].reduce((count, api) => count + api.output().split('embedding of a ').length - 1, 0),
    async stop() {
      await Promise.all([whole.stop(), withFloor.stop()])
      await database.drop()
    },
  }
}

async function createCorpus(database: TestDatabase): Promise<Corpus> {
  const tenant = await createTenant(database)
  const { value: key } = await tenant.createKey('user')
  const repository = tenant.workspace.organizations[0].repositories[0]?.repositoryId ?? ''
  await tenant.close()
  return { key, repository }
}

/** Returns the ids of the data by those of the service. */
async function store(
  url: string,
  { key, repository }: Corpus,
  learnings: readonly LabelledLearning[],
): Promise<Map<string, string>> {
  const labelledIds = new Map<string, string>()
  for (let start = 0; start < learnings.length; start += BATCH_SIZE) {
    const batch = learnings.slice(start, start + BATCH_SIZE)
    const data = batch.map(({ learning, file }) => ({ repository_id: repository, learning, file }))
    const { results } = await post(`${url}/v1/learnings`, key, { data })
    for (const { index, status, id } of results) {
      if (status !== 'created')
        throw new Error(`The Learning ${batch[index]?.id} was not created: its status is ${status}.`)
      labelledIds.set(id, batch[index]?.id ?? '')
    }
  }
  return labelledIds
}

/** As an operator would: only the local model comes with a calibration. */
async function calibrate(
  { urls }: TestDatabase,
  embedderSettings: Readonly<Record<string, string>>,
): Promise<void> {
  const admin = fileURLToPath(new URL('../../server/src/admin.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [admin, 'learnings', 'calibrate', '--apply'],
    {
      env: { ...embedderSettings, WORKER_DATABASE_URL: urls.worker },
    },
  )
  console.log(stdout)
}

/** A busy machine may refuse a request; like any client, it retries. */
async function post(url: string, key: string, body: unknown) {
  for (let attempt = 1; ; attempt++) {
    const { status, text, retryAfter } = await postJson(url, key, JSON.stringify(body))
    if (status === 200) return JSON.parse(text)
    if (status !== 503 || attempt === MAX_ATTEMPTS) throw new Error(`POST ${url} returned ${status}: ${text}`)
    await sleep(retryAfter * 1000)
  }
}

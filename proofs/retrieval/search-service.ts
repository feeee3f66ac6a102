import { makeDatabase, type TestDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import { makeTenant } from '../../server/test/tenant.ts'
import { postJson, runConcurrently } from '../tools/client.ts'
import type { Learning, Situation } from './corpus.ts'
import type { Rankings } from './measure.ts'

const BATCH_SIZE = 100
const MAX_RESULTS = 50

/** An API process with one tenant that has stored the Learnings. */
export interface SearchService {
  readonly database: TestDatabase
  /** Ranks the Learnings with POST /v1/review-context. */
  rank(situations: readonly Situation[]): Promise<Rankings>
  stop(): Promise<void>
}

export async function startSearchService(
  learnings: readonly Learning[],
  entry?: string,
): Promise<SearchService> {
  const database = await makeDatabase()
  const tenant = await makeTenant(database)
  const { value: key } = await tenant.createKey('user')
  const repository = tenant.workspace.organizations[0].repositories[0]?.repositoryId ?? ''
  await tenant.close()
  const limits = { LIMIT_LEARNINGS_WRITES: 'off', LIMIT_REVIEW_CONTEXT: 'off' }
  const api = await startApi(database, limits, entry)
  const corpusIds = new Map<string, string>()
  for (let start = 0; start < learnings.length; start += BATCH_SIZE) {
    const batch = learnings.slice(start, start + BATCH_SIZE)
    const data = batch.map(({ text, file }) => ({ repository_id: repository, learning: text, file }))
    const { results } = await post(`${api.url}/v1/learnings`, key, { data })
    for (const { index, status, id } of results) {
      if (status !== 'created')
        throw new Error(`The Learning ${batch[index]?.id} was not created: its status is ${status}.`)
      corpusIds.set(id, batch[index]?.id ?? '')
    }
  }
  return {
    database,
    async rank(situations) {
      const rankings = new Map<string, readonly string[]>()
      await runConcurrently(situations.length, 4, 'situations', async (index) => {
        const situation = situations[index]
        if (situation === undefined) return
        const { id, text, diff, files } = situation
        const body = { repository_id: repository, text, diff, files, k: MAX_RESULTS, record_use: false }
        const { learnings: found } = await post(`${api.url}/v1/review-context`, key, body)
        rankings.set(
          id,
          found.map((learning: { id: string }) => corpusIds.get(learning.id) ?? ''),
        )
      })
      return rankings
    },
    async stop() {
      await api.stop()
      await database.drop()
    },
  }
}

async function post(url: string, key: string, body: unknown) {
  const { status, text } = await postJson(url, key, JSON.stringify(body))
  if (status !== 200) throw new Error(`POST ${url} returned ${status}: ${text}`)
  return JSON.parse(text)
}

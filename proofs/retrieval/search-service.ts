import { makeDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import { makeTenant } from '../../server/test/tenant.ts'
import { postJson, runConcurrently } from '../tools/client.ts'
import type { Learning, Situation } from './corpus.ts'
import type { Rankings } from './measure.ts'

const BATCH_SIZE = 100
const MAX_RESULTS = 50

/** Entry points of the API: without the floor, and as shipped if undefined. */
export interface SearchServiceEntries {
  readonly whole: string | undefined
  readonly withFloor: string | undefined
}

/** Two API processes and one tenant that has stored the Learnings. */
export interface SearchService {
  /** Ranks the Learnings with POST /v1/review-context, without the floor. */
  rank(situations: readonly Situation[]): Promise<Rankings>
  rankWithFloor(situations: readonly Situation[]): Promise<Rankings>
  /** `match` of the Learnings that are returned, with the floor. */
  findMatches(situations: readonly Situation[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** How many Learnings GET /v1/learnings?search returns. */
  countSearchResults(texts: readonly string[]): Promise<readonly number[]>
  stop(): Promise<void>
}

export async function startSearchService(
  learnings: readonly Learning[],
  entries: SearchServiceEntries,
): Promise<SearchService> {
  const database = await makeDatabase()
  const tenant = await makeTenant(database)
  const { value: key } = await tenant.createKey('user')
  const repository = tenant.workspace.organizations[0].repositories[0]?.repositoryId ?? ''
  await tenant.close()
  const limits = { LIMIT_LEARNINGS_WRITES: 'off', LIMIT_REVIEW_CONTEXT: 'off', LIMIT_METRICS: 'off' }
  const whole = await startApi(database, limits, entries.whole)
  const withFloor = await startApi(database, limits, entries.withFloor)
  const corpusIds = new Map<string, string>()
  for (let start = 0; start < learnings.length; start += BATCH_SIZE) {
    const batch = learnings.slice(start, start + BATCH_SIZE)
    const data = batch.map(({ text, file }) => ({ repository_id: repository, learning: text, file }))
    const { results } = await post(`${withFloor.url}/v1/learnings`, key, { data })
    for (const { index, status, id } of results) {
      if (status !== 'created')
        throw new Error(`The Learning ${batch[index]?.id} was not created: its status is ${status}.`)
      corpusIds.set(id, batch[index]?.id ?? '')
    }
  }
  const review = async (url: string, situations: readonly Situation[]) => {
    const found = new Map<string, readonly { readonly id: string; readonly match: string }[]>()
    await runConcurrently(situations.length, 4, 'situations', async (index) => {
      const situation = situations[index]
      if (situation === undefined) return
      const { id, text, diff, files } = situation
      const body = { repository_id: repository, text, diff, files, k: MAX_RESULTS, record_use: false }
      found.set(id, (await post(`${url}/v1/review-context`, key, body)).learnings)
    })
    return found
  }
  const rank = async (url: string, situations: readonly Situation[]) =>
    new Map(
      [...(await review(url, situations))].map(([id, found]) => [
        id,
        found.map((learning) => corpusIds.get(learning.id) ?? ''),
      ]),
    )
  return {
    rank: (situations) => rank(whole.url, situations),
    rankWithFloor: (situations) => rank(withFloor.url, situations),
    async findMatches(situations) {
      const found = await review(withFloor.url, situations)
      return new Map([...found].map(([id, matches]) => [id, matches.map(({ match }) => match)]))
    },
    async countSearchResults(texts) {
      const counts: number[] = []
      for (const text of texts) {
        const url = `${withFloor.url}/v1/learnings?search=${encodeURIComponent(text)}`
        const response = await fetch(url, { headers: { 'x-service-api-key': key } })
        if (response.status !== 200) throw new Error(`GET ${url} returned ${response.status}.`)
        counts.push(((await response.json()) as { data: unknown[] }).data.length)
      }
      return counts
    },
    async stop() {
      await Promise.all([whole.stop(), withFloor.stop()])
      await database.drop()
    },
  }
}

async function post(url: string, key: string, body: unknown) {
  const { status, text } = await postJson(url, key, JSON.stringify(body))
  if (status !== 200) throw new Error(`POST ${url} returned ${status}: ${text}`)
  return JSON.parse(text)
}

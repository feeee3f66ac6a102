import { makeDatabase, type TestDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import { makeTenant } from '../../server/test/tenant.ts'
import { postJson, runConcurrently } from '../tools/client.ts'
import type { Orders } from './measure.ts'
import type { Learning, Situation } from './shapes.ts'

const BATCH = 100
const MOST = 50

/** A team that has written these Learnings, and the service that finds them. */
export interface Team {
  readonly database: TestDatabase
  find(situations: readonly Situation[]): Promise<Orders>
  end(): Promise<void>
}

export async function makeTeam(learnings: readonly Learning[], entry?: string): Promise<Team> {
  const database = await makeDatabase()
  const tenant = await makeTenant(database)
  const { value: key } = await tenant.createKey('user')
  const repository = tenant.workspace.organizations[0].repositories[0]?.repositoryId ?? ''
  await tenant.close()
  const limits = { LIMIT_LEARNINGS_WRITES: 'off', LIMIT_REVIEW_CONTEXT: 'off' }
  const api = await startApi(database, limits, entry)
  const slugs = new Map<string, string>()
  for (let from = 0; from < learnings.length; from += BATCH) {
    const part = learnings.slice(from, from + BATCH)
    const data = part.map(({ text, file }) => ({ repository_id: repository, learning: text, file }))
    const answer = await ask(`${api.url}/v1/learnings`, key, { data })
    for (const { index, status, id } of answer.results) {
      if (status !== 'created') throw new Error(`A Learning of the corpus is ${status}: ${part[index]?.id}`)
      slugs.set(id, part[index]?.id ?? '')
    }
  }
  return {
    database,
    async find(situations) {
      const orders = new Map<string, readonly string[]>()
      await runConcurrently(situations.length, 4, 'situations', async (index) => {
        const situation = situations[index]
        if (situation === undefined) return
        const { id, text, diff, files } = situation
        const body = { repository_id: repository, text, diff, files, k: MOST, record_use: false }
        const { learnings: found } = await ask(`${api.url}/v1/review-context`, key, body)
        orders.set(
          id,
          found.map((learning: { id: string }) => slugs.get(learning.id) ?? ''),
        )
      })
      return orders
    },
    async end() {
      await api.stop()
      await database.drop()
    },
  }
}

async function ask(url: string, key: string, body: unknown) {
  const { status, text } = await postJson(url, key, JSON.stringify(body))
  if (status !== 200) throw new Error(`The service answered ${status}: ${text}`)
  return JSON.parse(text)
}

import { growPullRequests } from '../../server/test/bulk/pull-requests.ts'
import { createDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import { get } from '../tools/client.ts'

const PULL_REQUESTS = 1_000_000
const TIMES = 3
const window = 'start_date=2028-01-01&end_date=2028-12-31'
const requests = {
  'reviews/summary, total': `reviews/summary?${window}&status=all`,
  'reviews/summary by week and repository': `reviews/summary?${window}&status=all&group_by=week,repository`,
  'mcp/summary, total': `mcp/summary?${window}`,
  'mcp/summary by week, server and tool': `mcp/summary?${window}&group_by=week,server,tool`,
}

export interface MillionTime {
  readonly name: string
  readonly seconds: number
  /** Pull requests of all groups of the total. */
  readonly pullRequests: number
}

/** The fastest of some requests for each summary of a year with a million pull requests. */
export async function timeMillion(): Promise<MillionTime[]> {
  const database = await createDatabase()
  try {
    console.error('writing a million pull requests')
    const { key } = await growPullRequests(database, {
      count: PULL_REQUESTS,
      findings: 0,
      order: 'fresh',
      firstDay: '2028-01-02',
      days: 364,
      largestShare: 1,
      repositories: 200,
      usage: true,
    })
    const api = await startApi(database, { LIMIT_METRICS: 'off' })
    const times: MillionTime[] = []
    for (const [name, path] of Object.entries(requests)) {
      let [seconds, pullRequests] = [Number.POSITIVE_INFINITY, 0]
      for (let time = 0; time < TIMES; time++) {
        const started = performance.now()
        const { status, text } = await get(`${api.url}/v1/metrics/${path}`, key)
        if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`)
        seconds = Math.min(seconds, (performance.now() - started) / 1000)
        const { data } = JSON.parse(text) as { readonly data: readonly { readonly pull_requests: number }[] }
        pullRequests = data.reduce((sum, group) => sum + group.pull_requests, 0)
      }
      console.error(`  ${name}: ${seconds.toFixed(1)} s`)
      times.push({ name, seconds, pullRequests })
    }
    await api.stop()
    return times
  } finally {
    await database.drop()
  }
}

import { get } from '../../proofs/tools/client.ts'
import { type BulkAudit, growAuditLog } from '../../server/test/bulk/audit.ts'
import { createDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import { formatCount } from '../plot.ts'

/** An audit log of some size, and an API process that serves it. */
export interface ServedLog {
  readonly rows: number
  timeQuery(query: string): Promise<number>
  stop(): Promise<void>
}

const TIMES = 41
const WARM_UP = 10

const queries: Readonly<Record<string, (log: BulkAudit) => string>> = {
  'whole workspace': () => '',
  'one action': () => 'actions=learning_created',
  'five actions': () => 'actions=learning_created,role_created,role_deleted,person_left,request_refused',
  'an action of 0.01 %': () => 'actions=organization_renamed',
  'a resource type': () => 'resource_types=api_key',
  'one organization of 1,000': ({ orgId }) => `org_id=${orgId}`,
  'one organization, one action': ({ orgId }) => `org_id=${orgId}&actions=seat_assigned`,
  'search, one actor of 2,000': () => 'search=robot%2077.',
  'search, one actor, one action': () => 'search=robot%2077.&actions=seat_assigned',
  'thirty days of the past': ({ middle }) => `date_from=2025-06-03&date_to=${middle}`,
  'thirty days, one action': ({ middle }) =>
    `date_from=2025-06-03&date_to=${middle}&actions=learning_created`,
  'seven days, one organization': ({ middle, orgId }) =>
    `date_from=2025-06-26&date_to=${middle}&org_id=${orgId}`,
  'page 100': () => 'page=100',
  'cursor, from the start': () => 'cursor=start&page_size=100',
}

export const queryNames = Object.keys(queries)

export async function serveLog(rows: number): Promise<ServedLog> {
  const database = await createDatabase()
  try {
    console.error(`writing ${formatCount(rows)} rows`)
    const step = Math.max(rows / 5, 500_000)
    const log = await growAuditLog(database, rows, (written) => {
      if (written % step === 0) console.error(`  ${formatCount(written)} of ${formatCount(rows)}`)
    })
    const api = await startApi(database, { LIMIT_AUDIT: 'off' })
    return {
      rows,
      timeQuery: (query) => timeRequest(`${api.url}/v1/audit-logs?${queries[query]?.(log)}`, log.key),
      async stop() {
        await api.stop()
        await database.drop()
      },
    }
  } catch (error) {
    await database.drop()
    throw error
  }
}

/** Medians of warm requests. The logs are measured in alternation, so other load affects all of them. */
export async function measureAlternating(logs: readonly ServedLog[], query: string): Promise<number[]> {
  const times = logs.map((): number[] => [])
  for (let time = 0; time < WARM_UP + TIMES; time++)
    for (const [index, log] of logs.entries()) times[index]?.push(await log.timeQuery(query))
  return times.map((all) => all.slice(WARM_UP).toSorted((a, b) => a - b)[Math.floor(TIMES / 2)] ?? Number.NaN)
}

async function timeRequest(url: string, key: string): Promise<number> {
  const started = performance.now()
  const { status, text } = await get(url, key)
  const ms = performance.now() - started
  if (status !== 200 || text.startsWith('{"data":[]'))
    throw new Error(`${url} returned ${status}: ${text.slice(0, 200)}`)
  return ms
}

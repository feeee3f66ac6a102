import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { growPullRequests } from '../../server/test/bulk/pull-requests.ts'
import { createDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import type { SourceCopy } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'

/** About 50 MB, much more than sockets buffer. A twelfth is closed, and not listed. */
const ROWS = 30_000
const LINES = ROWS - ROWS / 12 + 1
const path = '/v1/metrics/review-comments?start_date=2026-01-01&end_date=2026-12-31&limit=100000'
const changes = [
  'update api_key set revoked_at = now() where root_id = $1',
  'update api_key set expires_at = now() where root_id = $1',
] as const
const restore = `update api_key set revoked_at = null, expires_at = now() + interval '30 days' where root_id = $1`

/** A reader that takes the first bytes of a stream and stops; it reads on after its key was revoked or has expired. */
export async function proveStreams(trials: number, copy: SourceCopy | null): Promise<Measurement[]> {
  const database = await createDatabase()
  const { root, key } = await growPullRequests(database, {
    count: ROWS,
    findings: 10,
    order: 'fresh',
    firstDay: '2026-01-01',
    days: 300,
  })
  const superuser = database.superuser()
  const api = await startApi(database, { LIMIT_METRICS: 'off' }, copy?.apiEntry)
  try {
    const whole = await readStream(`${api.url}${path}`, key, async () => {})
    let [completed, mostLines] = [0, 0]
    for (let trial = 0; trial < trials; trial++) {
      const stream = await readStream(`${api.url}${path}`, key, async () => {
        await superuser.query(changes[trial % changes.length] ?? '', [root])
      })
      await superuser.query(restore, [root])
      if (stream.complete) completed += 1
      mostLines = Math.max(mostLines, stream.lines)
    }
    return [
      {
        measure: `streams: ${trials} keys revoked or expired after the first bytes (at most ${mostLines} of ${whole.lines} lines sent): completed`,
        goal: '0',
        result: completed,
        met: completed === 0 && whole.complete && whole.lines === LINES,
      },
    ]
  } finally {
    await Promise.all([api.stop(), superuser.end()])
    await database.drop()
  }
}

/** Runs `meanwhile` after the first bytes, then reads the rest. */
async function readStream(
  url: string,
  key: string,
  meanwhile: () => Promise<void>,
): Promise<{ lines: number; complete: boolean }> {
  const headers = { 'x-service-api-key': key, accept: 'application/x-ndjson' }
  const sent = request(url, { headers, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`The stream returned ${response.statusCode}.`)
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let lines = 0
  let end = ''
  const count = (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) lines += 1
    end = (end + chunk.toString('latin1')).slice(-200)
  }
  const first = await chunks.next()
  if (first.done !== true) count(first.value)
  await meanwhile()
  try {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) count(next.value)
  } catch {
    return { lines, complete: false }
  }
  return { lines, complete: /\{"next_cursor":[^\n]*\}\n$/.test(end) }
}

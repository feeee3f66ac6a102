// node scripts/files-run.ts [--base REVISION] [--list]   counts the files of server/src whose functions run during one request.
// With --base it counts those of another revision too; with --list it prints their names.
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { withCheckout } from '../bench/compare/checkout.ts'
import { type Side, startSide } from '../bench/compare/side.ts'

/** How long the worker handles what an event starts, such as the events that it publishes itself. */
const SETTLE_MS = 3_000
const CALLS = 10
const WINDOW = 'start_date=2026-03-01&end_date=2026-03-30'
const requests = ['/v1/organizations', '/v1/learnings', `/v1/metrics/review-comments?${WINDOW}`]

interface Count {
  readonly what: string
  readonly files: readonly string[]
  /** Those that run in the same time without a request. */
  readonly idle: readonly string[]
}

const probe = new URL('files-run/probe.ts', import.meta.url).href
const { values } = parseArgs({
  options: { base: { type: 'string' }, list: { type: 'boolean', default: false } },
})
const ours = await countFiles(fileURLToPath(new URL('../server', import.meta.url)))
const theirs =
  values.base === undefined
    ? null
    : await withCheckout(values.base, (checkout) => countFiles(`${checkout}/server`))
for (const count of ours) {
  const base = theirs?.find(({ what }) => what === count.what)
  console.log(`${count.what}: ${describe(count)}`)
  if (base !== undefined) {
    const change = Math.round((count.files.length / base.files.length - 1) * 100)
    console.log(`  ${values.base}: ${describe(base)}; ${change} %`)
  }
  if (values.list) printList(count, base)
}

function describe({ files, idle }: Count): string {
  const alsoIdle = files.filter((file) => idle.includes(file)).length
  return `${files.length} files${alsoIdle === 0 ? '' : `, of which ${alsoIdle} also run without it`}`
}

function printList({ files }: Count, base: Count | undefined): void {
  const before = base?.files ?? files
  for (const file of [...new Set([...files, ...before])].sort())
    console.log(`  ${before.includes(file) ? (files.includes(file) ? ' ' : '-') : '+'} ${file}`)
}

/** `server` is the folder of a revision's server. */
async function countFiles(server: string): Promise<Count[]> {
  const folder = mkdtempSync(join(tmpdir(), 'files-run-'))
  const side = await startSide(server, { NODE_OPTIONS: `--import=${probe}`, FILES_RUN_FOLDER: folder })
  const take: Take = (entry) => takeFiles(`${folder}/${entry}.sock`)
  try {
    await prepare(side)
    const counts: Count[] = []
    for (const path of requests) {
      const files = await intersect(take, () => get(side, path))
      counts.push({ what: `GET ${path.split('?')[0]}`, files, idle: [] })
    }
    const accepted = await intersect(take, () => side.send(1))
    counts.push({ what: 'pull_request.finalized, API', files: accepted, idle: [] })
    await sleep(SETTLE_MS)
    await take('worker')
    await sleep(SETTLE_MS)
    const idle = await take('worker')
    await side.send(1)
    await sleep(SETTLE_MS)
    counts.push({ what: 'pull_request.finalized, worker', files: await take('worker'), idle })
    return counts
  } finally {
    await side.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Take = (entry: 'api' | 'worker') => Promise<string[]>

/** The files that run for each of several calls: timers of the process run for some of them only. */
async function intersect(take: Take, call: () => Promise<void>): Promise<string[]> {
  await call()
  const runs: string[][] = []
  for (let count = 0; count < CALLS; count++) {
    await take('api')
    await call()
    // What runs when the last byte is sent.
    await sleep(20)
    runs.push(await take('api'))
  }
  const [first = [], ...others] = runs
  return first.filter((file) => others.every((run) => run.includes(file)))
}

/** Every list has rows. */
async function prepare(side: Side): Promise<void> {
  await side.ingest(20)
  const learning = { repository_id: '10000000', learning: 'Retry calls to the booking service once.' }
  const response = await fetch(`${side.url}/v1/learnings`, {
    method: 'POST',
    headers: { 'x-service-api-key': side.key, 'content-type': 'application/json' },
    body: JSON.stringify({ org_id: '1000000', data: [learning] }),
  })
  if (!response.ok) throw new Error(`POST /v1/learnings returned ${response.status}.`)
}

async function get(side: Side, path: string): Promise<void> {
  const response = await fetch(side.url + path, { headers: { 'x-service-api-key': side.key } })
  const body = await response.text()
  if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${body}`)
}

/** The files whose functions were called since the last time. */
async function takeFiles(socket: string): Promise<string[]> {
  return JSON.parse(await text(connect(socket))) as string[]
}

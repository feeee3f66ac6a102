// Runs the suites of the client packages against a service of their own, on each version of Node.js that they support.
//   npm run test:clients [-- [--node=24] [sdk/test/paging.test.ts …] [options of the test runner]]
// SCHOLIAST_DEMO names the keys of the service; SCHOLIAST_LIMITED_URL is a node of it with short rate limit windows.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { repository, seedDemo, startEngines } from './installation.ts'
import { disabledLimits, waitUntilEventsAreAccepted } from './test-service.ts'

interface Run {
  readonly suite: string
  readonly name: string
  readonly node: string
  readonly files: readonly string[]
}

interface Outcome {
  readonly pass: number
  readonly fail: number
  readonly output: string
}

// The oldest version that each supports, and for the SDK the newest too. Everything else of this project runs on the newest.
// scripts/packages is the test of the packed packages.
const suites = new Map([
  ['sdk/test', [20, 24]],
  ['cli/test', [22]],
  ['sandbox/test', [22]],
  ['scripts/packages', [24]],
])
// Two at a time: a suite waits for the service much of the time.
const PARALLEL_SUITES = 2

const runtimes = `${repository}sdk/test/runtimes/node_modules`

const { databaseUrl, natsUrl } = startEngines()
// The test helpers read these when they are loaded.
Object.assign(process.env, { TEST_DATABASE_URL: databaseUrl, TEST_NATS_URL: natsUrl })
const { createBus } = await import('../server/test/bus.ts')
const { createDatabase } = await import('../server/test/database.ts')
const { ingestSettings } = await import('../server/test/ingest.ts')
const { startApi, startWorker } = await import('../server/test/process.ts')

const args = process.argv.slice(2)
const version = args.find((word) => word.startsWith('--node='))?.slice('--node='.length)
const named = args.filter((word) => word.endsWith('.test.ts'))
const options = args.filter((word) => !named.includes(word) && !word.startsWith('--node='))

const runs = planRuns()
if (runs.some(({ name }) => name.startsWith('sdk/test'))) compileSdkTests()
const isCliTested = runs.some(({ suite }) => suite === 'cli/test')
if (isCliTested || runs.some(({ node }) => node !== process.execPath)) installPackages('sdk/test/runtimes')
if (isCliTested) installPackages('cli/test/s3-server')

const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const [database, bus] = await Promise.all([createDatabase(), createBus()])
const settings = {
  ...ingestSettings(bus),
  CONNECTOR_KEYS: `test:${randomBytes(32).toString('hex')}`,
  // The worker signs the audit log, so that the command line has signatures to verify.
  AUDIT_SIGNING_KEY: randomBytes(32).toString('base64'),
  AUDIT_HEADS_FILE: `${folder}/heads.jsonl`,
  AUDIT_HEADS_SECONDS: '2',
}
// The window of keys is that of the contract.
const shortLimits = { LIMIT_ORGANIZATIONS: '3/2', LIMIT_METRICS: '3/2' }
// server/test/process.ts ends the processes when this one exits.
const [unlimited, limited, worker] = await Promise.all([
  startApi(database, { ...settings, ...disabledLimits }),
  startApi(database, { ...settings, ...shortLimits }),
  startWorker(database, settings),
]).catch(async (error: unknown) => {
  await Promise.all([database.drop(), bus.drop()])
  throw error
})
const demo = `${folder}/demo.json`
seedDemo(
  { baseUrl: unlimited.url, out: demo, more: ['--days', '14'] },
  { WORKER_DATABASE_URL: database.urls.worker, ...settings },
)
await waitUntilEventsAreAccepted(demo, [unlimited.url, limited.url])

const outcomes: Outcome[] = []
// Versions of one suite run one after the other: they write to the same repositories.
const waiting = [...Map.groupBy(runs, ({ suite }) => suite).values()]
await Promise.all(
  Array.from({ length: PARALLEL_SUITES }, async () => {
    for (let suite = waiting.shift(); suite !== undefined; suite = waiting.shift())
      for (const run of suite) outcomes.push(await runSuite(run))
  }),
)
await Promise.all([unlimited.stop(), limited.stop(), worker.stop()])
await Promise.all([database.drop(), bus.drop()])

const failed = outcomes.filter(({ fail }) => fail > 0)
for (const { output } of failed) console.log(output)
if (failed.length > 0) console.error(`${unlimited.output()}${limited.output()}${worker.output()}`)
console.log(`# pass ${outcomes.reduce((sum, { pass }) => sum + pass, 0)}`)
console.log(`# fail ${outcomes.reduce((sum, { fail }) => sum + fail, 0)}`)
process.exitCode = failed.length === 0 ? 0 : 1

function planRuns(): Run[] {
  return [...suites].flatMap(([suite, versions]) => {
    const files = globSync(`${suite}/*.test.ts`, { cwd: repository }).filter(
      (file) => named.length === 0 || named.includes(file),
    )
    if (files.length === 0) return []
    return versions
      .filter((candidate) => version === undefined || version === String(candidate))
      .map((candidate) => ({
        suite,
        name: `${suite} on Node.js ${candidate}`,
        node: candidate === 24 ? process.execPath : `${runtimes}/node-${candidate}/bin/node`,
        // Node.js 20 cannot run TypeScript. The SDK's tests run the same way everywhere.
        files:
          suite === 'sdk/test'
            ? files.map((file) => file.replace('/test/', '/.test/').replace(/ts$/, 'js'))
            : files,
      }))
  })
}

function compileSdkTests(): void {
  rmSync(`${repository}sdk/.test`, { recursive: true, force: true })
  const tsc = `${repository}node_modules/.bin/tsc`
  const { status } = spawnSync(tsc, ['-p', 'sdk/test'], { cwd: repository, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

/** What only tests need has a lockfile of its own. */
function installPackages(project: string): void {
  if (existsSync(`${repository}${project}/node_modules`)) return
  const { status } = spawnSync('npm', ['ci', '--prefix', project], {
    cwd: repository,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

async function runSuite({ name, node, files }: Run): Promise<Outcome> {
  const startedAt = performance.now()
  const words = ['--test', '--test-reporter=spec', '--test-timeout=120000', ...options, ...files]
  const child = spawn(node, words, {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SCHOLIAST_DEMO: demo, SCHOLIAST_LIMITED_URL: limited.url },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  const count = (what: string) => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  const pass = count('pass')
  const fail = status === 0 ? 0 : Math.max(1, count('fail') + count('cancelled'))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${name}: ${pass} passed, ${fail} failed in ${seconds} s`)
  return { pass, fail, output: `\n${name}\n${output}` }
}

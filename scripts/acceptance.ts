// Runs the acceptance suite against its own service: an API process without rate limits, one with the default limits on
// the same database, and a worker. Arguments go to the test runner.
// `--image` starts the service from the container image, on a database that the image migrates, and runs a part of the suite.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { runImageAdmin, startImageApi, startImageWorker } from './image-service.ts'
import { repository, type Settings, seedDemo, startEngines } from './installation.ts'
import { disabledLimits, waitUntilEventsAreAccepted } from './test-service.ts'

const { databaseUrl, natsUrl } = startEngines()
// The test helpers read these when they are loaded.
Object.assign(process.env, { TEST_DATABASE_URL: databaseUrl, TEST_NATS_URL: natsUrl })
const { makeBus } = await import('../server/test/bus.ts')
const { makeDatabase, makeEmptyDatabase } = await import('../server/test/database.ts')
const { ingestSettings } = await import('../server/test/ingest.ts')
const { freePort, startApi, startWorker } = await import('../server/test/process.ts')

const imageFiles = [
  'authentication',
  'documents',
  'errors',
  'ingest',
  'organizations',
  'repositories',
  'request-id',
]
const fromImage = process.argv.includes('--image')
const [database, bus] = await Promise.all([fromImage ? migrateWithImage() : makeDatabase(), makeBus()])
const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
const settings = {
  ...ingestSettings(bus),
  AUDIT_SIGNING_KEY: randomBytes(32).toString('base64'),
  AUDIT_HEADS_FILE: fromImage ? '/tmp/heads.jsonl' : `${folder}/heads.jsonl`,
  AUDIT_HEADS_SECONDS: '2',
}
// The settings of tests raise the first. The quota is so small that one file exceeds it.
const strictLimits = { INGEST_REQUESTS_PER_SECOND: '50', SARIF_QUOTA_BYTES: '1' }
const [unlimited, strict, worker] = fromImage
  ? await Promise.all([
      startImageApi(await imageSettings(disabledLimits)),
      startImageApi(await imageSettings(strictLimits)),
      startImageWorker(await imageSettings({})),
    ])
  : await Promise.all([
      startApi(database, { ...settings, ...disabledLimits }),
      startApi(database, { ...settings, ...strictLimits }),
      startWorker(database, settings),
    ])
const demo = `${folder}/demo.json`
seedDemo(
  { baseUrl: unlimited.url, out: demo, more: ['--data', `${repository}acceptance/fixtures`] },
  { WORKER_DATABASE_URL: database.urls.worker, ...settings },
)
await waitUntilEventsAreAccepted(demo, [unlimited.url, strict.url])

const args = process.argv.slice(2).filter((word) => word !== '--image')
const part = fromImage ? `{${imageFiles.join()}}` : '*'
const files = args.some((word) => word.endsWith('.ts'))
  ? []
  : globSync(`acceptance/${part}.test.ts`, { cwd: repository })
// One file at a time: all tests on one database share its rate limit windows.
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...args, ...files], {
  cwd: repository,
  stdio: 'inherit',
  env: { ...process.env, SCHOLIAST_DEMO: demo, SCHOLIAST_DEFAULT_LIMITS_URL: strict.url },
})
await Promise.all([unlimited.stop(), strict.stop(), worker.stop()])
await Promise.all([database.drop(), bus.drop()])
rmSync(folder, { recursive: true })
if (status !== 0) console.error(`${unlimited.output()}${strict.output()}${worker.output()}`)
process.exitCode = status ?? 1

/** Creates a database and migrates it with the commands of the image. */
async function migrateWithImage(): Promise<Awaited<ReturnType<typeof makeEmptyDatabase>>> {
  // An empty database needs the owner role, which exists after any database was bootstrapped on this server.
  await (await makeDatabase()).drop()
  const empty = await makeEmptyDatabase()
  const urls = { ...databaseSettings(empty.urls), BOOTSTRAP_DATABASE_URL: empty.superuserUrl }
  runImageAdmin(['database', 'bootstrap'], urls)
  runImageAdmin(['database', 'migrate'], urls)
  return empty
}

function databaseSettings(urls: typeof database.urls): Settings {
  return Object.fromEntries(
    Object.entries(urls).map(([role, url]) => [`${role.toUpperCase()}_DATABASE_URL`, url]),
  )
}

async function imageSettings(more: Settings) {
  return {
    ...databaseSettings(database.urls),
    ...settings,
    ...more,
    SIGNING_KEYS: `test:${'ab'.repeat(32)}`,
    INGEST_MAX_BYTES: String(64 * 1024 ** 2),
    LOG_LEVEL: 'warn',
    PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
  }
}

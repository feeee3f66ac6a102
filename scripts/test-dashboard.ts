// Runs the browser tests of the dashboard against a service of their own, with a year of demo data.
//   npm run test:dashboard [-- [dashboard/e2e/keys.test.ts …] [options of the test runner]]
// SCHOLIAST_DEMO names its keys and organizations; SCHOLIAST_PROVIDERS_FILE is its list of identity providers, which a test may write.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { repository, seedDemo, startEngines } from './installation.ts'
import { disabledLimits, waitUntilEventsAreAccepted } from './test-service.ts'

const { databaseUrl, natsUrl } = startEngines()
// The test helpers read these when they are loaded.
Object.assign(process.env, { TEST_DATABASE_URL: databaseUrl, TEST_NATS_URL: natsUrl })
const { createBus } = await import('../server/test/bus.ts')
const { createDatabase } = await import('../server/test/database.ts')
const { ingestSettings } = await import('../server/test/ingest.ts')
const { freePort } = await import('../server/test/free-port.ts')
const { startApi, startWorker } = await import('../server/test/process.ts')

const args = process.argv.slice(2)
const named = args.filter((word) => word.endsWith('.test.ts'))
const options = args.filter((word) => !named.includes(word))
const files = named.length > 0 ? named : globSync('dashboard/e2e/*.test.ts', { cwd: repository })

const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const screenshots = `${repository}.dev/screenshots`
mkdirSync(screenshots, { recursive: true })
const [database, bus, port] = await Promise.all([createDatabase(), createBus(), freePort()])
const publicUrl = `http://localhost:${port}`
const providersFile = `${folder}/providers.json`
writeFileSync(providersFile, '{ "providers": [] }')
const settings = {
  ...ingestSettings(bus),
  PUBLIC_URL: publicUrl,
  IDENTITY_PROVIDERS_FILE: providersFile,
  // The worker signs the audit log, so that a page has signatures to verify.
  AUDIT_SIGNING_KEY: randomBytes(32).toString('base64'),
  AUDIT_HEADS_FILE: `${folder}/heads.jsonl`,
  AUDIT_HEADS_SECONDS: '2',
}
const [api, worker] = await Promise.all([
  startApi(database, { ...settings, ...disabledLimits, PORT: String(port) }),
  startWorker(database, settings),
]).catch(async (error: unknown) => {
  await Promise.all([database.drop(), bus.drop()])
  throw error
})
const demo = `${folder}/demo.json`
const adminSettings = { WORKER_DATABASE_URL: database.urls.worker, ...settings }
seedDemo({ baseUrl: api.url, out: demo }, adminSettings)
await waitUntilEventsAreAccepted(demo, [api.url])

const words = ['--test', '--test-reporter=spec', '--test-concurrency=2', '--test-timeout=180000', ...options]
const child = spawn(process.execPath, [...words, ...files], {
  cwd: repository,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...adminSettings,
    SCHOLIAST_DEMO: demo,
    SCHOLIAST_URL: publicUrl,
    SCHOLIAST_PROVIDERS_FILE: providersFile,
    SCHOLIAST_SCREENSHOTS: screenshots,
  },
})
const status = await new Promise<number | null>((resolve, reject) => {
  child.once('error', reject).once('close', resolve)
})
await Promise.all([api.stop(), worker.stop()])
await Promise.all([database.drop(), bus.drop()])
if (status !== 0) console.error(`${api.output()}${worker.output()}`)
process.exitCode = status === 0 ? 0 : 1

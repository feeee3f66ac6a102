// Runs the acceptance suite against a service of its own: one API process with its limits switched off, one over the
// same database with the contract's defaults, and a worker. Arguments go to the test runner.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeBus } from '../server/test/bus.ts'
import { makeDatabase } from '../server/test/database.ts'
import { ingestSettings } from '../server/test/ingest.ts'
import { startApi, startWorker } from '../server/test/process.ts'
import { repository, seedDemo, startEngines } from './installation.ts'

startEngines()
const [database, bus] = await Promise.all([makeDatabase(), makeBus()])
const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
const settings = ingestSettings(bus)
const limits = [
  'AUDIT',
  'ORGANIZATIONS',
  'REPOSITORIES',
  'METRICS',
  'SECURITY',
  'LEARNINGS_WRITES',
  'USERS',
  'SEATS',
  'SEAT_MODE',
  'ROLES',
  'CUSTOM_ROLES',
  'KEYS',
]
const off = Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, 'off']))
const [unlimited, strict, worker] = await Promise.all([
  startApi(database, { ...settings, ...off }),
  startApi(database, settings),
  startWorker(database, settings),
])
const demo = `${folder}/demo.json`
seedDemo(
  { baseUrl: unlimited.url, out: demo, more: ['--data', `${repository}acceptance/fixtures`] },
  { WORKER_DATABASE_URL: database.urls.worker, ...settings },
)
await waitUntilEventsAreTaken()

const given = process.argv.slice(2)
const files = given.some((word) => word.endsWith('.ts'))
  ? []
  : globSync('acceptance/*.test.ts', { cwd: repository })
// One file at a time: windows are shared by everything that runs against one database.
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...given, ...files], {
  cwd: repository,
  stdio: 'inherit',
  env: { ...process.env, SCHOLIAST_DEMO: demo, SCHOLIAST_DEFAULT_LIMITS_URL: strict.url },
})
await Promise.all([unlimited.stop(), strict.stop(), worker.stop()])
await Promise.all([database.drop(), bus.drop()])
rmSync(folder, { recursive: true })
if (status !== 0) console.error(`${unlimited.output()}${strict.output()}${worker.output()}`)
process.exitCode = status ?? 1

/** A node takes events when the worker has told it which credentials have ended. */
async function waitUntilEventsAreTaken(): Promise<void> {
  const { keys } = JSON.parse(readFileSync(demo, 'utf8')) as { keys: { ingest: string } }
  for (const { url } of [unlimited, strict]) {
    for (let attempt = 0; attempt < 100; attempt++) {
      const headers = { 'x-service-api-key': keys.ingest, 'content-type': 'application/json' }
      const answer = await fetch(`${url}/ingest/v1/events`, { method: 'POST', headers, body: '[{}]' })
      if (answer.status !== 503) break
      await sleep(100)
    }
  }
}

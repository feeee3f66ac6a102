// Runs the acceptance suite against a service of its own: one API process with its limits switched off, and one over the
// same database with the contract's defaults. Arguments go to the test runner.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { makeDatabase } from '../server/test/database.ts'
import { startApi } from '../server/test/process.ts'
import { repository, runOrExit, startEngines } from './installation.ts'

startEngines()
const database = await makeDatabase()
const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
const unlimited = await startApi(database, { LIMIT_ORGANIZATIONS: 'off', LIMIT_REPOSITORIES: 'off' })
const strict = await startApi(database)
const demo = `${folder}/demo.json`
const seed = ['demo', 'seed', '--out', demo, '--base-url', unlimited.url]
runOrExit(process.execPath, [`${repository}server/src/admin.ts`, ...seed], {
  WORKER_DATABASE_URL: database.urls.worker,
  INGEST_KEYS: `test:${'cd'.repeat(32)}`,
})

const files = globSync('acceptance/*.test.ts', { cwd: repository })
// One file at a time: windows are shared by everything that runs against one database.
const { status } = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=1', ...process.argv.slice(2), ...files],
  {
    cwd: repository,
    stdio: 'inherit',
    env: { ...process.env, SCHOLIAST_DEMO: demo, SCHOLIAST_DEFAULT_LIMITS_URL: strict.url },
  },
)
await Promise.all([unlimited.stop(), strict.stop()])
await database.drop()
rmSync(folder, { recursive: true })
if (status !== 0) console.error(`${unlimited.output()}${strict.output()}`)
process.exitCode = status ?? 1

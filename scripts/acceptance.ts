// Runs the acceptance suite against its own service: an API process without rate limits, one with the default limits on
// the same database, and a worker. Arguments go to the test runner.
// `--image` starts the service from the container image, on a database that the image migrates, and runs a part of the suite.
// `--pgbouncer` puts PgBouncer in transaction mode between the service and its database.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { runImageAdmin, startImageApi, startImageWorker } from './image-service.ts'
import { repository, type Settings, seedDemo, startEngines } from './installation.ts'
import { disabledLimits, waitUntilEventsAreAccepted } from './test-service.ts'

const isPooled = process.argv.includes('--pgbouncer')
if (isPooled) process.env['SCHOLIAST_ENGINES_EXTRA'] = 'pgbouncer'
const { databaseUrl, natsUrl } = startEngines()
// The test helpers read these when they are loaded.
Object.assign(process.env, { TEST_DATABASE_URL: databaseUrl, TEST_NATS_URL: natsUrl })
const { createBus } = await import('../server/test/bus.ts')
const { createDatabase, createEmptyDatabase } = await import('../server/test/database.ts')
const { ingestSettings } = await import('../server/test/ingest.ts')
const { freePort } = await import('../server/test/free-port.ts')
const { startApi, startWorker } = await import('../server/test/process.ts')
const { startPgBouncer } = await import('../server/test/proofs/own-engines.ts')
const { createScimAdmin, makeScimCredential } = await import('../server/test/scim.ts')
const { createTenant } = await import('../server/test/tenant.ts')
const { createSignInData } = await import('../server/test/sign-in-links.ts')

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
const [database, bus] = await Promise.all([fromImage ? migrateWithImage() : createDatabase(), createBus()])
const pooler = isPooled ? await startPgBouncer(databaseUrl) : null
const served = pooler === null ? database : { ...database, urls: throughPooler(pooler.url) }
const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
const publicUrl = 'https://scholiast.example.com'
const settings = {
  ...ingestSettings(bus),
  PUBLIC_URL: publicUrl,
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
      startApi(served, { ...settings, ...disabledLimits }),
      startApi(served, { ...settings, ...strictLimits }),
      startWorker(served, settings),
    ])
const demo = `${folder}/demo.json`
seedDemo(
  { baseUrl: unlimited.url, out: demo, more: ['--data', `${repository}acceptance/fixtures`] },
  { WORKER_DATABASE_URL: database.urls.worker, ...settings },
)
await waitUntilEventsAreAccepted(demo, [unlimited.url, strict.url])
const signIn = fromImage ? null : await createSignInTenant()

const scim = fromImage ? null : await createScimTenant()

const args = process.argv.slice(2).filter((word) => word !== '--image' && word !== '--pgbouncer')
const part = fromImage ? `{${imageFiles.join()}}` : '*'
const isNamed = args.some((word) => word.endsWith('.ts'))
const files = isNamed ? [] : globSync(`acceptance/${part}.test.ts`, { cwd: repository })
// This file waits for a minute. No other file counts in its windows, so they run meanwhile.
const waiting = 'acceptance/limits.test.ts'
const outcomes = files.includes(waiting)
  ? await Promise.all([
      runFiles(files.filter((file) => file !== waiting)),
      runFiles([waiting], { hold: true }),
    ])
  : [await runFiles(files)]
await Promise.all([unlimited.stop(), strict.stop(), worker.stop()])
await pooler?.remove()
await Promise.all([database.drop(), bus.drop()])
rmSync(folder, { recursive: true })
const hasFailed = outcomes.some(({ status }) => status !== 0)
for (const { held } of outcomes) process.stdout.write(held)
if (hasFailed) console.error(`${unlimited.output()}${strict.output()}${worker.output()}`)
for (const what of ['pass', 'fail'] as const)
  console.log(`# ${what} ${outcomes.reduce((sum, outcome) => sum + outcome[what], 0)}`)
process.exitCode = hasFailed ? 1 : 0

interface Outcome {
  readonly status: number | null
  readonly pass: number
  readonly fail: number
  /** Output that is not printed yet. */
  readonly held: string
}

/** One file at a time: all tests on one database share its rate limit windows. */
async function runFiles(named: readonly string[], { hold = false } = {}): Promise<Outcome> {
  const options = ['--test', '--test-concurrency=1', '--test-reporter=spec']
  const child = spawn(process.execPath, [...options, ...args, ...named], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      SCHOLIAST_DEMO: demo,
      SCHOLIAST_DEFAULT_LIMITS_URL: strict.url,
      ...(scim && { SCHOLIAST_SCIM: JSON.stringify(scim) }),
      ...(signIn && { SCHOLIAST_SIGN_IN: JSON.stringify(signIn) }),
    },
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (!hold) process.stdout.write(chunk)
  })
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  const count = (what: string) => Number(new RegExp(`^. ${what} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  const fail = status === 0 ? 0 : Math.max(1, count('fail') + count('cancelled'))
  return { status, pass: count('pass'), fail, held: hold ? text : '' }
}

/** A tenant of its own, because its people are deactivated. */
async function createScimTenant() {
  const tenant = await createTenant(database)
  const [credential, other, leaver, token] = await Promise.all([
    makeScimCredential(tenant, tenant.workspace),
    makeScimCredential(tenant, tenant.alone),
    tenant.createKey('user', { role: 'cr_admin' }),
    tenant.createKey('workspace'),
  ])
  const admin = await createScimAdmin(tenant, unlimited.url, credential.value)
  await tenant.close()
  const keys = { leaver: leaver.value, token: token.value }
  return { credential: credential.value, other: other.value, ...keys, admin }
}

/** A tenant of its own, whose people sign in by one-time links. */
async function createSignInTenant() {
  const tenant = await createTenant(database)
  const data = await createSignInData(tenant, publicUrl)
  await tenant.close()
  return data
}

/** Creates a database and migrates it with the commands of the image. */
async function migrateWithImage(): Promise<Awaited<ReturnType<typeof createEmptyDatabase>>> {
  // An empty database needs the owner role, which exists after any database was bootstrapped on this server.
  await (await createDatabase()).drop()
  const empty = await createEmptyDatabase()
  const urls = { ...databaseSettings(empty.urls), BOOTSTRAP_DATABASE_URL: empty.superuserUrl }
  runImageAdmin(['database', 'bootstrap'], urls)
  runImageAdmin(['database', 'migrate'], urls)
  return empty
}

function throughPooler(address: string): typeof database.urls {
  const { host } = new URL(address)
  const entries = Object.entries(database.urls).map(([role, url]) => [
    role,
    Object.assign(new URL(url), { host }).href,
  ])
  return Object.fromEntries(entries) as typeof database.urls
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
    CONNECTOR_KEYS: `test:${'cd'.repeat(32)}`,
    INGEST_MAX_BYTES: String(64 * 1024 ** 2),
    LOG_LEVEL: 'warn',
    PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
  }
}

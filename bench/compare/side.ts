import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Operator } from '../../demo/operator.ts'
import { Service } from '../../demo/service.ts'
import { busUrl, deleteStreams } from '../../server/test/bus.ts'
import { nameDatabase, type TestDatabase } from '../../server/test/database.ts'
import { limitsOff } from '../../server/test/limits-off.ts'
import { startApi, startWorker } from '../../server/test/process.ts'
import { createEventGenerator, type ReviewTarget } from '../../server/test/pull-requests.ts'

/** A revision that serves. Its schema may be another one, so only its entry points, settings and endpoints are used. */
export interface Side {
  readonly url: string
  /** A workspace token. */
  readonly key: string
  /** Sends the next pull requests. */
  send(count: number): Promise<void>
  /** Sends the next pull requests and waits until they are stored. Returns how many were stored per second. */
  ingest(count: number): Promise<number>
  vacuum(): Promise<void>
  close(): Promise<void>
}

const ORGANIZATIONS = 2_000
const REPOSITORIES = 5
/** The organizations with pull requests. */
const REVIEWED = 20
const EVENTS_PER_CALL = 200
const SENDERS = 4
const OWNER = 'owner@example.com'
/** The maximum number of items of an inventory event. */
const MAX_ITEMS = 500

const github = { provider: 'github', host: 'github.com' }
const organizations = Array.from({ length: ORGANIZATIONS }, (_, index) => ({
  ...github,
  id: String(1_000_000 + index),
  name: `organization-${index}`,
}))
const targets = organizations.slice(0, REVIEWED).map(
  ({ id, name }): ReviewTarget => ({
    ...github,
    organization: { id, name },
    repositories: Array.from({ length: REPOSITORIES }, (_, index) => ({
      id: `${id}${index}`,
      name: `repository-${index}`,
    })),
    authors: Array.from({ length: 20 }, (_, index) => ({
      id: `${id}${100 + index}`,
      username: `developer-${index}`,
    })),
  }),
)

/** `server` is the folder of the revision's server. Its processes get the settings too. */
export async function startSide(server: string, more: Readonly<Record<string, string>> = {}): Promise<Side> {
  const database = nameDatabase()
  const prefix = database.name
  const settings = {
    ...toDatabaseSettings(database),
    ...limitsOff,
    NATS_URL: busUrl,
    BUS_PREFIX: prefix,
    INGEST_KEYS: `bench:${randomBytes(32).toString('hex')}`,
    INGEST_REQUESTS_PER_SECOND: '100000',
    INGEST_MAX_BYTES: String(1024 ** 3),
    LOG_LEVEL: 'info',
    ...more,
  }
  const admin = [process.execPath, `${server}/src/admin.ts`] as const
  const env = { PATH: process.env['PATH'], ...settings }
  for (const step of ['bootstrap', 'migrate'])
    await promisify(execFile)(admin[0], [admin[1], 'database', step], { env })
  const worker = await startWorker(database, settings, `${server}/src/worker.ts`)
  const api = await startApi(database, settings, `${server}/src/api.ts`)
  const operator = new Operator(admin, env)
  const service = new Service(api.url)
  const { key, credential } = await createWorkspace(operator, service)
  const generator = createEventGenerator({ end: new Date('2026-04-01'), days: 90, findings: 10 })
  let sent = 0
  const createBodies = (count: number) => {
    const events = Array.from({ length: count }, () =>
      generator.finalized(targets[sent++ % targets.length] as ReviewTarget),
    )
    return toBatches(events, EVENTS_PER_CALL).map((batch) => JSON.stringify(batch))
  }
  const sendBodies = async (bodies: string[]) => {
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        for (let body = bodies.pop(); body !== undefined; body = bodies.pop())
          await sendBody(service, credential, body)
      }),
    )
  }
  return {
    url: api.url,
    key,
    send: (count) => sendBodies(createBodies(count)),
    async ingest(count) {
      const bodies = createBodies(count)
      const started = performance.now()
      await sendBodies(bodies)
      await waitUntilStored(operator)
      const seconds = (performance.now() - started) / 1000
      const { dead_letters } = await service.call<{ dead_letters: number }>('/ingest/v1/status', {
        key: credential,
      })
      if (dead_letters > 0) throw new Error(`${dead_letters} messages could not be stored.`)
      return count / seconds
    },
    async vacuum() {
      const superuser = database.superuser()
      await superuser.query('vacuum analyze')
      await superuser.end()
    },
    async close() {
      await Promise.all([api.stop(), worker.stop(), operator.close()])
      await deleteStreams(prefix)
      await database.drop()
    },
  }
}

function toDatabaseSettings({ superuserUrl, urls }: TestDatabase) {
  return {
    BOOTSTRAP_DATABASE_URL: new URL('/postgres', superuserUrl).href,
    OWNER_DATABASE_URL: urls.owner,
    AUTH_DATABASE_URL: urls.auth,
    API_DATABASE_URL: urls.api,
    WORKER_DATABASE_URL: urls.worker,
  }
}

/** A workspace with its organizations and repositories, a workspace token and an ingest credential. */
async function createWorkspace(operator: Operator, service: Service) {
  const root = 'Bench'
  const createKey = async (kind: string, ...words: readonly string[]) => {
    const options = ['--root', root, '--kind', kind, '--name', 'bench', '--expires-in-days', '2']
    return (await operator.run<{ value: string }>('key', 'create', ...options, ...words)).value
  }
  const plan = ['--plan', 'enterprise', '--seats', '10', '--sso']
  await operator.run('workspace', 'create', '--name', root, ...plan)
  const credential = await createKey('ingest')
  if (!(await service.accepts(credential))) throw new Error('The ingest credential is rejected.')
  const [first] = organizations
  await sendInventory(service, credential, [
    ...toBatches(organizations, MAX_ITEMS).map((batch) => ({ organizations: batch })),
    {
      repositories: targets.flatMap(({ organization, repositories }) =>
        repositories.map((repository) => ({ organization: { ...github, ...organization }, ...repository })),
      ),
      accounts: [{ ...github, id: '1', username: 'owner', email: OWNER, name: 'Owner' }],
      memberships: [{ organization: { ...github, id: first?.id }, account_id: '1' }],
    },
  ])
  await waitUntilStored(operator)
  await operator.run('person', 'promote', '--root', root, '--person', OWNER)
  return { credential, key: await createKey('workspace', '--owner', OWNER) }
}

/** One after another: repositories need their organizations. */
async function sendInventory(
  service: Service,
  credential: string,
  payloads: readonly object[],
): Promise<void> {
  const occurred_at = new Date().toISOString()
  for (const [index, payload] of payloads.entries()) {
    const event = { id: `inventory-${index}`, type: 'inventory.changed', version: 1, occurred_at, payload }
    await sendBody(service, credential, JSON.stringify([event]))
  }
}

async function sendBody(service: Service, credential: string, body: string): Promise<void> {
  const { rejected } = await service.call<{ rejected: readonly unknown[] }>('/ingest/v1/events', {
    key: credential,
    body,
  })
  if (rejected.length > 0) throw new Error(`An event was rejected: ${JSON.stringify(rejected[0])}`)
}

/** The queue drops a message when its events are stored. */
async function waitUntilStored(operator: Operator): Promise<void> {
  for (let attempt = 0; attempt < 6_000; attempt++) {
    const { messages } = await operator.run<{ messages: number }>('ingest', 'status')
    if (messages === 0) return
    await sleep(20)
  }
  throw new Error('Messages are still in the ingest queue after two minutes.')
}

function toBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

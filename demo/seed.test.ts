import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createBus, type TestBus } from '../server/test/bus.ts'
import { createDatabase, type TestDatabase } from '../server/test/database.ts'
import { ingestSettings } from '../server/test/ingest.ts'
import { type ApiProcess, type ServerProcess, startApi, startWorker } from '../server/test/process.ts'
import { type Data, loadData } from './data.ts'
import { daysBefore } from './history/calendar.ts'
import { historyOf } from './history/events.ts'

interface Demo {
  readonly base_url: string
  readonly keys: Readonly<Record<string, string>>
  readonly organizations: {
    readonly id: string
    readonly org_id: string
    readonly name: string
    readonly root: string
    readonly repositories: { readonly repository_id: string; readonly name: string }[]
  }[]
}

const DAYS = 10
const entry = fileURLToPath(new URL('seed.ts', import.meta.url))
let data: Data
let folder: string
let file: string
let database: TestDatabase
let bus: TestBus
let api: ApiProcess
let worker: ServerProcess
let superuser: ReturnType<TestDatabase['superuser']>

before(async () => {
  data = loadData(fileURLToPath(new URL('data', import.meta.url)))
  folder = await mkdtemp(join(tmpdir(), 'demo-'))
  file = join(folder, 'demo.json')
  ;[database, bus] = await Promise.all([createDatabase(), createBus()])
  superuser = database.superuser()
  const settings = ingestSettings(bus)
  const unlimited = { LIMIT_METRICS: 'off', LIMIT_KEYS: 'off', LIMIT_LEARNINGS_WRITES: 'off' }
  ;[api, worker] = await Promise.all([
    startApi(database, { ...settings, ...unlimited }),
    startWorker(database, settings),
  ])
  await seed()
})
after(async () => {
  await Promise.all([api.stop(), worker.stop(), superuser.end()])
  await Promise.all([database.drop(), bus.drop(), rm(folder, { recursive: true })])
})

/** Returns the last line of the report. */
async function seed(): Promise<string> {
  const words = ['--base-url', api.url, '--out', file, '--days', String(DAYS), '--env-file', '/dev/null']
  const child = spawn(process.execPath, [entry, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], WORKER_DATABASE_URL: database.urls.worker, ...ingestSettings(bus) },
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = (await once(child, 'close')) as [number]
  assert.equal(code, 0, output)
  return output.trimEnd().split('\n').at(-1) ?? ''
}

const readDemo = async () => JSON.parse(await readFile(file, 'utf8')) as Demo
const rows = async <Row>(sql: string) => (await superuser.query(sql)).rows as Row[]
const callSelf = async (key = '') =>
  fetch(`${api.url}/v1/keys/self`, { headers: { 'x-service-api-key': key } })

const tables = [
  'root',
  'instance',
  'organization',
  'repository',
  'person',
  'account',
  'membership',
  'pull_request',
  'outcome',
  'mcp_usage',
  'learning',
  'learning_setting',
  'security_finding',
  'security_scan',
]

/** A digest of each table without arrival times, which a repeated event may change. */
function digests(): Promise<unknown[]> {
  return Promise.all(
    tables.map((table) =>
      rows(
        `select '${table}' as name, count(*)::int, md5(string_agg(t, '' order by t)) from
         (select (to_jsonb(r) - 'received_at')::text as t from ${table} r) texts`,
      ),
    ),
  )
}

test('the file has the documented fields and only its owner can read it', async () => {
  const demo = await readDemo()
  assert.deepEqual(Object.keys(demo), ['base_url', 'keys', 'organizations'])
  assert.equal(demo.base_url, api.url)
  assert.deepEqual(
    Object.keys(demo.keys),
    data.keys.map(({ name }) => name),
  )
  for (const organization of demo.organizations) {
    assert.deepEqual(Object.keys(organization), ['id', 'org_id', 'name', 'root', 'repositories'])
    assert.ok(organization.repositories.length >= 2)
    for (const { name } of organization.repositories) assert.doesNotMatch(name, /-archived$/)
  }
  const kinds = demo.organizations.map(({ root }) => root).join(' ')
  assert.equal(
    kinds,
    'workspace workspace workspace instance instance organization organization organization',
  )
  assert.equal((await stat(file)).mode & 0o777, 0o600)
})

test('every key has the kind and state in its name', async () => {
  const { keys } = await readDemo()
  for (const { name, kind, state, demoted_owner } of data.keys) {
    const response = await callSelf(keys[name])
    const isUnknown = kind === 'ingest' || state !== undefined
    assert.equal(response.status, isUnknown ? 401 : demoted_owner ? 403 : 200, name)
    if (response.ok) assert.equal(((await response.json()) as { kind: string }).kind, kind, name)
  }
  const demoted = await rows<{ workspace_admin: boolean }>(
    `select p.workspace_admin from api_key k join person p on p.id = k.owner_id
     where k.name = 'Demo: workspace demoted owner'`,
  )
  assert.deepEqual(demoted, [{ workspace_admin: false }])
  const left = await rows(`select from api_key where name = 'Demo seeding' and revoked_at is null`)
  assert.equal(left.length, 0, 'the keys of the seeding are revoked')
})

test('everything in the data files is stored once', async () => {
  const count = async (table: string) =>
    (await rows<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n
  const organizations = data.tenants.flatMap((tenant) => tenant.organizations)
  const repositories = organizations.flatMap((organization) => organization.repositories)
  assert.equal(await count('root'), data.tenants.length)
  assert.equal(await count('organization'), organizations.length)
  assert.equal(await count('repository'), repositories.length)
  assert.equal(await count('person'), data.tenants.flatMap(({ people }) => people).length)
  const [root] = await rows<{ day: string }>(
    `select to_char(min(created_at) at time zone 'UTC', 'YYYY-MM-DD') as day from root`,
  )
  const histories = data.tenants.map((tenant) =>
    historyOf(data, tenant, daysBefore(root?.day ?? '', DAYS), ''),
  )
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  const events = (type: string) =>
    histories.flatMap((history) => history.events.filter((event) => event.type === type)).length
  assert.equal(await count('pull_request'), sum(histories.map(({ pullRequests }) => pullRequests)))
  assert.equal(await count('outcome'), events('finding.outcome'))
  assert.equal(await count('mcp_usage'), events('mcp.used'))
  assert.deepEqual(await rows('select name from organization where not active'), [{ name: 'Dormant' }])
  assert.deepEqual(await rows('select name from repository where not active'), [
    { name: 'tariff-import-archived' },
  ])
  const stored = await rows<{ repository_id: string; rule_id: string }>(
    'select repository_id, rule_id from security_finding',
  )
  const expected = repositories.flatMap(({ repository_id, kind }) =>
    data.securityFindings
      .filter(({ repository_kind }) => repository_kind === kind)
      .map(({ rule_id }) => `${repository_id} ${rule_id}`),
  )
  assert.deepEqual(
    stored.map(({ repository_id, rule_id }) => `${repository_id} ${rule_id}`).toSorted(),
    expected.toSorted(),
  )
  const states = await rows<{ state: string }>('select distinct state from security_finding order by 1')
  assert.deepEqual(
    states.map(({ state }) => state),
    ['dismissed', 'fixed', 'open'],
  )
})

test('Learnings are stored with the state and uses in the data files', async () => {
  const plans = new Map(
    data.tenants.flatMap(({ plan, organizations }) =>
      organizations.flatMap((one) =>
        one.repositories.map(({ repository_id }) => [repository_id, plan] as const),
      ),
    ),
  )
  const expected = data.learnings.map(
    ({ repository_id, learning, file: path = null, source, state, uses = 0 }) => {
      // Only the Enterprise plan has the API that returns the ids of Learnings.
      const counted = plans.get(repository_id) === 'enterprise' ? uses : 0
      return [repository_id, learning, path, source, state, counted, state === 'shared'].join(' | ')
    },
  )
  const stored = await rows<{ line: string }>(
    `select concat_ws(' | ', repository_id, text, coalesce(file, ''), source, state, usage_count, exists (
       select from learning_index i where i.learning_id = l.id and i.content_hash = l.content_hash)::text) as line
     from learning l`,
  )
  assert.deepEqual(stored.map(({ line }) => line).toSorted(), expected.toSorted())
  const waiting = await rows(
    `select from learning where state = 'pending' and source = 'chat' and deadline > now()`,
  )
  const chats = data.learnings.filter(({ state, source }) => state === 'pending' && source === 'chat')
  assert.equal(waiting.length, chats.length)
})

test('seeding again does not change data and keys', async () => {
  const [text, stored] = [await readFile(file, 'utf8'), await digests()]
  assert.match(await seed(), /0 of 5 tenants seeded, 0 keys created, 16 reused/)
  assert.equal(await readFile(file, 'utf8'), text)
  assert.deepEqual(await digests(), stored)
})

test('an interrupted seeding is repeated with the same events, which change nothing', async () => {
  const stored = await digests()
  await superuser.query(
    `update api_key set revoked_at = null where name = 'Demo seeding' and kind = 'ingest'`,
  )
  assert.match(await seed(), /5 of 5 tenants seeded, 0 keys created, 16 reused/)
  assert.deepEqual(await digests(), stored)
})

test('a key that no longer works is replaced, and only that one', async () => {
  const { keys } = await readDemo()
  await superuser.query(`update api_key set revoked_at = now() where name = 'Demo: agentic'`)
  assert.match(await seed(), /1 keys created, 15 reused/)
  const replaced = (await readDemo()).keys
  assert.deepEqual(
    Object.keys(keys).filter((name) => keys[name] !== replaced[name]),
    ['agentic'],
  )
})

test('without the file all keys are replaced and the old ones are revoked', async () => {
  const { keys } = await readDemo()
  await writeFile(file, 'not JSON')
  assert.match(await seed(), /0 of 5 tenants seeded, 16 keys created, 0 reused/)
  for (const name of Object.keys(keys)) assert.equal((await callSelf(keys[name])).status, 401, name)
  assert.equal((await callSelf((await readDemo()).keys['workspace'])).status, 200)
})

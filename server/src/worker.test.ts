import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { busUrl, makeBus, type TestBus, waitFor } from '../test/bus.ts'
import { makeDatabase, type TestDatabase } from '../test/database.ts'
import { freePort } from '../test/process.ts'

const entry = fileURLToPath(new URL('worker.ts', import.meta.url))
const children: ChildProcess[] = []
let database: TestDatabase
let superuser: pg.Client
let made: TestBus

before(async () => {
  database = await makeDatabase()
  superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  made = await makeBus()
})
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([superuser.end(), made.drop()])
  await database.drop()
})

function startWorker(settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [entry], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      WORKER_DATABASE_URL: database.urls.worker,
      NATS_URL: busUrl,
      BUS_PREFIX: made.prefix,
      ...settings,
    },
  })
  children.push(child)
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said.text += text
    })
  }
  return { child, said, exited: once(child, 'exit') }
}

test('the worker publishes what was committed, shows its figures and drains when told', async () => {
  const port = await freePort()
  const { child, said, exited } = startWorker({ METRICS_PORT: String(port) })
  await waitFor('the worker works', () => said.text.includes('"working"'))
  await superuser.query(
    `insert into outbox (root_id, event_id, type, payload) values ($1, $2, 'organization.created', '{"n": 1}')`,
    [randomUUID(), randomUUID()],
  )
  await waitFor('the event is published', async () => (await made.messages('EVENTS')).length === 1)
  const [message] = await made.messages('EVENTS')
  assert.equal(message?.subject, `${made.prefix}.events.organization.created`)
  const figures = await fetch(`http://127.0.0.1:${port}/metrics`)
  assert.match(await figures.text(), /scholiast_event_duration_seconds/)

  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
  assert.match(said.text, /"stopped"/)
  assert.doesNotMatch(said.text, /"level":"(error|warn|fatal)"/)
})

test('the worker refuses to run as a role that row-level security does not bind', async () => {
  const { said, exited } = startWorker({ WORKER_DATABASE_URL: database.urls.owner })
  const [code] = await exited
  assert.equal(code, 1)
  assert.match(said.text, /Refusing to run as database role scholiast_owner/)
})

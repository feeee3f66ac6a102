import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { busUrl, createBus } from '../test/bus.ts'
import { openDatabase } from '../test/fixture.ts'
import { freePort } from '../test/free-port.ts'
import { type ServerProcess, startWorker } from '../test/process.ts'
import { waitFor } from '../test/wait.ts'

let worker: ServerProcess | undefined

const { database, superuser, use, defer } = await openDatabase()
const made = use(await createBus())
defer(() => worker?.stop('SIGKILL'))

const bus = () => ({ NATS_URL: busUrl, BUS_PREFIX: made.prefix })

test('the worker publishes what was committed, shows its figures and drains on a signal', async () => {
  const port = await freePort()
  worker = await startWorker(database, { ...bus(), METRICS_PORT: String(port) })
  const { config } = await made.bus.manager.streams.info(made.bus.streamName('QUEUE'))
  const { retention, discard, max_age, max_bytes } = config
  assert.deepEqual([retention, discard, max_age, max_bytes], ['workqueue', 'new', 0, 64 * 1024 ** 2])
  await superuser.query(
    `insert into outbox (root_id, event_id, type, payload) values ($1, $2, 'organization.created', '{"n": 1}')`,
    [randomUUID(), randomUUID()],
  )
  await waitFor('the event is published', async () => (await made.messages('EVENTS')).length === 1)
  const [message] = await made.messages('EVENTS')
  assert.equal(message?.subject, `${made.prefix}.events.organization.created`)
  const lines = [
    /scholiast_event_duration_seconds/,
    /scholiast_timer_last_run_timestamp_seconds\{timer="run-role-jobs",outcome="done"\} 1\d{9}/,
    /scholiast_event_oldest_age_seconds\{stage="outbox"\} \d/,
    /scholiast_stream_messages\{stream="DEAD"\} 0/,
    /scholiast_consumer_pending_messages\{consumer="person-outcomes"\} 0/,
    /scholiast_database_wait_seconds_total\{pool="worker"\} \d/,
  ]
  await waitFor('all figures are shown', async () => {
    const figures = await fetch(`http://127.0.0.1:${port}/metrics`)
    const text = await figures.text()
    return lines.every((line) => line.test(text))
  })

  const exited = once(worker.process, 'exit')
  worker.process.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
  assert.match(worker.output(), /"stopped"/)
  assert.doesNotMatch(worker.output(), /"level":"(error|warn|fatal)"/)
})

test('the worker refuses to run as a role that row-level security does not bind', async () => {
  const settings = { ...bus(), WORKER_DATABASE_URL: database.urls.owner }
  await assert.rejects(
    startWorker(database, settings),
    /did not start:[^]*Refusing to run as database role scholiast_owner/,
  )
})

import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../bus/connect.ts'
import { returnToPreviousQueue } from '../bus/ingest/previous-queue.ts'
import { formatCount } from '../plural.ts'
import { type AdminCommand, briefOutput, defineCommand, dryRunOption } from './command.ts'

const environment = ['NATS_URL', 'BUS_PREFIX']
const POLL_INTERVAL_MS = 500
const eventStreams = ['QUEUE', 'INGEST'] as const

type StreamStatus = Awaited<ReturnType<typeof readStream>>

/** The worker acknowledges a message after its events are stored, and the stream then drops it. */
async function readStream(bus: Bus, name: (typeof eventStreams)[number]) {
  const stream = bus.streamName(name)
  const { state, config } = await bus.manager.streams.info(stream)
  let parked = 0
  for await (const { num_ack_pending } of bus.manager.consumers.list(stream)) parked += num_ack_pending
  return {
    stream,
    messages: state.messages,
    parked,
    bytes: state.bytes,
    max_bytes: config.max_bytes,
    oldest: state.messages === 0 ? null : state.first_ts,
  }
}

const readStreams = (bus: Bus) => Promise.all(eventStreams.map((name) => readStream(bus, name)))

function countMessages(rows: readonly StreamStatus[]): number {
  return rows.reduce((sum, { messages }) => sum + messages, 0)
}

const queueStatus = defineCommand({
  name: 'queue status',
  summary: 'Show what waits in the event queue, and in the queue of the previous version',
  environment,
  options: {
    wait: {
      kind: 'integer',
      min: 1,
      max: 86_400,
      summary: 'Wait up to this many seconds until both are empty; fail if they are not',
    },
  },
  example: '--wait 60',
  async run(admin, { wait = 0 }) {
    const bus = await admin.bus()
    const deadline = performance.now() + wait * 1000
    let rows = await readStreams(bus)
    while (countMessages(rows) > 0 && performance.now() < deadline) {
      await sleep(POLL_INTERVAL_MS)
      rows = await readStreams(bus)
    }
    if (wait > 0 && countMessages(rows) > 0)
      throw new Error(`${countMessages(rows)} messages still wait after ${wait} seconds.`)
    return { rows, emptyMessage: 'There is no queue.' }
  },
})

const queueReturn = defineCommand({
  name: 'queue return',
  summary: 'Move the queue and its dead letters to where the previous version reads them',
  environment,
  options: { 'dry-run': dryRunOption },
  example: '--dry-run',
  async run(admin, { 'dry-run': dryRun }) {
    const { messages, dead_letters } = await returnToPreviousQueue(await admin.bus(), dryRun)
    return briefOutput(
      `${dryRun ? 'Would move' : 'Moved'} ${formatCount(messages, 'message')} and ${formatCount(dead_letters, 'dead letter')}.`,
      { messages, dead_letters, dry_run: dryRun },
    )
  },
})

const ingestStatus = defineCommand({
  name: 'ingest status',
  summary: 'Show the number of messages in the ingest queue',
  environment,
  options: {},
  example: '',
  async run(admin) {
    const rows = await readStreams(await admin.bus())
    const messages = countMessages(rows)
    return {
      message: messages === 0 ? 'The ingest queue is empty.' : 'The ingest queue contains:',
      fields: { messages, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) },
    }
  },
})

export const queueCommands: readonly AdminCommand[] = [ingestStatus, queueStatus, queueReturn]

import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../bus/connect.ts'
import { replayArchive } from '../bus/queue/archive.ts'
import { pluralize } from '../plural.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  option,
  parsePastTime,
  timeFormat,
} from './command.ts'

const environment = ['NATS_URL', 'BUS_PREFIX']
const POLL_INTERVAL_MS = 500
/** The worker acknowledges a message after its events are stored, and the stream then drops it. */
async function readQueue(bus: Bus) {
  const stream = bus.streamName('QUEUE')
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

const queueStatus = defineCommand({
  name: 'queue status',
  summary: 'Show what waits in the event queue',
  environment,
  options: {
    wait: option.integer(1, 86_400, 'Wait up to this many seconds until it is empty; fail if it is not'),
  },
  example: '--wait 60',
  async run(admin, { wait = 0 }) {
    const bus = await admin.bus()
    const deadline = performance.now() + wait * 1000
    let queue = await readQueue(bus)
    while (queue.messages > 0 && performance.now() < deadline) {
      await sleep(POLL_INTERVAL_MS)
      queue = await readQueue(bus)
    }
    if (wait > 0 && queue.messages > 0)
      throw new Error(
        `${pluralize(queue.messages, 'message still waits', 'messages still wait')} after ${wait} seconds.`,
      )
    return { rows: [queue], emptyMessage: 'There is no queue.' }
  },
})

const ingestStatus = defineCommand({
  name: 'ingest status',
  summary: 'Show the number of messages in the ingest queue',
  environment,
  async run(admin) {
    const { messages, bytes } = await readQueue(await admin.bus())
    return {
      message: messages === 0 ? 'The ingest queue is empty.' : 'The ingest queue contains:',
      fields: { messages, bytes },
    }
  },
})

const queueReplay = defineCommand({
  name: 'queue replay',
  summary: 'After a restore: queue the events again that were handled later',
  environment,
  options: {
    from: option.text('TIME', 'The earliest point in time to which a database was restored', {
      required: true,
      format: timeFormat,
    }),
    'dry-run': option.dryRun,
  },
  example: '--from 2026-11-16T04:00:00Z --dry-run',
  async run(admin, { from, 'dry-run': dryRun }) {
    const replay = { from: parsePastTime('from', from, new Date()), dryRun, report: admin.reportProgress }
    const { messages, bytes, oldest } = await replayArchive(await admin.bus(), replay)
    const begins =
      oldest === null ? 'The archive is empty.' : `The archive begins at ${oldest.toISOString()}.`
    const action = dryRun ? 'Would queue' : 'Queued'
    return briefOutput(`${action} ${pluralize(messages, 'message')} again. ${begins}`, {
      messages,
      bytes,
      oldest: oldest?.toISOString() ?? null,
      dry_run: dryRun,
    })
  },
})

export const queueCommands: readonly AdminCommand[] = [ingestStatus, queueStatus, queueReplay]

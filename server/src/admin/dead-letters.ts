import type { Bus } from '../bus/connect.ts'
import { listDeadLetters, replayDeadLetters } from '../bus/dead-letters.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  dryRunOption,
  type Output,
  UsageError,
} from './command.ts'

const EVERY_CONSUMER = '*'
const consumerName = { pattern: /^[A-Za-z0-9_-]+$/, description: 'the name of a consumer' }

const list = defineCommand({
  name: 'dead-letters list',
  summary: 'List messages that were given up, with the reason',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: {
    consumer: {
      kind: 'text',
      placeholder: 'NAME',
      format: consumerName,
      summary: 'Only those of this consumer',
    },
    after: { kind: 'integer', min: 0, max: 9e15, summary: 'Only those behind this sequence' },
    limit: { kind: 'integer', min: 1, max: 1000, summary: 'At most so many (100)' },
  },
  example: '--limit 20',
  async run(admin, { consumer, after, limit = 100 }) {
    const letters = await listDeadLetters(await admin.bus(), { consumer, after, limit })
    const rows = letters.map((letter) => ({ ...letter, time: letter.time.toISOString() }))
    const last = rows.length === limit ? rows.at(-1) : undefined
    return {
      rows,
      emptyMessage: 'There is no dead letter.',
      more: last ? `More may follow: --after ${last.sequence}` : null,
    }
  },
})

const replay = defineCommand({
  name: 'dead-letters replay',
  summary: 'Give messages back to where they came from: one, a consumer’s, or all',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: {
    sequence: { kind: 'integer', min: 1, max: 9e15, summary: 'The one with this sequence' },
    consumer: { kind: 'text', placeholder: 'NAME', format: consumerName, summary: 'All of this consumer' },
    all: { kind: 'flag', summary: 'All' },
    'dry-run': dryRunOption,
  },
  example: '--all --dry-run',
  async run(admin, { sequence, consumer, all, 'dry-run': dryRun }) {
    if ([sequence !== undefined, consumer !== undefined, all].filter(Boolean).length !== 1) {
      throw new UsageError('Say which: --sequence N, --consumer NAME, or --all.')
    }
    const bus = await admin.bus()
    const choice = sequence === undefined ? { consumer: consumer ?? EVERY_CONSUMER } : { sequence }
    if (!dryRun) return toOutput('Replayed', await replayDeadLetters(bus, choice), dryRun)
    return toOutput('Would replay', await countDeadLetters(bus, choice), dryRun)
  },
})

async function countDeadLetters(
  bus: Bus,
  choice: { sequence: number } | { consumer: string },
): Promise<number> {
  if ('sequence' in choice) {
    const [letter] = await listDeadLetters(bus, { after: choice.sequence - 1, limit: 1 })
    return letter?.sequence === choice.sequence ? 1 : 0
  }
  return (await listDeadLetters(bus, { consumer: choice.consumer, limit: Number.POSITIVE_INFINITY })).length
}

function toOutput(did: string, messages: number, dryRun: boolean): Output {
  return briefOutput(`${did} ${messages} dead letters.`, { messages, dry_run: dryRun })
}

const status = defineCommand({
  name: 'ingest status',
  summary: 'Show how many messages wait in the ingest queue',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: {},
  example: '',
  async run(admin) {
    const bus = await admin.bus()
    // The worker acknowledges a message after its events are stored, and the stream then drops it.
    const { state } = await bus.manager.streams.info(bus.streamName('INGEST'))
    const fields = { messages: state.messages, bytes: state.bytes }
    return { message: state.messages === 0 ? 'The ingest queue is empty.' : 'In the ingest queue:', fields }
  },
})

export const deadLetterCommands: readonly AdminCommand[] = [list, replay]
export const ingestCommands: readonly AdminCommand[] = [status]

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
  summary: 'List dead letters: messages that could not be processed, with the reason',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: {
    consumer: {
      kind: 'text',
      placeholder: 'NAME',
      format: consumerName,
      summary: 'Only dead letters of this consumer',
    },
    after: { kind: 'integer', min: 0, max: 9e15, summary: 'Continue after this sequence number' },
    limit: { kind: 'integer', min: 1, max: 1000, summary: 'Maximum number of rows (default: 100)' },
  },
  example: '--limit 20',
  async run(admin, { consumer, after, limit = 100 }) {
    const letters = await listDeadLetters(await admin.bus(), { consumer, after, limit })
    const rows = letters.map((letter) => ({ ...letter, time: letter.time.toISOString() }))
    const last = rows.length === limit ? rows.at(-1) : undefined
    return {
      rows,
      emptyMessage: 'There are no dead letters.',
      more: last ? `There may be more: --after ${last.sequence}` : null,
    }
  },
})

const replay = defineCommand({
  name: 'dead-letters replay',
  summary: 'Publish dead letters to their original subject: one, one consumer’s, or all',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: {
    sequence: {
      kind: 'integer',
      min: 1,
      max: 9e15,
      summary: 'Replay the dead letter with this sequence number',
    },
    consumer: {
      kind: 'text',
      placeholder: 'NAME',
      format: consumerName,
      summary: 'Replay all dead letters of this consumer',
    },
    all: { kind: 'flag', summary: 'Replay all dead letters' },
    'dry-run': dryRunOption,
  },
  example: '--all --dry-run',
  async run(admin, { sequence, consumer, all, 'dry-run': dryRun }) {
    if ([sequence !== undefined, consumer !== undefined, all].filter(Boolean).length !== 1) {
      throw new UsageError('Exactly one is required: --sequence N, --consumer NAME, or --all.')
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

function toOutput(action: string, messages: number, dryRun: boolean): Output {
  return briefOutput(`${action} ${messages} dead letters.`, { messages, dry_run: dryRun })
}

const status = defineCommand({
  name: 'ingest status',
  summary: 'Show the number of messages in the ingest queue',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: {},
  example: '',
  async run(admin) {
    const bus = await admin.bus()
    // The worker acknowledges a message after its events are stored, and the stream then drops it.
    const { state } = await bus.manager.streams.info(bus.streamName('INGEST'))
    const fields = { messages: state.messages, bytes: state.bytes }
    return {
      message: state.messages === 0 ? 'The ingest queue is empty.' : 'The ingest queue contains:',
      fields,
    }
  },
})

export const deadLetterCommands: readonly AdminCommand[] = [list, replay]
export const ingestCommands: readonly AdminCommand[] = [status]

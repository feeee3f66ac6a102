import {
  countDeadLetters,
  type DeadLetterSelector,
  deleteDeadLetters,
  listDeadLetters,
  replayDeadLetters,
} from '../bus/dead-letters.ts'
import { pluralize } from '../plural.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  dryRunOption,
  idFormat,
  type Output,
  UsageError,
  type Values,
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

const selectorOptions = {
  sequence: { kind: 'integer', min: 1, max: 9e15, summary: 'The dead letter with this sequence number' },
  consumer: {
    kind: 'text',
    placeholder: 'NAME',
    format: consumerName,
    summary: 'All dead letters of this consumer',
  },
  root: {
    kind: 'text',
    placeholder: 'ID',
    format: idFormat('the id of a tenant root'),
    summary: 'All dead letters of this tenant root',
  },
  all: { kind: 'flag', summary: 'All dead letters' },
  'dry-run': dryRunOption,
} as const

function toSelector({ sequence, consumer, root, all }: Values<typeof selectorOptions>): DeadLetterSelector {
  const given = [sequence !== undefined, consumer !== undefined, root !== undefined, all]
  if (given.filter(Boolean).length !== 1) {
    throw new UsageError('Exactly one is required: --sequence N, --consumer NAME, --root ID, or --all.')
  }
  if (sequence !== undefined) return { sequence }
  return root === undefined ? { consumer: consumer ?? EVERY_CONSUMER } : { root }
}

const replay = defineCommand({
  name: 'dead-letters replay',
  summary: 'Publish dead letters again: one, those of a consumer or root, or all',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: selectorOptions,
  example: '--all --dry-run',
  async run(admin, values) {
    const selector = toSelector(values)
    const bus = await admin.bus()
    return values['dry-run']
      ? toOutput('Would replay', await countDeadLetters(bus, selector), true)
      : toOutput('Replayed', await replayDeadLetters(bus, selector), false)
  },
})

const remove = defineCommand({
  name: 'dead-letters delete',
  summary: 'Delete dead letters: one, one consumer’s or root’s, or all',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: selectorOptions,
  example: '--sequence 7 --dry-run',
  async run(admin, values) {
    const selector = toSelector(values)
    const bus = await admin.bus()
    return values['dry-run']
      ? toOutput('Would delete', await countDeadLetters(bus, selector), true)
      : toOutput('Deleted', await deleteDeadLetters(bus, selector), false)
  },
})

function toOutput(action: string, messages: number, dryRun: boolean): Output {
  return briefOutput(`${action} ${pluralize(messages, 'dead letter')}.`, { messages, dry_run: dryRun })
}

export const deadLetterCommands: readonly AdminCommand[] = [list, replay, remove]

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
  idFormat,
  type Output,
  option,
  UsageError,
  type Values,
} from './command.ts'
import type { AdminContext } from './context.ts'

const EVERY_CONSUMER = '*'
const consumerName = { pattern: /^[A-Za-z0-9_-]+$/, description: 'the name of a consumer' }

const list = defineCommand({
  name: 'dead-letters list',
  summary: 'List dead letters: messages that could not be processed, with the reason',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: {
    consumer: option.text('NAME', 'Only dead letters of this consumer', { format: consumerName }),
    after: option.integer(0, 9e15, 'Continue after this sequence number'),
    limit: option.integer(1, 1000, 'Maximum number of rows (default: 100)'),
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
  sequence: option.integer(1, 9e15, 'The dead letter with this sequence number'),
  consumer: option.text('NAME', 'All dead letters of this consumer', { format: consumerName }),
  root: option.text('ID', 'All dead letters of this tenant root', {
    format: idFormat('the id of a tenant root'),
  }),
  all: option.flag('All dead letters'),
  'dry-run': option.dryRun,
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
  run: (admin, values) => changeSelected(admin, values, replayDeadLetters, ['Replayed', 'Would replay']),
})

const remove = defineCommand({
  name: 'dead-letters delete',
  summary: 'Delete dead letters: one, one consumer’s or root’s, or all',
  environment: ['NATS_URL', 'BUS_PREFIX'],
  options: selectorOptions,
  example: '--sequence 7 --dry-run',
  run: (admin, values) => changeSelected(admin, values, deleteDeadLetters, ['Deleted', 'Would delete']),
})

async function changeSelected(
  admin: AdminContext,
  values: Values<typeof selectorOptions>,
  applyChange: typeof countDeadLetters,
  [done, dry]: readonly [string, string],
): Promise<Output> {
  const selector = toSelector(values)
  const dryRun = values['dry-run']
  const messages = await (dryRun ? countDeadLetters : applyChange)(await admin.bus(), selector)
  const action = dryRun ? dry : done
  return briefOutput(`${action} ${pluralize(messages, 'dead letter')}.`, { messages, dry_run: dryRun })
}

export const deadLetterCommands: readonly AdminCommand[] = [list, replay, remove]

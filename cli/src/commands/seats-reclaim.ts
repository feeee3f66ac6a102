import type { Command } from 'commander'
import { reportBatch, splitBatches } from '../batch.ts'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { formatCounted } from '../output.ts'
import { isWorkspaceUser, type OrganizationUser, printUsers, readUsers } from './users.ts'

interface ReclaimOptions {
  readonly inactive: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

const DAY_MS = 24 * 60 * 60 * 1000

export function addReclaimCommand(seats: Command, context: CliContext): void {
  const reclaim = seats
    .command('reclaim')
    .description('List the seats of people who were not active, and release them with --yes')
    .option('--inactive <days>', 'not active for this long, or never', '30d')
    .option('--dry-run', 'show the users and change nothing (the default)')
    .option('--yes', 'release the seats')
    .action((options: ReclaimOptions) => reclaimSeats(context, options))
  addExamples(reclaim, [
    { command: 'scholiast seats reclaim', explains: 'Who has a seat and was not active for 30 days' },
    { command: 'scholiast seats reclaim --inactive 90d --yes', explains: 'Release these seats' },
    { command: 'scholiast seats reclaim --org 41207731', explains: 'With a workspace token' },
  ])
}

async function reclaimSeats(context: CliContext, { inactive, dryRun, yes }: ReclaimOptions): Promise<void> {
  const days = parseDays(inactive)
  const idle = await findIdleUsers(context, new Date(Date.now() - days * DAY_MS))
  const { out } = context
  if (dryRun === true || yes !== true) {
    if (out.isJson) out.json({ dry_run: true, users: idle })
    else printUsers(context, idle)
    out.note(
      `Nothing was changed. ${formatCounted(idle.length, 'user')} with a seat ${idle.length === 1 ? 'was' : 'were'} ` +
        `not active for ${formatCounted(days, 'day')}. Add --yes to release their seats.`,
    )
    return
  }
  const client = context.client()
  const { kind } = await client.get('/v1/keys/self')
  const results = []
  for (const batch of splitBatches(idle)) {
    const users = kind === 'workspace' ? toMembers(batch) : { user_ids: batch.map((user) => user.user_id) }
    results.push(await client.post('/v1/users/seats', { body: { action: 'unassign', ...users } }))
  }
  reportBatch(context, results, 'has no seat')
}

/** Users of the organization who have a seat and were last active before the time, or never. */
async function findIdleUsers(context: CliContext, before: Date): Promise<OrganizationUser[]> {
  const { seats, users } = await readUsers(context, { seats: 'assigned', role: 'all' })
  if (seats.seat_assignment_mode === undefined) {
    throw new CliError('Activity is recorded per organization.', {
      next: 'Add --org ID; "scholiast organizations list" shows the IDs.',
      exitCode: exitCodes.usage,
    })
  }
  const members = users.filter((user): user is OrganizationUser => !isWorkspaceUser(user))
  return members.filter(({ last_active_at: at }) => at === null || Date.parse(at) < before.getTime())
}

/** A workspace token names people by e-mail. */
function toMembers(users: readonly OrganizationUser[]) {
  const nameless = users.filter(({ email }) => email === null).map((user) => user.user_id)
  if (nameless.length > 0) {
    throw new CliError(`A workspace token cannot name users without an e-mail: ${nameless.join(', ')}.`, {
      next: 'Use a key of the organization.',
      exitCode: exitCodes.usage,
    })
  }
  return { members: users.flatMap(({ email }) => (email === null ? [] : { email })) }
}

function parseDays(text: string): number {
  const days = /^(\d{1,4})d$/.exec(text)?.[1]
  if (days !== undefined && Number(days) > 0) return Number(days)
  throw new CliError(`"${text}" is not a number of days.`, {
    next: 'Use, for example, 30d.',
    exitCode: exitCodes.usage,
  })
}

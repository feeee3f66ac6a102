import { Argument, type Command } from 'commander'
import { reportBatch, splitBatches } from '../batch.ts'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { readInput } from '../files.ts'
import { formatCount, formatCounted } from '../output.ts'
import { confirm } from '../prompt.ts'
import { addReclaimCommand } from './seats-reclaim.ts'
import { isWorkspaceUser, printUsers, readUsers } from './users.ts'

interface SeatOptions {
  readonly file?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function addSeatsCommands(seats: Command, context: CliContext): void {
  const assign = addUserArguments(seats.command('assign'))
    .description('Give users a seat')
    .action((users: string[], options: SeatOptions) => changeSeats(context, 'assign', users, options))
  addExamples(assign, [
    { command: 'scholiast seats assign 5520817 5520818', explains: 'By user ID at the Git provider' },
    { command: 'scholiast seats assign mei@example.com', explains: 'By e-mail, with a workspace token' },
    { command: 'scholiast seats assign --file joiners.txt', explains: 'One user per line; - reads stdin' },
  ])
  const release = addUserArguments(seats.command('release'))
    .description('Remove seats from users')
    .option('--yes', 'do not ask')
    .action((users: string[], options: SeatOptions) => changeSeats(context, 'unassign', users, options))
  addExamples(release, [
    { command: 'scholiast seats release 5520817', explains: 'Release one seat' },
    {
      command: 'scholiast seats release --file leavers.txt --dry-run',
      explains: 'Show who would lose a seat',
    },
    { command: 'scholiast seats release --file leavers.txt --yes', explains: 'In a script' },
  ])
  addReclaimCommand(seats, context)
  const mode = seats
    .command('mode')
    .description('Show or set how new users get a seat (set: self-hosted only)')
    .addArgument(new Argument('[mode]', 'new mode').choices(['automatic', 'manual']))
    .action((value?: 'automatic' | 'manual') => showOrSetMode(context, value))
  addExamples(mode, [
    { command: 'scholiast seats mode', explains: 'Show the mode' },
    { command: 'scholiast seats mode manual', explains: 'An admin gives each seat' },
  ])
}

function addUserArguments(command: Command): Command {
  return command
    .argument('[users...]', 'user IDs at the Git provider; e-mails or person IDs with a workspace token')
    .option('--file <file>', 'file with one user per line (- for stdin)')
    .option('--dry-run', 'show the users and change nothing')
}

async function changeSeats(
  context: CliContext,
  action: 'assign' | 'unassign',
  named: readonly string[],
  { file, dryRun, yes }: SeatOptions,
): Promise<void> {
  const users = [...new Set([...named, ...(file === undefined ? [] : await readLines(context, file))])]
  if (users.length === 0) {
    throw new CliError('No user was named.', {
      next: 'Name users, or use --file.',
      exitCode: exitCodes.usage,
    })
  }
  if (dryRun === true) {
    await rehearse(context, action, users)
    return
  }
  if (action === 'unassign') {
    await confirm(
      context,
      `This releases the seats of ${formatCounted(users.length, 'user')}.`,
      yes === true || users.length === 1,
    )
  }
  const client = context.client()
  const results = []
  for (const batch of splitBatches(users)) {
    results.push(await client.post('/v1/users/seats', { body: { action, ...nameUsers(context, batch) } }))
  }
  reportBatch(context, results, action === 'assign' ? 'has a seat' : 'has no seat')
}

/** Workspace tokens name people; other keys name accounts of their organization. */
function nameUsers(context: CliContext, users: readonly string[]) {
  const people = users.filter((user) => user.includes('@') || uuid.test(user))
  if (people.length === 0) return { user_ids: [...users], ...context.selectOrganization() }
  if (people.length === users.length) {
    return { members: users.map((user) => (user.includes('@') ? { email: user } : { cr_user_id: user })) }
  }
  throw new CliError('E-mails and person IDs cannot be mixed with user IDs of a Git provider.', {
    next: 'Use one command for each kind.',
    exitCode: exitCodes.usage,
  })
}

async function rehearse(
  context: CliContext,
  action: 'assign' | 'unassign',
  names: readonly string[],
): Promise<void> {
  const seats = action === 'assign' ? 'unassigned' : 'assigned'
  const { users } = await readUsers(context, { seats, role: 'all' })
  const affected = users.filter((user) =>
    isWorkspaceUser(user)
      ? (user.email !== null && names.includes(user.email)) || names.includes(user.cr_user_id)
      : names.includes(user.user_id),
  )
  if (context.out.isJson) context.out.json({ dry_run: true, action, users: affected })
  else printUsers(context, affected)
  const effect = action === 'assign' ? 'get a seat' : 'lose a seat'
  context.out.note(
    `Dry run: nothing was changed. ${formatCount(affected.length)} of ${formatCounted(names.length, 'user')} would ${effect}.`,
  )
}

async function showOrSetMode(context: CliContext, mode: 'automatic' | 'manual' | undefined): Promise<void> {
  const { out } = context
  const client = context.client()
  if (mode !== undefined) {
    const result = await client.post('/v1/users/seats/assignment', { body: { mode } })
    if (out.isJson) out.json(result)
    else out.line(`Seat assignment mode: ${result.mode}`)
    return
  }
  const page = await client.get('/v1/users', { query: { ...context.selectOrganization(), limit: 1 } })
  if (!('seat_assignment_mode' in page)) {
    throw new CliError('The mode is set per organization.', {
      next: 'Add --org ID; "scholiast organizations list" shows the IDs.',
      exitCode: exitCodes.usage,
    })
  }
  if (out.isJson) out.json({ mode: page.seat_assignment_mode })
  else out.line(`Seat assignment mode: ${page.seat_assignment_mode}`)
}

async function readLines(context: CliContext, file: string): Promise<string[]> {
  const text = (await readInput(context, file)).toString('utf8')
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

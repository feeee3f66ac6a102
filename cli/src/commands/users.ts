import type { Get } from '@scholiast/sdk'
import { type Command, Option } from 'commander'
import { reportBatch, splitBatches } from '../batch.ts'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { formatCount, formatCounted } from '../output.ts'
import { confirm } from '../prompt.ts'
import { addEndSessionsCommand, addOffboardCommand } from './users-offboard.ts'

type UsersPage = Get<'/v1/users'>
type WorkspaceUser = Extract<UsersPage['users'][number], { cr_user_id: string }>
export type OrganizationUser = Exclude<UsersPage['users'][number], WorkspaceUser>

interface SeatCounts {
  readonly seats_purchased: number
  readonly seats_assigned: number
  /** Only of one organization. */
  readonly seat_assignment_mode?: 'automatic' | 'manual'
}

interface ListOptions {
  readonly seats: 'all' | 'assigned' | 'unassigned'
  readonly role: 'all' | 'member' | 'admin'
}

interface SetRoleOptions {
  readonly dryRun?: boolean
  readonly yes?: boolean
}

export function addUsersCommands(users: Command, context: CliContext): void {
  const list = users
    .command('list')
    .description('List users with their seats and roles')
    .addOption(
      new Option('--seats <filter>', 'by seat').choices(['all', 'assigned', 'unassigned']).default('all'),
    )
    .addOption(new Option('--role <filter>', 'by role').choices(['all', 'member', 'admin']).default('all'))
    .action((options: ListOptions) => listUsers(context, options))
  addExamples(list, [
    { command: 'scholiast users list', explains: 'Everybody in the organization' },
    { command: 'scholiast users list --seats unassigned', explains: 'Who has no seat' },
    { command: 'scholiast users list --role admin --json', explains: 'The admins, for a script' },
  ])
  const setRole = users
    .command('set-role')
    .description('Make users admins or members')
    .argument('<role>', 'admin or member')
    .argument('<users...>', 'user IDs at the Git provider')
    .option('--dry-run', 'show the current roles and change nothing')
    .option('--yes', 'do not ask')
    .action((role: string, ids: string[], options: SetRoleOptions) => setRoles(context, role, ids, options))
  addExamples(setRole, [
    { command: 'scholiast users set-role admin 5520817', explains: 'Make one user an admin' },
    {
      command: 'scholiast users set-role member 5520817 5520818 --dry-run',
      explains: 'Show what would change',
    },
  ])
  addOffboardCommand(users, context)
  addEndSessionsCommand(users, context)
}

/** All users that match, and the seats of the tenant. */
export async function readUsers(
  context: CliContext,
  { seats, role }: ListOptions,
): Promise<{ seats: SeatCounts; users: UsersPage['users'][number][] }> {
  const users: UsersPage['users'][number][] = []
  let page: UsersPage | undefined
  const query = { ...context.selectOrganization(), seat_filter: seats, role_filter: role }
  for await (const next of context.client().pages('/v1/users', { query })) {
    page = next
    users.push(...next.users)
  }
  const {
    users: _,
    next_cursor: __,
    ...seatCounts
  } = page ?? {
    seats_purchased: 0,
    seats_assigned: 0,
    users,
    next_cursor: null,
  }
  return { seats: seatCounts, users }
}

export function isWorkspaceUser(user: UsersPage['users'][number]): user is WorkspaceUser {
  return 'cr_user_id' in user
}

async function listUsers(context: CliContext, options: ListOptions): Promise<void> {
  const { out } = context
  const { seats, users } = await readUsers(context, options)
  if (out.isJson) {
    out.json({ ...seats, users })
    return
  }
  printUsers(context, users)
  const mode = seats.seat_assignment_mode === undefined ? '' : ` Mode: ${seats.seat_assignment_mode}.`
  out.note(
    `${formatCounted(users.length, 'user')}. Seats: ${seats.seats_assigned} of ${seats.seats_purchased} assigned.${mode}`,
  )
}

export function printUsers({ out }: CliContext, users: readonly UsersPage['users'][number][]): void {
  const people = users.filter(isWorkspaceUser)
  if (people.length > 0) {
    out.table(people, [
      { heading: 'NAME', value: ({ name }) => name },
      { heading: 'EMAIL', value: ({ email }) => email },
      { heading: 'ACTIVE', value: ({ active }) => active },
      { heading: 'SEAT', value: ({ seat_assigned: seat }) => seat },
      {
        heading: 'ACCOUNTS',
        value: ({ accounts }) =>
          accounts
            .map((account) => `${account.user_id} in ${account.org_id} (${account.role_name})`)
            .join(', '),
        flexible: true,
      },
    ])
  }
  const members = users.filter((user): user is OrganizationUser => !isWorkspaceUser(user))
  if (members.length > 0) {
    out.table(members, [
      { heading: 'USER', value: (user) => user.user_id },
      { heading: 'USERNAME', value: ({ username }) => username },
      { heading: 'NAME', value: ({ name }) => name, flexible: true },
      { heading: 'ACTIVE', value: ({ active }) => active },
      { heading: 'SEAT', value: ({ seat_assigned: seat }) => seat },
      { heading: 'ROLE', value: ({ role_name: name }) => name },
      { heading: 'TYPE', value: ({ role_type: type }) => type },
      { heading: 'LAST ACTIVE', value: ({ last_active_at: at }) => at?.slice(0, 10) ?? 'never' },
    ])
  }
}

async function setRoles(
  context: CliContext,
  roleName: string,
  ids: readonly string[],
  { dryRun, yes }: SetRoleOptions,
): Promise<void> {
  const role = parseRole(roleName)
  if (dryRun === true) {
    const { users } = await readUsers(context, { seats: 'all', role: 'all' })
    const named = users.filter((user) => getAccountIds(user).some((id) => ids.includes(id)))
    if (context.out.isJson) context.out.json({ dry_run: true, role, users: named })
    else printUsers(context, named)
    context.out.note(
      `Dry run: nothing was changed. ${formatCount(named.length)} of ${formatCounted(ids.length, 'user')} would become ${role}.`,
    )
    return
  }
  await confirm(
    context,
    `This makes ${formatCounted(ids.length, 'user')} ${role}.`,
    yes === true || ids.length === 1,
  )
  const client = context.client()
  const results = []
  for (const batch of splitBatches(ids)) {
    const body = { role, user_ids: batch, ...context.selectOrganization() }
    results.push(await client.post('/v1/users/roles', { body }))
  }
  reportBatch(context, results, `now ${role}`)
}

function getAccountIds(user: UsersPage['users'][number]): string[] {
  return isWorkspaceUser(user) ? user.accounts.map((account) => account.user_id) : [user.user_id]
}

function parseRole(role: string): 'cr_admin' | 'cr_member' {
  if (role === 'admin' || role === 'cr_admin') return 'cr_admin'
  if (role === 'member' || role === 'cr_member') return 'cr_member'
  throw new CliError(`"${role}" is not a role that this command can give.`, {
    next: 'Use admin or member.',
    exitCode: exitCodes.usage,
  })
}

import type { Get } from '@scholiast/sdk'
import { type Command, Option } from 'commander'
import { reportBatch, splitBatches } from '../batch.ts'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { formatCounted } from '../output.ts'
import { confirm } from '../prompt.ts'

type Role = Get<'/v1/roles'>['roles'][number]
type Permission = NonNullable<Role['permissions']>[number]

interface RoleOptions {
  readonly name?: string
  readonly description?: string
  readonly from?: string
  readonly permission?: readonly string[]
  readonly default?: boolean
}

export function addRolesCommands(roles: Command, context: CliContext): void {
  const list = roles
    .command('list')
    .description('List roles')
    .addOption(new Option('--type <type>', 'by type').choices(['all', 'system', 'custom']).default('all'))
    .action((options: { type: 'all' | 'system' | 'custom' }) => listRoles(context, options.type))
  addExamples(list, [{ command: 'scholiast roles list --type custom', explains: 'Roles that you created' }])

  const show = roles
    .command('show')
    .description('Show a role with its permissions')
    .argument('<role>', 'ID or name')
    .action((role: string) => showRole(context, role))
  addExamples(show, [{ command: 'scholiast roles show cr_member', explains: 'What members may do' }])

  const create = addRoleOptions(roles.command('create'))
    .description('Create a custom role')
    .argument('<name>', 'name of the role')
    .option('--from <role>', 'copy the permissions of this role (default: cr_member)')
    .action((name: string, options: RoleOptions) => createRole(context, name, options))
  addExamples(create, [
    {
      command: 'scholiast roles create Auditor --permission audit_log:read --permission metrics:read',
      explains: 'A role with two permissions',
    },
  ])

  const edit = addRoleOptions(roles.command('edit'))
    .description('Change a custom role; --permission replaces all its permissions')
    .argument('<role>', 'ID or name')
    .option('--name <name>', 'new name')
    .action((role: string, options: RoleOptions) => editRole(context, role, options))
  addExamples(edit, [
    { command: 'scholiast roles edit Auditor --description "Reads logs"', explains: 'Describe a role' },
  ])

  const remove = roles
    .command('rm')
    .description('Delete a custom role that no user has')
    .argument('<role>', 'ID or name')
    .option('--dry-run', 'show the role and change nothing')
    .option('--yes', 'do not ask')
    .action((role: string, options: { dryRun?: boolean; yes?: boolean }) =>
      removeRole(context, role, options),
    )
  addExamples(remove, [
    { command: 'scholiast roles rm Auditor --dry-run', explains: 'Show what would be deleted' },
  ])

  const assign = roles
    .command('assign')
    .description('Give users a role in the organization')
    .argument('<role>', 'ID or name')
    .argument('<users...>', 'user IDs at the Git provider')
    .option('--yes', 'do not ask')
    .action((role: string, users: string[], options: { yes?: boolean }) =>
      assignRole(context, role, users, options),
    )
  addExamples(assign, [
    { command: 'scholiast roles assign Auditor 5520817 5520818', explains: 'Give two users a custom role' },
  ])

  const permissions = roles
    .command('permissions')
    .description('List the permissions that a role can have')
    .action(() => listPermissions(context))
  addExamples(permissions, [{ command: 'scholiast roles permissions', explains: 'All permissions' }])
}

function addRoleOptions(command: Command): Command {
  return command
    .option('--description <text>', 'description')
    .option('--permission <permission...>', 'permissions, for example learning:write')
    .option('--default', 'the role of new users')
}

async function listRoles(context: CliContext, type: 'all' | 'system' | 'custom'): Promise<void> {
  const { roles } = await context.client().get('/v1/roles', {
    query: { ...context.selectOrganization(), role_type: type },
  })
  context.out.rows(
    roles,
    [
      { heading: 'ID', value: ({ id }) => id },
      { heading: 'NAME', value: ({ name }) => name },
      { heading: 'TYPE', value: (role) => role.type },
      { heading: 'DEFAULT', value: (role) => role.is_default },
      { heading: 'USERS', value: (role) => role.user_count, right: true },
      { heading: 'DESCRIPTION', value: ({ description }) => description, flexible: true },
    ],
    'No roles match.',
  )
}

async function showRole(context: CliContext, name: string): Promise<void> {
  printRole(context, await readRole(context, name))
}

function printRole({ out }: CliContext, role: Role): void {
  if (out.isJson) {
    out.json(role)
    return
  }
  out.fields([
    ['ID', role.id],
    ['Name', role.name],
    ['Description', role.description],
    ['Type', role.type],
    ['Default', role.is_default],
    ['Users', role.user_count ?? null],
    ['Permissions', (role.permissions ?? []).map(renderPermission).join(', ') || 'none'],
  ])
}

async function createRole(context: CliContext, name: string, options: RoleOptions): Promise<void> {
  const { description, from, permission, default: isDefault } = options
  if (from !== undefined && permission !== undefined) {
    throw new CliError('--from and --permission cannot be used together.', { exitCode: exitCodes.usage })
  }
  const role = await context.client().post('/v1/roles', {
    body: {
      ...context.selectOrganization(),
      name,
      ...(description !== undefined && { description }),
      ...(isDefault === true && { is_default: true }),
      ...(from !== undefined && { duplicate_from: (await readRole(context, from)).id }),
      ...(permission !== undefined && { permissions: permission.map(parsePermission) }),
    },
  })
  printRole(context, role)
}

async function editRole(context: CliContext, role: string, options: RoleOptions): Promise<void> {
  const { name, description, permission, default: isDefault } = options
  if (Object.keys(options).length === 0) {
    throw new CliError('Nothing to change.', {
      next: 'Use --name, --description, --permission or --default.',
      exitCode: exitCodes.usage,
    })
  }
  const { id } = await readRole(context, role)
  const changed = await context.client().patch('/v1/roles/{role_id}', {
    params: { role_id: id },
    body: {
      ...context.selectOrganization(),
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(isDefault === true && { is_default: true }),
      ...(permission !== undefined && { permissions: permission.map(parsePermission) }),
    },
  })
  printRole(context, changed)
}

async function removeRole(
  context: CliContext,
  name: string,
  { dryRun, yes }: { readonly dryRun?: boolean; readonly yes?: boolean },
): Promise<void> {
  const { out } = context
  const role = await readRole(context, name)
  if (dryRun === true) {
    printRole(context, role)
    out.note('Dry run: nothing was changed. This role would be deleted.')
    return
  }
  await confirm(context, `This deletes the role "${role.name}".`, yes === true)
  await context.client().delete('/v1/roles/{role_id}', {
    params: { role_id: role.id },
    query: context.selectOrganization(),
  })
  if (out.isJson) out.json({ deleted: role.id })
  else out.line(`Deleted the role "${role.name}" (${role.id}).`)
}

async function assignRole(
  context: CliContext,
  name: string,
  users: readonly string[],
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  const role = await readRole(context, name)
  await confirm(
    context,
    `This gives ${formatCounted(users.length, 'user')} the role "${role.name}".`,
    yes === true || users.length === 1,
  )
  const results = []
  for (const user_ids of splitBatches(users)) {
    results.push(
      await context.client().post('/v1/roles/{role_id}/members', {
        params: { role_id: role.id },
        body: { user_ids, ...context.selectOrganization() },
      }),
    )
  }
  reportBatch(context, results, `now ${role.name}`)
}

async function listPermissions(context: CliContext): Promise<void> {
  const result = await context.client().get('/v1/roles/permissions', { query: context.selectOrganization() })
  if (context.out.isJson) {
    context.out.json(result)
    return
  }
  for (const resource of result.resource_ids) {
    context.out.line(result.access_types.map((access) => `${resource}:${access}`).join('  '))
  }
}

/** Finds a role by id, or by its name. */
async function readRole(context: CliContext, name: string): Promise<Role> {
  const { roles } = await context.client().get('/v1/roles', {
    query: { ...context.selectOrganization(), include_permissions: true },
  })
  const role = roles.find(({ id }) => id === name) ?? roles.find((candidate) => candidate.name === name)
  if (role !== undefined) return role
  throw new CliError(`There is no role "${name}".`, {
    next: 'Run "scholiast roles list" for the names.',
    exitCode: exitCodes.notFound,
  })
}

function renderPermission({ resource_id: resource, access_type: access }: Permission): string {
  return `${resource}:${access}`
}

/** The service checks the names, and lists the valid ones in its error. */
function parsePermission(permission: string): Permission {
  const [resource, access, ...rest] = permission.split(':')
  if (resource === undefined || access === undefined || rest.length > 0) {
    throw new CliError(`"${permission}" is not a permission.`, {
      next: 'Write RESOURCE:ACCESS, for example learning:write; "scholiast roles permissions" lists them.',
      exitCode: exitCodes.usage,
    })
  }
  return { resource_id: resource, access_type: access } as Permission
}

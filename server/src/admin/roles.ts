import type { ChangeContext } from '../access/change-context.ts'
import { isPermission, type Permission, type SystemRole } from '../access/permissions.ts'
import type { OrganizationId } from '../ids.ts'
import { findPerson, setRole } from '../resources/people/manage.ts'
import { findRole, type ListedRole, listRoles } from '../resources/roles/list.ts'
import { changeRole, createRole, deleteRole } from '../resources/roles/manage.ts'
import { type AdminCommand, briefOutput, defineCommand, option, UsageError } from './command.ts'
import { changeOrganization } from './context.ts'

const organizationOptions = { root: option.root, organization: option.organization } as const
const roleOption = option.text('ROLE', 'Role: id or name', { required: true })
const permissionsOption = option.list(
  'RESOURCE:ACCESS,…',
  'Permissions, as in metrics:read,learning:write (default: those of cr_member)',
)

export function readPermissions(texts: readonly string[]): readonly Permission[] {
  return texts.map((text) => {
    if (isPermission(text)) return text
    throw new UsageError(
      `"${text}" is not a permission. Use RESOURCE:read, RESOURCE:write or RESOURCE:delete, as in metrics:read.`,
    )
  })
}

async function findCustomRole({ scope, tx }: ChangeContext, organization: OrganizationId, role: string) {
  const found = await findRole(scope, tx, organization, role)
  if (found.type === 'custom') return found
  throw new UsageError(`${found.name} is a system role: system roles cannot be changed or deleted.`)
}

const list = defineCommand({
  name: 'role list',
  summary: 'List the system and custom roles of an organization',
  options: organizationOptions,
  example: "--root 'Meridian Freight' --organization 41207731",
  async run(admin, values) {
    const roles = await changeOrganization(admin, values, ({ scope, tx }, { id }) => listRoles(scope, tx, id))
    const rows = roles.map(({ id, name, type, is_default, members, permissions }: ListedRole) => {
      return { id, name, type, is_default, members, permissions }
    })
    return { rows, emptyMessage: 'There are no roles.' }
  },
})

const create = defineCommand({
  name: 'role create',
  summary: 'Create a custom role in an organization',
  options: {
    ...organizationOptions,
    name: option.text('NAME', 'Name, unique in the organization', { required: true }),
    description: option.text('TEXT', 'Description'),
    permissions: permissionsOption,
    default: option.flag('Make it the role of new members'),
  },
  example:
    "--root 'Meridian Freight' --organization 41207731 --name Auditor --permissions audit_log:read,metrics:read",
  run(admin, values) {
    const { name, description, permissions, default: isDefault } = values
    const given = permissions && readPermissions(permissions)
    return changeOrganization(admin, values, async (change, organization) => {
      const role = {
        name,
        isDefault,
        ...(description && { description }),
        ...(given && { permissions: given }),
      }
      const id = await createRole(change, organization.id, role)
      return { message: `Created role ${name} in ${organization.name}.`, fields: { id, name } }
    })
  },
})

const changeCommand = defineCommand({
  name: 'role change',
  summary: 'Change a custom role for all its members',
  options: {
    ...organizationOptions,
    role: roleOption,
    name: option.text('NAME', 'New name'),
    description: option.text('TEXT', 'Description'),
    permissions: {
      ...permissionsOption,
      summary: 'All permissions of the role, as in metrics:read,learning:write',
    },
  },
  example: "--root 'Meridian Freight' --organization 41207731 --role Auditor --permissions audit_log:read",
  run(admin, values) {
    const { name, description, permissions } = values
    const wanted = {
      ...(name && { name }),
      ...(description && { description }),
      ...(permissions && { permissions: readPermissions(permissions) }),
    }
    if (Object.keys(wanted).length === 0)
      throw new UsageError('Nothing to change: give --name, --description or --permissions.')
    return changeOrganization(admin, values, async (change, organization) => {
      const role = await findCustomRole(change, organization.id, values.role)
      await changeRole(change, organization.id, role.id, wanted)
      return briefOutput(`Changed role ${role.name}.`, { id: role.id })
    })
  },
})

const remove = defineCommand({
  name: 'role delete',
  summary: 'Delete a custom role without members',
  options: { ...organizationOptions, role: roleOption, 'dry-run': option.dryRun },
  example: "--root 'Meridian Freight' --organization 41207731 --role Auditor --dry-run",
  run: (admin, values) =>
    changeOrganization(admin, values, async (change, organization) => {
      const dryRun = values['dry-run']
      const role = await findCustomRole(change, organization.id, values.role)
      await deleteRole(change, organization.id, role.id)
      return briefOutput(`${dryRun ? 'Would delete' : 'Deleted'} role ${role.name}.`, {
        id: role.id,
        dry_run: dryRun,
      })
    }),
})

const assign = defineCommand({
  name: 'role assign',
  summary: 'Assign a role to a member of an organization',
  options: { ...organizationOptions, person: option.person, role: roleOption },
  example:
    "--root 'Meridian Freight' --organization 41207731 --person mei.tanaka@example.com --role cr_admin",
  run: (admin, values) =>
    changeOrganization(admin, values, async (change, organization) => {
      const { scope, tx } = change
      const member = await findPerson(scope, tx, values.person)
      const { id, name, type } = await findRole(scope, tx, organization.id, values.role)
      const role = type === 'system' ? { system: id as SystemRole } : { custom: id }
      await setRole(change, { person: member.id, organization: organization.id, role })
      return briefOutput(`${member.name} now has the role ${name} in ${organization.name}.`, {
        person: member.id,
        role: id,
      })
    }),
})

export const roleCommands: readonly AdminCommand[] = [list, create, changeCommand, remove, assign]

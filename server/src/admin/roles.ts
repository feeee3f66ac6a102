import type { ChangeContext } from '../access/change-context.ts'
import { isPermission, type Permission, type SystemRole } from '../access/permissions.ts'
import { findOrganizationByText } from '../resources/organizations/list-all.ts'
import { findPerson } from '../resources/people/list.ts'
import { setRole } from '../resources/people/manage.ts'
import { findRole, type ListedRole, listRoles } from '../resources/roles/list.ts'
import { changeRole, createRole, deleteRole } from '../resources/roles/manage.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  dryRunOption,
  type Output,
  organizationOption,
  personOption,
  rootOption,
  UsageError,
} from './command.ts'
import { changeRoot } from './context.ts'

const organizationOptions = { root: rootOption, organization: organizationOption } as const
const roleOption = {
  kind: 'text',
  placeholder: 'ROLE',
  required: true,
  summary: 'Role: id or name',
} as const
const permissionsOption = {
  kind: 'list',
  placeholder: 'RESOURCE:ACCESS,…',
  summary: 'Permissions, as in metrics:read,learning:write (default: those of cr_member)',
} as const

export function readPermissions(texts: readonly string[]): readonly Permission[] {
  return texts.map((text) => {
    if (isPermission(text)) return text
    throw new UsageError(
      `"${text}" is not a permission. Use RESOURCE:read, RESOURCE:write or RESOURCE:delete, as in metrics:read.`,
    )
  })
}

async function findCustomRole(change: ChangeContext, organization: string, role: string) {
  const { scope, tx } = change
  const { id } = await findOrganizationByText(scope, tx, organization)
  const found = await findRole(scope, tx, id, role)
  if (found.type === 'custom') return { organization: id, role: found }
  throw new UsageError(`${found.name} is a system role: system roles cannot be changed or deleted.`)
}

const list = defineCommand({
  name: 'role list',
  summary: 'List the system and custom roles of an organization',
  options: organizationOptions,
  example: "--root 'Meridian Freight' --organization 41207731",
  async run(admin, { root, organization }) {
    const roles = await changeRoot(admin, root, async ({ scope, tx }) => {
      return listRoles(scope, tx, (await findOrganizationByText(scope, tx, organization)).id)
    })
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
    name: { kind: 'text', placeholder: 'NAME', required: true, summary: 'Name, unique in the organization' },
    description: { kind: 'text', placeholder: 'TEXT', summary: 'Description' },
    permissions: permissionsOption,
    default: { kind: 'flag', summary: 'Make it the role of new members' },
  },
  example:
    "--root 'Meridian Freight' --organization 41207731 --name Auditor --permissions audit_log:read,metrics:read",
  run(admin, { root, organization, name, description, permissions, default: isDefault }) {
    const given = permissions && readPermissions(permissions)
    return changeRoot(admin, root, async (change) => {
      const found = await findOrganizationByText(change.scope, change.tx, organization)
      const role = {
        name,
        isDefault,
        ...(description && { description }),
        ...(given && { permissions: given }),
      }
      const id = await createRole(change, found.id, role)
      return { message: `Created role ${name} in ${found.name}.`, fields: { id, name } }
    })
  },
})

const changeCommand = defineCommand({
  name: 'role change',
  summary: 'Change a custom role for all its members',
  options: {
    ...organizationOptions,
    role: roleOption,
    name: { kind: 'text', placeholder: 'NAME', summary: 'New name' },
    description: { kind: 'text', placeholder: 'TEXT', summary: 'Description' },
    permissions: {
      ...permissionsOption,
      summary: 'All permissions of the role, as in metrics:read,learning:write',
    },
  },
  example: "--root 'Meridian Freight' --organization 41207731 --role Auditor --permissions audit_log:read",
  run(admin, { root, organization, role, name, description, permissions }) {
    const wanted = {
      ...(name && { name }),
      ...(description && { description }),
      ...(permissions && { permissions: readPermissions(permissions) }),
    }
    if (Object.keys(wanted).length === 0)
      throw new UsageError('Nothing to change: give --name, --description or --permissions.')
    return changeRoot(admin, root, async (roleChange) => {
      const found = await findCustomRole(roleChange, organization, role)
      await changeRole(roleChange, found.organization, found.role.id, wanted)
      return briefOutput(`Changed role ${found.role.name}.`, { id: found.role.id })
    })
  },
})

const remove = defineCommand({
  name: 'role delete',
  summary: 'Delete a custom role without members',
  options: { ...organizationOptions, role: roleOption, 'dry-run': dryRunOption },
  example: "--root 'Meridian Freight' --organization 41207731 --role Auditor --dry-run",
  run(admin, { root, organization, role, 'dry-run': dryRun }) {
    const work = async (roleChange: ChangeContext): Promise<Output> => {
      const found = await findCustomRole(roleChange, organization, role)
      await deleteRole(roleChange, found.organization, found.role.id)
      const message = `${dryRun ? 'Would delete' : 'Deleted'} role ${found.role.name}.`
      return briefOutput(message, { id: found.role.id, dry_run: dryRun })
    }
    return changeRoot(admin, root, work, { dryRun })
  },
})

const assign = defineCommand({
  name: 'role assign',
  summary: 'Assign a role to a member of an organization',
  options: { ...organizationOptions, person: personOption, role: roleOption },
  example:
    "--root 'Meridian Freight' --organization 41207731 --person mei.tanaka@example.com --role cr_admin",
  run(admin, { root, organization, person, role }) {
    return changeRoot(admin, root, async (roleChange) => {
      const { scope, tx } = roleChange
      const found = await findOrganizationByText(scope, tx, organization)
      const member = await findPerson(scope, tx, person)
      const { id, name, type } = await findRole(scope, tx, found.id, role)
      const given = type === 'system' ? { system: id as SystemRole } : { custom: id }
      await setRole(roleChange, { person: member.id, organization: found.id, role: given })
      return briefOutput(`${member.name} now has the role ${name} in ${found.name}.`, {
        person: member.id,
        role: id,
      })
    })
  },
})

export const roleCommands: readonly AdminCommand[] = [list, create, changeCommand, remove, assign]

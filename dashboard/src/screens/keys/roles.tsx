import type { Get } from '@scholiast/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Access, useAccess } from '../../api/access.ts'
import { ALL } from '../../frame/organization-switch.tsx'
import { useOrganization } from '../../frame/use-organization.ts'
import { screenPath } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatCount } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { Note, Section } from '../../ui/page.tsx'
import { CopyCurl, SaveCsv } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import { DeleteRole } from './delete-role.tsx'
import styles from './keys.module.css'
import { PermissionMatrix } from './permission-matrix.tsx'
import { permissionsQuery, rolesQuery } from './queries.ts'
import { RoleForm } from './role-form.tsx'
import { hasPermission, listPermissions, type Role } from './role-permissions.ts'

type OpenRole = { readonly kind: 'create' } | { readonly kind: 'edit' | 'delete'; readonly role: Role }

const READ = { path: '/v1/roles', query: { include_permissions: true } }

export function Roles() {
  const organization = useOrganization()
  if (organization === ALL)
    return (
      <Section title="Roles">
        <p className={styles['hint']}>
          Each organization has its own roles. Choose one at the top left to see who may do what.
        </p>
      </Section>
    )
  return <OrganizationRoles />
}

function OrganizationRoles() {
  const organization = useOrganization()
  const roles = useQuery(rolesQuery(organization))
  const permissions = useQuery(permissionsQuery(organization))
  const [open, setOpen] = useState<OpenRole | null>(null)
  const create = useAccess('POST', '/v1/roles')
  const change = useAccess('PATCH', '/v1/roles/{role_id}')
  const all = permissions.data === undefined ? [] : listPermissions(permissions.data)
  // A form without the list of permissions would take them all away.
  const withList = (access: Access) => (all.length === 0 && access.allowed ? noList : access)
  const close = () => setOpen(null)
  return (
    <>
      <Section
        title="Roles"
        tools={
          <span className={styles['buttons']}>
            <Button access={withList(create)} onClick={() => setOpen({ kind: 'create' })}>
              Create a role
            </Button>
            <CopyCurl read={READ} />
          </span>
        }
        notes={
          <Note>
            <b>Roles are assigned</b> on the <Link to={screenPath(organization, 'people')}>People</Link>{' '}
            screen. A change takes effect on the next request of everybody who has the role.
          </Note>
        }
      >
        <Load query={roles} what="roles">
          {({ roles: list }) => <RoleTable roles={list} change={withList(change)} onOpen={setOpen} />}
        </Load>
      </Section>
      {roles.data === undefined ? null : (
        <Section
          title="Permissions by role"
          wide
          tools={<SaveCsv name="permissions-by-role" rows={() => toRows(roles.data, all)} />}
          notes={
            <Note>
              <b>Two of them amount to Admin:</b> anyone who can write users or roles can make anybody an
              admin, including themselves.
            </Note>
          }
        >
          <Load query={permissions} what="permissions">
            {(known) => <PermissionMatrix roles={roles.data.roles} known={known} />}
          </Load>
        </Section>
      )}
      <Dialog
        title={open === null ? '' : describeTitle(open)}
        open={open !== null}
        onClose={close}
        guarded={open?.kind === 'create' || open?.kind === 'edit'}
      >
        {open === null ? null : open.kind === 'delete' ? (
          <DeleteRole role={open.role} onClose={close} />
        ) : (
          <RoleForm
            role={open.kind === 'edit' ? open.role : null}
            roles={roles.data?.roles ?? []}
            permissions={all}
            onClose={close}
          />
        )}
      </Dialog>
    </>
  )
}

function describeTitle(open: OpenRole): string {
  if (open.kind === 'create') return 'Create a role'
  return open.kind === 'edit' ? `Change ${open.role.name}` : `Delete ${open.role.name}?`
}

const noList: Access = { allowed: false, reason: 'The list of permissions is not loaded. See below.' }

interface RoleTableProps {
  readonly roles: readonly Role[]
  readonly change: Access
  readonly onOpen: (open: OpenRole) => void
}

function RoleTable({ roles, change, onOpen }: RoleTableProps) {
  const remove = useAccess('DELETE', '/v1/roles/{role_id}')
  return (
    <Table
      caption="Roles"
      items={roles}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Name', cell: ({ name }) => name },
        { head: 'Description', wide: true, cell: ({ description }) => description },
        { head: 'People', number: true, cell: ({ user_count }) => formatCount(user_count ?? 0) },
        { head: 'New members', cell: ({ is_default }) => (is_default ? 'get it' : '') },
        {
          head: 'Actions',
          actions: true,
          cell: (role) =>
            role.type === 'system' ? (
              'built in'
            ) : (
              <span className={styles['actions']}>
                <Button
                  kind="link"
                  label={`Change ${role.name}`}
                  access={change}
                  onClick={() => onOpen({ kind: 'edit', role })}
                >
                  Change
                </Button>
                <Button
                  kind="link"
                  label={`Delete ${role.name}`}
                  access={remove}
                  onClick={() => onOpen({ kind: 'delete', role })}
                >
                  Delete
                </Button>
              </span>
            ),
        },
      ]}
    />
  )
}

function toRows({ roles }: Get<'/v1/roles'>, permissions: readonly string[]) {
  return [
    ['permission', ...roles.map(({ name }) => name)],
    ...permissions.map((permission) => [
      permission,
      ...roles.map((role) => (hasPermission(role, permission) ? 'yes' : 'no')),
    ]),
  ]
}

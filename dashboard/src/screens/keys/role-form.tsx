import type { Options } from '@scholiast/sdk'
import { type FormEvent, useState } from 'react'
import { client } from '../../api/client.ts'
import { useWrite } from '../../api/write.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/problem.tsx'
import styles from './keys.module.css'
import { PermissionChoice } from './permission-choice.tsx'
import { permissionsOf, type Role } from './role-permissions.ts'

type Body = Options<'post', '/v1/roles'>['body']
type RolePermission = NonNullable<Body['permissions']>[number]

/** A new role starts with what a member may do, as in the API. */
const START = 'cr_member'

interface RoleFormProps {
  /** Null for a new role. */
  readonly role: Role | null
  readonly roles: readonly Role[]
  readonly permissions: readonly string[]
  readonly onClose: () => void
}

export function RoleForm({ role, roles, permissions, onClose }: RoleFormProps) {
  const [name, setName] = useState(role?.name ?? '')
  const [description, setDescription] = useState(role?.description ?? '')
  const [isDefault, setIsDefault] = useState(role?.is_default ?? false)
  const [chosen, setChosen] = useState(() => startWith(role ?? roles.find(({ id }) => id === START)))
  const save = useWrite(async (body: Body, headers) => {
    if (role === null) await client.post('/v1/roles', { body, headers })
    else await client.patch('/v1/roles/{role_id}', { params: { role_id: role.id }, body, headers })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body: Body = {
      name: name.trim(),
      description: description.trim(),
      permissions: permissions.filter((permission) => chosen.has(permission)).map(toRolePermission),
      // The default role changes when another one becomes it, so false is never sent.
      ...(isDefault && role?.is_default !== true && { is_default: true }),
    }
    save.mutate(body, { onSuccess: onClose })
  }
  return (
    <form onSubmit={submit}>
      <Field label="Name" hint="Names that begin with cr_ are reserved.">
        {(attributes) => (
          <input
            {...attributes}
            value={name}
            required
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label="Description">
        {(attributes) => (
          <input
            {...attributes}
            value={description}
            maxLength={1000}
            autoComplete="off"
            onChange={({ target }) => setDescription(target.value)}
          />
        )}
      </Field>
      {role === null ? (
        <Field label="Start from" hint="Copies the permissions of this role. Change them below.">
          {(attributes) => (
            <select
              {...attributes}
              defaultValue={START}
              onChange={({ target }) => setChosen(startWith(roles.find(({ id }) => id === target.value)))}
            >
              {roles.map(({ id, name: known }) => (
                <option key={id} value={id}>
                  {known}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : null}
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={isDefault}
          disabled={role?.is_default === true}
          onChange={({ target }) => setIsDefault(target.checked)}
        />{' '}
        New members get this role
      </label>
      <PermissionChoice legend="Permissions" permissions={permissions} chosen={chosen} onChange={setChosen} />
      {save.error === null ? null : (
        <Failure error={save.error} title={`The role was not ${role === null ? 'created' : 'changed'}.`} />
      )}
      <DialogActions>
        <Button type="submit" kind="main" busy={save.isPending}>
          {save.isPending ? 'Saving…' : role === null ? 'Create the role' : 'Save the role'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </form>
  )
}

function startWith(role: Role | undefined): ReadonlySet<string> {
  return role === undefined ? new Set() : permissionsOf(role)
}

function toRolePermission(permission: string): RolePermission {
  const [resource_id, access_type] = permission.split(':')
  return { resource_id, access_type } as RolePermission
}

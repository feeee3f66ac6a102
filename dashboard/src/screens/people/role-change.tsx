import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Access, useAccess } from '../../api/access.ts'
import { client } from '../../api/client.ts'
import { apiQuery } from '../../api/query.ts'
import { useWrite } from '../../api/write.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { formatCounted } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { Failure } from '../../ui/problem.tsx'
import { type Outcome, sendBatches } from './batch.tsx'
import { describeRole } from './describe.ts'
import styles from './people.module.css'
import type { Person } from './people-query.ts'

interface Role {
  readonly id: string
  readonly name: string
  readonly type: 'system' | 'custom'
}

interface RoleChange {
  readonly role: Role
  readonly people: readonly Person[]
}

/** A role belongs to an organization, so it is changed in one. */
export function useRoleAccess(): Access {
  const isWorkspace = useOrganization() === 'all'
  const access = useAccess('POST', '/v1/users/roles')
  return isWorkspace
    ? { allowed: false, reason: 'Roles belong to an organization. Choose one at the top left.' }
    : access
}

function useRoleChange() {
  return useWrite<RoleChange, Outcome>(async ({ role, people }, headers) => {
    const result = await sendBatches(
      people.map(({ id }) => id),
      (user_ids) =>
        role.id === 'cr_admin' || role.id === 'cr_member'
          ? client.post('/v1/users/roles', { headers, body: { role: role.id, user_ids } })
          : client.post('/v1/roles/{role_id}/members', {
              headers,
              params: { role_id: role.id },
              body: { user_ids },
            }),
    )
    return { ...result, people, done: `has the role ${describeRole(role.id, role.name)}` }
  })
}

export function RoleForm({
  people,
  onDone,
}: {
  readonly people: readonly Person[]
  readonly onDone: (outcome: Outcome) => void
}) {
  const organization = useOrganization()
  const roles = useQuery(apiQuery(organization, '/v1/roles', { query: { include_user_count: false } }))
  const [chosen, setChosen] = useState<string | null>(null)
  const change = useRoleChange()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const role = roles.data?.roles.find(({ id }) => id === chosen)
    if (role !== undefined) change.mutate({ role, people }, { onSuccess: onDone })
  }
  return (
    <>
      <p>
        The role replaces the one that {describePeople(people)} {people.length === 1 ? 'has' : 'have'} now. It
        takes effect on the next request.
      </p>
      <Load query={roles} what="roles">
        {(data) => (
          <form onSubmit={submit}>
            <fieldset className={styles['choice']}>
              <legend>New role</legend>
              {data.roles
                .filter(({ id }) => id !== 'cr_billing_admin')
                .map(({ id, name, description }) => (
                  <label key={id}>
                    <input
                      type="radio"
                      name="role"
                      required
                      checked={chosen === id}
                      onChange={() => setChosen(id)}
                    />
                    <span>{describeRole(id, name)}</span>
                    <small>{description}</small>
                  </label>
                ))}
            </fieldset>
            {change.error === null ? null : (
              <Failure error={change.error} title="The role was not changed." />
            )}
            <DialogActions>
              <Button type="submit" kind="main" busy={change.isPending}>
                {`Change the role of ${describePeople(people)}`}
              </Button>
            </DialogActions>
          </form>
        )}
      </Load>
    </>
  )
}

export function describePeople(people: readonly Person[]): string {
  const [first] = people
  return people.length === 1 && first !== undefined
    ? first.name
    : formatCounted(people.length, 'person', 'people')
}

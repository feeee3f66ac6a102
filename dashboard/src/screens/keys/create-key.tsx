import type { Options } from '@scholiast/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../../api/client.ts'
import { selfQuery } from '../../api/query.ts'
import { useWrite } from '../../api/write.ts'
import { ALL } from '../../frame/organization-switch.tsx'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/problem.tsx'
import type { NewValue } from './key-facts.ts'
import styles from './keys.module.css'
import { PermissionChoice } from './permission-choice.tsx'

type Body = Options<'post', '/v1/keys'>['body']
type Kind = Body['kind']
type Permission = NonNullable<Body['permissions']>[number]

const kinds: Readonly<Record<Kind, string>> = {
  user: 'Acts as you in this organization, with repositories that you can read.',
  organization: 'For jobs: reads metrics, users, audit logs and security findings of this organization.',
  agentic: 'For coding agents: reads the review context of this organization, nothing else.',
  workspace: 'For jobs over all organizations of the workspace. Needs a name and an expiry.',
}

const DAY_MS = 86_400_000
const lifetimes = [7, 30, 90, 180, 365]
const NEVER = 'never'

interface CreateKeyProps {
  readonly onMade: (made: NewValue) => void
  readonly onClose: () => void
}

export function CreateKey({ onMade, onClose }: CreateKeyProps) {
  const organization = useOrganization()
  const isWorkspace = organization === ALL
  const offered: readonly Kind[] = isWorkspace ? ['workspace'] : ['user', 'organization', 'agentic']
  const own = (useQuery(selfQuery(organization)).data?.permissions ?? []) as readonly Permission[]
  const [kind, setKind] = useState<Kind>(isWorkspace ? 'workspace' : 'user')
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState('90')
  const [limited, setLimited] = useState<ReadonlySet<string> | null>(null)
  // The value goes to the dialog and not into the result, which the cache of writes would hold.
  const create = useWrite(async (body: Body, headers) => {
    const { value, ...key } = await client.post('/v1/keys', { body, headers })
    onMade({ key, value })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({
      kind,
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(lifetime !== NEVER && { expires_at: toExpiry(Number(lifetime)) }),
      ...(limited !== null && { permissions: own.filter((permission) => limited.has(permission)) }),
    })
  }
  return (
    <form onSubmit={submit}>
      <Field label="Kind" hint={kinds[kind]}>
        {(attributes) => (
          <select {...attributes} value={kind} onChange={({ target }) => setKind(target.value as Kind)}>
            {offered.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Name" hint="What it is for, so that the next admin knows: “nightly export to Snowflake”.">
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
      <Field
        label="Expires"
        hint={isWorkspace ? 'A workspace token must expire within 366 days.' : undefined}
      >
        {(attributes) => (
          <select {...attributes} value={lifetime} onChange={({ target }) => setLifetime(target.value)}>
            {lifetimes.map((days) => (
              <option key={days} value={days}>
                in {days} days
              </option>
            ))}
            {isWorkspace ? null : <option value={NEVER}>never</option>}
          </select>
        )}
      </Field>
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={limited === null}
          onChange={({ target }) => setLimited(target.checked ? null : new Set())}
        />{' '}
        All {own.length} permissions that you have here
      </label>
      {limited === null ? null : (
        <PermissionChoice permissions={own} chosen={limited} onChange={setLimited} legend="Permissions" />
      )}
      {create.error === null ? null : <Failure error={create.error} title="The key was not created." />}
      <DialogActions>
        <Button
          type="submit"
          kind="main"
          busy={create.isPending}
          access={
            limited?.size === 0 ? { allowed: false, reason: 'Choose at least one permission.' } : undefined
          }
        >
          {create.isPending ? 'Creating…' : 'Create the key'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </form>
  )
}

function toExpiry(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString()
}

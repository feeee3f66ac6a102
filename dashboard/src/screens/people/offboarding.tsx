import type { Result } from '@scholiast/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, organizationHeaders } from '../../api/client.ts'
import { selfQuery } from '../../api/query.ts'
import { useWrite } from '../../api/write.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { formatCount, formatCounted, formatTime } from '../../ui/format.ts'
import { Command } from '../../ui/load.tsx'
import { Failure } from '../../ui/problem.tsx'
import { saveFile } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './people.module.css'
import type { Person } from './people-query.ts'

const OFFBOARDING = '/v1/users/offboarding'
const DAY_MS = 86_400_000
/** Keys that were used later must be confirmed, as the API requires it. */
const IN_USE_DAYS = 7

type Preview = Result<'post', typeof OFFBOARDING>
type Key = Preview['keys'][number]

interface OffboardingProps {
  readonly person: Person
  readonly onClose: () => void
}

/** Shows what ends, ends it, and hands over the receipt. */
export function Offboarding({ person, onClose }: OffboardingProps) {
  const organization = useOrganization()
  const member = organization === 'all' ? { cr_user_id: person.id } : { user_id: person.id }
  const preview = useQuery({
    queryKey: ['offboarding', organization, person.id],
    queryFn: ({ signal }) =>
      client.post(OFFBOARDING, {
        body: { member, dry_run: true },
        headers: organizationHeaders(organization),
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const offboard = useWrite<string[], Preview>((confirm_keys, headers) =>
    client.post(OFFBOARDING, { body: { member, dry_run: false, confirm_keys }, headers }),
  )
  if (offboard.data !== undefined) return <Receipt result={offboard.data} onClose={onClose} />
  if (preview.error !== null)
    return (
      <>
        <Failure error={preview.error} title={`${person.name} cannot be offboarded.`} />
        <p>Nothing was changed.</p>
        <DialogActions>
          <Button onClick={() => void preview.refetch()}>Check again</Button>
        </DialogActions>
      </>
    )
  if (preview.data === undefined) return <p role="status">Looking up what would end…</p>
  return (
    <PreviewForm
      preview={preview.data}
      busy={offboard.isPending}
      error={offboard.error}
      onOffboard={(keys) => offboard.mutate(keys)}
    />
  )
}

interface PreviewFormProps {
  readonly preview: Preview
  readonly busy: boolean
  readonly error: Error | null
  readonly onOffboard: (confirmedKeys: string[]) => void
}

function PreviewForm({ preview, busy, error, onOffboard }: PreviewFormProps) {
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const { person, sessions, seats, roles, keys, pending_learnings } = preview
  const open = keys.filter((key) => isInUse(key) && !confirmed.includes(key.id))
  return (
    <>
      <AccessLost name={person.name} />
      <p>
        <b>Nothing was changed yet.</b> This is what ends on the next request of {person.name}:
      </p>
      <dl className={styles['facts']}>
        <dt>Sessions that end</dt>
        <dd>{formatCount(sessions)}</dd>
        <dt>Seats that become free</dt>
        <dd>{formatCount(seats)}</dd>
        <dt>Keys that are revoked</dt>
        <dd>{formatCount(keys.filter(({ ends }) => ends).length)}</dd>
        <dt>Learnings awaiting approval</dt>
        <dd>
          {formatCount(pending_learnings)}
          {pending_learnings > 0 ? '. They stay and can still be approved.' : ''}
        </dd>
      </dl>
      <Roles roles={roles} />
      <Keys
        keys={keys}
        confirmed={confirmed}
        onConfirm={(id, checked) =>
          setConfirmed(checked ? [...confirmed, id] : confirmed.filter((one) => one !== id))
        }
      />
      {error === null ? null : <Failure error={error} title={`${person.name} was not offboarded.`} />}
      <DialogActions>
        <Button
          kind="danger"
          busy={busy}
          access={
            open.length === 0
              ? undefined
              : {
                  allowed: false,
                  reason: `Confirm ${formatCounted(open.length, 'key')} in use first.`,
                }
          }
          onClick={() => onOffboard([...confirmed])}
        >
          {busy ? 'Offboarding…' : `Offboard ${person.name}`}
        </Button>
        {open.length > 0 ? (
          <span className={styles['faint']}>
            First confirm {formatCounted(open.length, 'key')} in use above.
          </span>
        ) : null}
      </DialogActions>
    </>
  )
}

/** How far it goes depends on where it is done. */
function AccessLost({ name }: { readonly name: string }) {
  const organization = useOrganization()
  const { data } = useQuery(selfQuery(organization))
  if (data === undefined) return null
  const { kind, name: tenant } = data.tenant_root
  if (organization === 'all' || kind === 'organization')
    return (
      <p>
        {name} loses all access to {tenant} and is deactivated. Revoked keys do not come back.
      </p>
    )
  const here = data.organizations.first.find(({ id }) => id === organization)?.name ?? 'this organization'
  return (
    <p>
      {name} leaves {here} only: the membership and the keys bound to it end. Sessions, the seat and other
      organizations stay. To end everything,{' '}
      {kind === 'workspace' ? 'choose all organizations at the top left' : 'ask the operator of the instance'}
      .
    </p>
  )
}

function Roles({ roles }: Pick<Preview, 'roles'>) {
  if (roles.length === 0) return <p>No roles end.</p>
  return (
    <>
      <h3>Roles that end</h3>
      <Table
        caption="Roles that end"
        items={roles}
        keyOf={({ organization, role_name }) => `${organization?.id} ${role_name}`}
        columns={[
          { head: 'Organization', cell: (role) => role.organization_name ?? 'The whole workspace' },
          { head: 'Role', cell: ({ role_name }) => <code>{role_name}</code> },
          { head: 'Account', wide: true, cell: ({ user_id }) => user_id ?? '–' },
        ]}
      />
    </>
  )
}

interface KeysProps {
  readonly keys: readonly Key[]
  readonly confirmed: readonly string[]
  readonly onConfirm: (id: string, checked: boolean) => void
}

function Keys({ keys, confirmed, onConfirm }: KeysProps) {
  if (keys.length === 0) return null
  return (
    <>
      <h3>Keys</h3>
      {keys.some(isInUse) ? (
        <p>
          A key used in the last {IN_USE_DAYS} days may belong to a job that others rely on. Replace it there
          first, then confirm it here.
        </p>
      ) : null}
      <Table
        caption="Keys"
        items={keys}
        keyOf={({ id }) => id}
        columns={[
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Kind', cell: ({ kind }) => kind },
          {
            head: 'Last used',
            cell: ({ last_used_at }) => (last_used_at === null ? 'never' : formatTime(last_used_at)),
          },
          {
            head: 'Ends',
            wide: true,
            cell: (key) => <KeyEnd item={key} confirmed={confirmed.includes(key.id)} onConfirm={onConfirm} />,
          },
        ]}
      />
    </>
  )
}

interface KeyEndProps {
  readonly item: Key
  readonly confirmed: boolean
  readonly onConfirm: (id: string, checked: boolean) => void
}

function KeyEnd({ item, confirmed, onConfirm }: KeyEndProps) {
  if (!item.ends) return 'stays'
  if (!isInUse(item)) return 'is revoked'
  return (
    <label className={styles['name']}>
      <input
        type="checkbox"
        className={styles['check']}
        checked={confirmed}
        onChange={(event) => onConfirm(item.id, event.target.checked)}
      />
      Revoke {item.name} even though it is in use
    </label>
  )
}

function isInUse({ ends, last_used_at }: Key): boolean {
  return ends && last_used_at !== null && Date.parse(last_used_at) > Date.now() - IN_USE_DAYS * DAY_MS
}

function Receipt({ result, onClose }: { readonly result: Preview; readonly onClose: () => void }) {
  const { person, receipt } = result
  const [isSaved, setIsSaved] = useState(false)
  if (receipt === null) return null
  const file = `offboarding-${person.cr_user_id}-${receipt.at.replaceAll(/[-:]|\.\d+/g, '')}.json`
  const save = () => {
    saveFile(file, new Blob([`${JSON.stringify(result, null, 2)}\n`], { type: 'application/json' }))
    setIsSaved(true)
  }
  return (
    <>
      <p role="status">
        <b>{person.name} was offboarded</b> at {formatTime(receipt.at)}. The audit log has{' '}
        {formatCounted(receipt.rows.length, 'row')} about it, up to row {formatCount(receipt.head.position)}.
      </p>
      <p>
        Save the receipt now: the service does not store it. It proves later, without the service, that these
        rows were written and were not changed since.
      </p>
      <DialogActions>
        <Button kind="main" onClick={save}>
          Save the receipt (JSON)
        </Button>
        <Button onClick={onClose}>{isSaved ? 'Done' : 'Close without saving'}</Button>
      </DialogActions>
      <h3>Rows of the receipt</h3>
      <Table
        caption="Rows of the receipt"
        items={receipt.rows}
        keyOf={({ id }) => id}
        columns={[
          { head: 'Row', number: true, cell: ({ position }) => formatCount(position) },
          { head: 'Action', cell: ({ action }) => <code>{action}</code> },
          { head: 'Hash', wide: true, cell: ({ hash }) => <code title={hash}>{hash.slice(0, 16)}…</code> },
        ]}
      />
      <h3>Verify it offline</h3>
      <Command>
        {`scholiast audit export --out audit.jsonl\nscholiast audit verify audit.jsonl --receipt ${file}`}
      </Command>
      <p>
        Remove {person.name} from the Git provider and from your identity provider too. Otherwise the next
        inventory adds the membership again.
      </p>
    </>
  )
}

import { useState } from 'react'
import { client } from '../../api/client.ts'
import { useWrite } from '../../api/write.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { formatCounted, formatDate, formatTime } from '../../ui/format.ts'
import { Failure } from '../../ui/problem.tsx'
import { describeLastUse, describeValue, type Key, type NewValue } from './key-facts.ts'
import styles from './keys.module.css'

const overlaps = [0, 1, 2, 3, 4, 5, 6, 7]
const DEFAULT_OVERLAP = 1

interface RotateKeyProps {
  readonly old: Key
  readonly onMade: (made: NewValue) => void
  readonly onClose: () => void
}

export function RotateKey({ old, onMade, onClose }: RotateKeyProps) {
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP)
  // The value goes to the dialog and not into the result, which the cache of writes would hold.
  const rotate = useWrite(async (overlap_days: number, headers) => {
    const { value, replaces, ...key } = await client.post('/v1/keys/{key_id}/rotate', {
      params: { key_id: old.id },
      body: { overlap_days },
      headers,
    })
    onMade({ key, value, replacedUntil: replaces.ends_at })
  })
  return (
    <>
      <p>
        A new key takes the place of <b>{old.name}</b> (<code>{describeValue(old)}</code>), with its owner,
        permissions and scope. {describeSuccessorExpiry(old)}
      </p>
      <div className={styles['form']}>
        <Field
          label="The old key works for"
          hint={
            overlap === 0
              ? 'Requests with the old key are refused immediately. Choose this if it leaked.'
              : 'Both keys work until then. Use the new value everywhere before the old key ends.'
          }
        >
          {(attributes) => (
            <select
              {...attributes}
              value={overlap}
              onChange={({ target }) => setOverlap(Number(target.value))}
            >
              {overlaps.map((days) => (
                <option key={days} value={days}>
                  {days === 0 ? 'no longer' : formatCounted(days, 'more day')}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {rotate.error === null ? null : <Failure error={rotate.error} title="The key was not rotated." />}
      <DialogActions>
        <Button kind="main" busy={rotate.isPending} onClick={() => rotate.mutate(overlap)}>
          {rotate.isPending ? 'Rotating…' : 'Rotate the key'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </>
  )
}

function describeSuccessorExpiry({ created_at, expires_at }: Key): string {
  if (expires_at === null) return 'Like the old one, it never expires.'
  const end = Date.now() + Date.parse(expires_at) - Date.parse(created_at)
  return `It is valid for as long as the old one was: until ${formatDate(new Date(end).toISOString())}.`
}

export function RevokeKey({ old, onClose }: { readonly old: Key; readonly onClose: () => void }) {
  const revoke = useWrite((key_id: string, headers) =>
    client.delete('/v1/keys/{key_id}', { params: { key_id }, headers }),
  )
  return (
    <>
      <p>
        Every further request with <b>{old.name}</b> (<code>{describeValue(old)}</code>) is refused. This
        cannot be undone.
      </p>
      <p className={styles['warning']}>
        {old.last_used_at === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <b>{describeLastUse(old)}</b>, at {formatTime(old.last_used_at)}. Whatever uses
            it stops working.
          </>
        )}
      </p>
      {revoke.error === null ? null : <Failure error={revoke.error} title="The key was not revoked." />}
      <DialogActions>
        <Button
          kind="danger"
          busy={revoke.isPending}
          onClick={() => revoke.mutate(old.id, { onSuccess: onClose })}
        >
          {revoke.isPending ? 'Revoking…' : 'Revoke the key'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </>
  )
}

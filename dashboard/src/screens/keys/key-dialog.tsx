import { Dialog } from '../../ui/dialog.tsx'
import { formatTime } from '../../ui/format.ts'
import { RevokeKey, RotateKey } from './change-key.tsx'
import { CreateKey } from './create-key.tsx'
import { describeExpiry, describeValue, type Key, type NewValue } from './key-facts.ts'
import { KeyValue } from './key-value.tsx'
import styles from './keys.module.css'
import { OwnAccess } from './own-access.tsx'

export type OpenDialog =
  | { readonly kind: 'create' | 'access' }
  | { readonly kind: 'rotate' | 'revoke' | 'details'; readonly key: Key }
  | { readonly kind: 'value'; readonly made: NewValue }

interface KeyDialogProps {
  readonly dialog: OpenDialog | null
  readonly onChange: (dialog: OpenDialog | null) => void
}

/** One dialog at a time. A new value is in the state of the screen until the dialog closes, and nowhere else. */
export function KeyDialog({ dialog, onChange }: KeyDialogProps) {
  const close = () => onChange(null)
  return (
    <Dialog
      title={dialog === null ? '' : describeTitle(dialog)}
      open={dialog !== null}
      onClose={close}
      wide={dialog?.kind === 'access'}
      guarded={dialog?.kind === 'value' || dialog?.kind === 'create' || dialog?.kind === 'rotate'}
    >
      {dialog === null ? null : <Content dialog={dialog} onChange={onChange} onClose={close} />}
    </Dialog>
  )
}

function describeTitle(dialog: OpenDialog): string {
  switch (dialog.kind) {
    case 'create':
      return 'Create a key'
    case 'access':
      return 'What you may do'
    case 'value':
      return `The value of ${dialog.made.key.name}`
    case 'rotate':
      return `Rotate ${dialog.key.name}`
    case 'revoke':
      return `Revoke ${dialog.key.name}?`
    case 'details':
      return dialog.key.name
  }
}

interface ContentProps {
  readonly dialog: OpenDialog
  readonly onChange: (dialog: OpenDialog | null) => void
  readonly onClose: () => void
}

function Content({ dialog, onChange, onClose }: ContentProps) {
  const onMade = (made: NewValue) => onChange({ kind: 'value', made })
  switch (dialog.kind) {
    case 'create':
      return <CreateKey onMade={onMade} onClose={onClose} />
    case 'access':
      return <OwnAccess />
    case 'value':
      return <KeyValue made={dialog.made} onClose={onClose} />
    case 'rotate':
      return <RotateKey old={dialog.key} onMade={onMade} onClose={onClose} />
    case 'revoke':
      return <RevokeKey old={dialog.key} onClose={onClose} />
    case 'details':
      return <KeyDetails of={dialog.key} />
  }
}

/** What a key was given. Its owner's role can allow less, at every use. */
function KeyDetails({ of: key }: { readonly of: Key }) {
  return (
    <>
      <dl className={styles['facts']}>
        <dt>Key</dt>
        <dd>
          <code>{describeValue(key)}</code>
        </dd>
        <dt>Kind</dt>
        <dd>{key.kind}</dd>
        <dt>Owner</dt>
        <dd>{key.owner?.name ?? 'none'}</dd>
        <dt>Created</dt>
        <dd>{formatTime(key.created_at)}</dd>
        <dt>Expires</dt>
        <dd>{describeExpiry(key.expires_at)}</dd>
        <dt>Last used</dt>
        <dd>{key.last_used_at === null ? 'never' : formatTime(key.last_used_at)}</dd>
        <dt>ID</dt>
        <dd>
          <code>{key.id}</code>
        </dd>
        <dt>Permissions</dt>
        <dd>{key.permissions.join(', ')}</dd>
      </dl>
      <p className={styles['hint']}>
        At every request, the key can do only what both its own permissions and its owner’s role allow. Its
        kind limits it further.
      </p>
    </>
  )
}

import { useEffect, useRef, useState } from 'react'
import { serviceUrl } from '../../base.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { formatTime } from '../../ui/format.ts'
import { Command } from '../../ui/load.tsx'
import type { NewValue } from './key-facts.ts'
import styles from './keys.module.css'

/** Shows the value of a new key once. It is in no cache: it is gone when the dialog closes. */
export function KeyValue({ made, onClose }: { readonly made: NewValue; readonly onClose: () => void }) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const { key, value, replacedUntil } = made
  const warning = useRef<HTMLParagraphElement>(null)
  // The button that had the focus is gone.
  useEffect(() => warning.current?.focus(), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value ?? '')
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  if (value === undefined)
    return (
      <p>The key was created, but its value was already returned once. Rotate the key to get a new one.</p>
    )
  return (
    <>
      <p ref={warning} tabIndex={-1} className={styles['warning']}>
        <b>Copy the value now.</b> It is not shown again, and nobody can look it up: the service stores only a
        hash of it.
      </p>
      <p>
        <code className={styles['value']}>{value}</code>
      </p>
      {replacedUntil === undefined ? null : (
        <p className={styles['hint']}>The old key is refused from {formatTime(replacedUntil)} on.</p>
      )}
      <p className={styles['hint']}>Try it, with the value in the variable:</p>
      <Command>{`curl -H "x-service-api-key: $SCHOLIAST_API_KEY" '${new URL('v1/keys/self', serviceUrl).href}'`}</Command>
      <DialogActions>
        <Button kind="main" onClick={() => void copy()}>
          Copy the value
        </Button>
        <Button onClick={onClose}>I have stored it</Button>
        <span role="status" className={styles['hint']}>
          {state === 'copied' ? `Copied the value of ${key.name}.` : null}
          {state === 'failed' ? 'The browser does not allow it. Select the value and copy it.' : null}
        </span>
      </DialogActions>
    </>
  )
}

import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import styles from './dialog.module.css'

interface DialogProps {
  readonly title: string
  readonly open: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  readonly wide?: boolean
  /** A click beside it does not close it, because what it shows cannot be shown again. */
  readonly guarded?: boolean
}

/** The focus goes in, stays in, and returns to where it was. Escape closes it. */
export function Dialog({ title, open, onClose, children, wide = false, guarded = false }: DialogProps) {
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next) => (next ? null : onClose())}
      disablePointerDismissal={guarded}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles['backdrop']} />
        <BaseDialog.Popup className={styles['popup']} data-wide={wide || undefined}>
          <div className={styles['head']}>
            <BaseDialog.Title className={styles['title']}>{title}</BaseDialog.Title>
            <BaseDialog.Close className={styles['close']}>Close</BaseDialog.Close>
          </div>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}

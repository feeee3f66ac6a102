import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { useIsMutating } from '@tanstack/react-query'
import type { ReactNode, RefObject } from 'react'
import styles from './dialog.module.css'

interface DialogProps {
  readonly title: string
  readonly open: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  readonly wide?: boolean
  /** Only its buttons close it, and none while a change runs: what was typed or is shown once would be lost. */
  readonly guarded?: boolean
  /** Takes the focus when the dialog opens; else its first control does. */
  readonly initialFocus?: RefObject<HTMLElement | null>
}

/** The focus goes in, stays in, and returns to where it was. */
export function Dialog({
  title,
  open,
  onClose,
  children,
  wide = false,
  guarded = false,
  initialFocus,
}: DialogProps) {
  const isWriting = useIsMutating() > 0
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next, { reason }) => {
        if (!next && !(guarded && (isWriting || reason !== 'close-press'))) onClose()
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles['backdrop']} />
        <BaseDialog.Popup
          className={styles['popup']}
          data-wide={wide || undefined}
          initialFocus={initialFocus}
        >
          <div className={styles['head']}>
            <BaseDialog.Title className={styles['title']}>{title}</BaseDialog.Title>
            <BaseDialog.Close className={styles['close']} disabled={guarded && isWriting}>
              Close
            </BaseDialog.Close>
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

/** Keys of the page act on the page, which nobody reaches then. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null
}

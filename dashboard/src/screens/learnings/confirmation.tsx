import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'

interface ConfirmationProps {
  readonly open: boolean
  readonly title: string
  readonly confirm: string
  readonly danger?: boolean
  readonly busy?: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
  readonly children: ReactNode
}

export function Confirmation({
  open,
  title,
  confirm,
  danger = false,
  busy = false,
  onClose,
  onConfirm,
  children,
}: ConfirmationProps) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      {children}
      <DialogActions>
        <Button kind={danger ? 'danger' : 'main'} busy={busy} onClick={onConfirm}>
          {confirm}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </Dialog>
  )
}

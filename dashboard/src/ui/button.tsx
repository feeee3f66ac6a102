import { Button as BaseButton } from '@base-ui/react/button'
import type { ReactNode } from 'react'
import { useId } from 'react'
import type { Access } from '../api/access.ts'
import styles from './button.module.css'

interface ButtonProps {
  readonly children: ReactNode
  readonly onClick?: () => void
  readonly kind?: 'plain' | 'main' | 'danger' | 'link'
  readonly type?: 'button' | 'submit'
  readonly busy?: boolean
  /** A control that is not allowed is disabled and says why. */
  readonly access?: Access | undefined
  readonly label?: string | undefined
}

export function Button({
  children,
  onClick,
  kind = 'plain',
  type = 'button',
  busy = false,
  access,
  label,
}: ButtonProps) {
  const id = useId()
  const refused = access !== undefined && !access.allowed
  return (
    <>
      <BaseButton
        type={type}
        className={`${styles['button']} ${styles[kind]}`}
        disabled={refused || busy}
        focusableWhenDisabled
        aria-describedby={refused ? id : undefined}
        aria-label={label}
        title={refused ? access.reason : undefined}
        onClick={onClick}
      >
        {children}
      </BaseButton>
      {refused ? (
        <span id={id} className="visually-hidden">
          {access.reason}
        </span>
      ) : null}
    </>
  )
}

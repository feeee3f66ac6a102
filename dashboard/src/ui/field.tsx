import { type ReactNode, useId } from 'react'
import styles from './field.module.css'

interface ControlAttributes {
  readonly id: string
  readonly 'aria-describedby': string | undefined
}

interface FieldProps {
  readonly label: string
  /** What to enter, below the control. */
  readonly hint?: ReactNode
  readonly children: (attributes: ControlAttributes) => ReactNode
}

/** A control of a form with its label: `<Field label="Name">{(attributes) => <input {...attributes} />}</Field>`. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  const described = hint === undefined ? undefined : `${id}-hint`
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described })}
      {hint === undefined ? null : (
        <p id={described} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  )
}

import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useSearchUpdate } from './filters.tsx'
import styles from './search-choice.module.css'

interface SearchChoiceProps {
  /** The name in the address. */
  readonly name: string
  readonly label: string
  readonly options: readonly (readonly [value: string, text: string])[]
}

/** One of a few values, or any. The choice is part of the address. */
export function SearchChoice({ name, label, options }: SearchChoiceProps) {
  const [search] = useSearchParams()
  const update = useSearchUpdate()
  return (
    <label>
      {label}
      <select
        value={search.get(name) ?? ''}
        onChange={(event) => update({ [name]: event.target.value || null })}
      >
        <option value="">any</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Choices in a row. */
export function SearchChoices({ children }: { readonly children: ReactNode }) {
  return <div className={styles['choices']}>{children}</div>
}

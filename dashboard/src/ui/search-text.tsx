import { type FormEvent, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from './button.tsx'
import { useSearchUpdate } from './filters.tsx'
import styles from './search-text.module.css'

interface SearchTextProps {
  readonly label: string
  readonly maxLength: number
  /** Shown in place of a visible label. */
  readonly placeholder?: string
}

/** A text that is searched for when it is submitted. It is in the address, as `search`. */
export function SearchText({ label, maxLength, placeholder }: SearchTextProps) {
  const [search] = useSearchParams()
  const update = useSearchUpdate()
  const text = search.get('search') ?? ''
  const input = useRef<HTMLInputElement>(null)
  // The address can change without the field: by Back, or by a link.
  useEffect(() => {
    if (input.current !== null) input.current.value = text
  }, [text])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update({ search: input.current?.value.trim() ?? null })
  }
  return (
    <form className={styles['form']} role="search" onSubmit={submit}>
      <label>
        <span className={placeholder === undefined ? undefined : 'visually-hidden'}>{label}</span>{' '}
        <input
          ref={input}
          type="search"
          maxLength={maxLength}
          defaultValue={text}
          placeholder={placeholder}
        />
      </label>
      <Button type="submit">Search</Button>
      {text === '' ? null : <Button onClick={() => update({ search: null })}>Clear</Button>}
    </form>
  )
}

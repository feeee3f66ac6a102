import { Popover } from '@base-ui/react/popover'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import buttonStyles from './button.module.css'
import { Button } from './button.tsx'
import styles from './filters.module.css'
import { FilterPopup, readChoices, useChoices } from './filters.tsx'
import { formatCount, formatCounted } from './format.ts'

interface ChoiceFilterProps {
  /** The name in the address; its value is a comma-separated list. */
  readonly parameter: string
  /** What can be chosen: `action`. */
  readonly one: string
  readonly options: readonly { readonly value: string; readonly label: string; readonly count: number }[]
}

/** Several of the values that the data has. */
export function ChoiceFilter(props: ChoiceFilterProps) {
  const { parameter, one } = props
  const [search] = useSearchParams()
  const [open, setOpen] = useState(false)
  const { length } = readChoices(search, parameter)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className={buttonStyles['button']}>
        {length === 0 ? `All ${one}s` : formatCounted(length, one)} ▾
      </Popover.Trigger>
      <FilterPopup title={`Choose ${one}s`}>
        <ChoiceList {...props} />
      </FilterPopup>
    </Popover.Root>
  )
}

function ChoiceList({ parameter, one, options }: ChoiceFilterProps) {
  const [chosen, toggle, clear] = useChoices(parameter)
  const unknown = chosen.filter((value) => options.every((option) => option.value !== value))
  return (
    <>
      <ul className={styles['list']}>
        {[...options, ...unknown.map((value) => ({ value, label: value, count: 0 }))].map((option) => (
          <li key={option.value}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(option.value)}
                onChange={({ target }) => toggle(option.value, target.checked)}
              />{' '}
              {option.label} ({formatCount(option.count)})
            </label>
          </li>
        ))}
      </ul>
      {chosen.length > 0 ? <Button onClick={clear}>{`All ${one}s`}</Button> : null}
    </>
  )
}

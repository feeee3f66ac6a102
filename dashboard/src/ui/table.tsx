import { Fragment, type ReactNode, useId, useState } from 'react'
import styles from './table.module.css'

export interface Column<Item> {
  readonly head: string
  readonly cell: (item: Item) => ReactNode
  /** Numbers are aligned on the right. */
  readonly number?: boolean
  /** Takes the room that is left. */
  readonly wide?: boolean
  /** Buttons say what they do: on a phone they stand without the head. */
  readonly actions?: boolean
}

interface TableProps<Item> {
  readonly caption: string
  readonly columns: readonly Column<Item>[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** Shown below the row, after its first cell was pressed. */
  readonly details?: (item: Item) => ReactNode
}

/** A table for reading: the first column names the row. */
export function Table<Item>({ caption, columns, items, keyOf, details }: TableProps<Item>) {
  const id = useId()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (key: string) => setOpen((now) => now.symmetricDifference(new Set([key])))
  return (
    // A table that is wider than the page scrolls, so it can have the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles['scroll']} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles['table']}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, number, wide }) => (
              <th key={head} scope="col" data-number={number || undefined} data-wide={wide || undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => {
            const key = keyOf(item)
            const isOpen = open.has(key)
            return (
              <Fragment key={key}>
                <tr data-open={isOpen || undefined}>
                  {columns.map(({ head, cell, number, wide, actions }, index) => {
                    const attributes = {
                      'data-number': number || undefined,
                      'data-wide': wide || undefined,
                      'data-actions': actions || undefined,
                    }
                    return index === 0 ? (
                      <th key={head} scope="row" {...attributes}>
                        {details === undefined ? (
                          cell(item)
                        ) : (
                          <button
                            type="button"
                            className={styles['opener']}
                            aria-expanded={isOpen}
                            aria-controls={isOpen ? `${id}-${key}` : undefined}
                            onClick={() => toggle(key)}
                          >
                            {cell(item)}
                          </button>
                        )}
                      </th>
                    ) : (
                      <td key={head} data-head={head} {...attributes}>
                        {cell(item)}
                      </td>
                    )
                  })}
                </tr>
                {details !== undefined && isOpen ? (
                  <tr id={`${id}-${key}`}>
                    <td colSpan={columns.length} className={styles['details']}>
                      {details(item)}
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

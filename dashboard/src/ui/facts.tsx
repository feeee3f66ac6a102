import { Fragment, type ReactNode } from 'react'
import styles from './facts.module.css'

/** Names and values of one thing. A value of null is left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) =>
        value === null ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  )
}

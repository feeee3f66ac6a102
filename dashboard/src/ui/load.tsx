import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import styles from './load.module.css'
import { Problem } from './problem.tsx'

interface LoadProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching'> & {
    readonly refetch: () => unknown
  }
  /** What is loaded, for people who wait: `findings`. */
  readonly what: string
  readonly children: (data: Data) => ReactNode
}

/** One place for loading, failed and refused reads. Data that is older than a failure stays, with the failure above it. */
export function Load<Data>({ query, what, children }: LoadProps<Data>) {
  const { data, error, isFetching } = query
  return (
    <>
      <QueryProblem query={query} what={what} />
      {data === undefined && error === null ? (
        <p className={styles['loading']} role="status" data-loading>
          Loading {what}…
        </p>
      ) : null}
      {data === undefined ? null : (
        <div className={styles['data']} data-fetching={isFetching || undefined} aria-busy={isFetching}>
          {children(data)}
        </div>
      )}
    </>
  )
}

interface QueryProblemProps {
  readonly query: Pick<UseQueryResult, 'error'> & { readonly refetch: () => unknown }
  readonly what: string
}

/** The failure of a read whose data are a small part of what is shown. */
export function QueryProblem({ query: { error, refetch }, what }: QueryProblemProps) {
  return error === null ? null : <Problem error={error} what={what} onRetry={() => void refetch()} />
}

export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** A command that works when it is pasted. */
export function Command({ children }: { readonly children: string }) {
  return (
    // A long command scrolls, so it can have the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={styles['command']} tabIndex={0}>
      {children}
    </pre>
  )
}

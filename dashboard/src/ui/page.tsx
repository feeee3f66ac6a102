import type { ReactNode } from 'react'
import styles from './page.module.css'

interface PageProps {
  readonly title: string
  /** Filters and actions, beside the title. */
  readonly tools?: ReactNode
  readonly children: ReactNode
}

/** A screen: its title, its tools, and rows of content with notes in the margin. */
export function Page({ title, tools, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Scholiast`}</title>
      <header className={styles['header']}>
        <h1 className={styles['title']} tabIndex={-1}>
          {title}
        </h1>
        <div className={styles['tools']}>{tools}</div>
      </header>
      {children}
    </>
  )
}

interface RowProps {
  readonly children: ReactNode
  /** Definitions, doubts and next steps, beside what they explain. */
  readonly notes?: ReactNode
}

export function Row({ children, notes }: RowProps) {
  return (
    <div className={styles['row']}>
      <div className={styles['content']}>{children}</div>
      <div className={styles['notes']}>{notes}</div>
    </div>
  )
}

export function Note({ children }: { readonly children: ReactNode }) {
  return <p className={styles['note']}>{children}</p>
}

/** What the screen found, in a sentence with figures. */
export function Headline({ children, more }: { readonly children: ReactNode; readonly more?: ReactNode }) {
  return (
    <>
      <p className={styles['headline']}>{children}</p>
      {more === undefined ? null : <p className={styles['more']}>{more}</p>}
    </>
  )
}

interface SectionProps extends RowProps {
  readonly title: string
  readonly tools?: ReactNode
  /** A long list takes the whole width, with its notes above it: the margin beside most of its rows would be empty. */
  readonly wide?: boolean
}

export function Section({ title, tools, notes, wide = false, children }: SectionProps) {
  return (
    <Row notes={wide ? null : notes}>
      <section className={styles['section']}>
        <div className={styles['heading']}>
          <h2>{title}</h2>
          {tools}
        </div>
        {wide ? <div className={styles['notes']}>{notes}</div> : null}
        {children}
      </section>
    </Row>
  )
}

import { Fragment, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import styles from './learnings.module.css'

const LONG = 320
const hidden = /([\p{Cf}\u115f\u1160\u3164\uffa0])/u

type Flag = 'addresses_agent' | 'hidden_characters'

const flagTexts: Readonly<Record<Flag, string>> = {
  addresses_agent: 'speaks to an agent or a tool',
  hidden_characters: 'contains invisible characters',
}

interface LearningTextProps {
  readonly text: string
  readonly flags?: readonly Flag[] | undefined
}

/** The text as it is stored. A long one is folded; characters that nobody would see are written out. */
export function LearningText({ text, flags = [] }: LearningTextProps) {
  const [open, setOpen] = useState(false)
  const isLong = text.length > LONG
  return (
    <>
      <p className={styles['text']} data-folded={(isLong && !open) || undefined}>
        {flags.includes('hidden_characters') ? <WithHidden text={text} /> : text}
      </p>
      {isLong ? (
        <Button kind="link" onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show the whole text'}
        </Button>
      ) : null}
      {flags.length > 0 ? (
        <p className={styles['flags']}>
          Read it with care: it {flags.map((flag) => flagTexts[flag]).join(' and ')}.
        </p>
      ) : null}
    </>
  )
}

function WithHidden({ text }: { readonly text: string }) {
  return text.split(hidden).map((part, index) =>
    index % 2 === 0 ? (
      // Parts have no identity but their position, and do not move.
      // oxlint-disable-next-line react/no-array-index-key
      <Fragment key={index}>{part}</Fragment>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <mark key={index} className={styles['hidden']}>
        U+{part.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}
      </mark>
    ),
  )
}

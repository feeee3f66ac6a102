import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { sessionQuery } from '../api/query.ts'
import { screenPath } from '../paths.ts'
import { Dialog, isDialogOpen } from '../ui/dialog.tsx'
import styles from './frame.module.css'
import { navigation } from './navigation.ts'
import { useScreenPath } from './use-screen-path.ts'

interface PaletteProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

interface Target {
  readonly label: string
  readonly kind: string
  readonly path: string
}

/** Goes to a screen or an organization by a part of its name. Ctrl K, or ⌘ K. */
export function CommandPalette({ open, onOpenChange }: PaletteProps) {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (!isDialogOpen()) onOpenChange(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onOpenChange])
  const input = useRef<HTMLInputElement>(null)
  return (
    <Dialog title="Go to" open={open} onClose={() => onOpenChange(false)} initialFocus={input}>
      <TargetList input={input} onChosen={() => onOpenChange(false)} />
    </Dialog>
  )
}

interface TargetListProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly onChosen: () => void
}

function TargetList({ input, onChosen }: TargetListProps) {
  const id = useId()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [position, setPosition] = useState(0)
  const targets = useTargets().filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
  const current = Math.min(position, targets.length - 1)
  const choose = (target: Target | undefined) => {
    if (target === undefined) return
    onChosen()
    void navigate(target.path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setPosition((current + step + targets.length) % Math.max(1, targets.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(targets[current])
    }
  }
  return (
    <>
      <input
        ref={input}
        className={styles['input']}
        role="combobox"
        aria-label="Screen or organization"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={targets.length > 0 ? `${id}-${current}` : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setPosition(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label="Results">
        {targets.map((target, index) => (
          <div
            key={target.path}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            data-highlighted={index === current || undefined}
            tabIndex={-1}
            onKeyDown={onKeyDown}
            className={styles['item']}
            onClick={() => choose(target)}
          >
            {target.label} <span className={styles['person']}>{target.kind}</span>
          </div>
        ))}
        {targets.length === 0 ? <p className={styles['person']}>Nothing has this in its name.</p> : null}
      </div>
    </>
  )
}

function useTargets(): readonly Target[] {
  const pathOf = useScreenPath()
  const { data } = useQuery(sessionQuery)
  return [
    ...navigation.map(({ screen, label }) => ({
      label,
      kind: 'screen',
      path: pathOf(screen),
    })),
    ...(data?.organizations ?? []).map(({ id, name }) => ({
      label: name,
      kind: 'organization',
      path: screenPath(id, 'overview'),
    })),
  ]
}

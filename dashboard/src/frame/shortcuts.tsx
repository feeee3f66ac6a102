import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Screen } from '../paths.ts'
import { Dialog, isDialogOpen } from '../ui/dialog.tsx'
import styles from './frame.module.css'
import { useScreenPath } from './use-screen-path.ts'

const STORED = 'scholiast-letter-keys'

const screenKeys: Readonly<Record<string, { readonly screen: Screen; readonly label: string }>> = {
  o: { screen: 'overview', label: 'Overview' },
  f: { screen: 'findings', label: 'Findings' },
  v: { screen: 'reviewers', label: 'Reviewers' },
  r: { screen: 'pull-requests', label: 'Pull requests' },
  l: { screen: 'learnings', label: 'Learnings' },
  s: { screen: 'security', label: 'Security' },
  p: { screen: 'people', label: 'People and seats' },
  k: { screen: 'keys', label: 'Keys and roles' },
  a: { screen: 'audit', label: 'Audit and health' },
}

interface ShortcutsProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** `?` lists the keys; `g` and a letter goes to a screen. Keys are ignored while somebody types, and people who dictate switch them off. */
export function Shortcuts({ open, onOpenChange }: ShortcutsProps) {
  const [letters, setLetters] = useState(() => localStorage.getItem(STORED) !== 'off')
  const afterG = useRef(false)
  const pathOf = useScreenPath()
  const navigate = useNavigate()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!letters || isTyping(event.target) || isDialogOpen()) return
    const target = afterG.current ? screenKeys[event.key] : undefined
    afterG.current = event.key === 'g'
    if (event.key === '?') onOpenChange(true)
    if (target !== undefined) void navigate(pathOf(target.screen))
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  const switchLetters = (on: boolean) => {
    localStorage.setItem(STORED, on ? 'on' : 'off')
    setLetters(on)
  }
  return (
    <Dialog title="Keyboard shortcuts" open={open} onClose={() => onOpenChange(false)}>
      <dl className={styles['keys']}>
        <dt>Ctrl K</dt>
        <dd>Go to a screen or an organization by name</dd>
        {Object.entries(screenKeys).flatMap(([key, { label }]) => [
          <dt key={key}>g {key}</dt>,
          <dd key={label}>{label}</dd>,
        ])}
        <dt>?</dt>
        <dd>This list</dd>
        <dt>Esc</dt>
        <dd>Close a dialog, unless it has something you typed</dd>
      </dl>
      <label className={styles['more']}>
        <input type="checkbox" checked={letters} onChange={({ target }) => switchLetters(target.checked)} />{' '}
        Use shortcuts without Ctrl
      </label>
    </Dialog>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}

import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Screen, screenPath } from '../paths.ts'
import { Dialog } from '../ui/dialog.tsx'
import styles from './frame.module.css'
import { useOrganization } from './use-organization.ts'

const screenKeys: Readonly<Record<string, { readonly screen: Screen; readonly label: string }>> = {
  o: { screen: 'overview', label: 'Overview' },
  f: { screen: 'findings', label: 'Findings' },
  r: { screen: 'pull-requests', label: 'Pull requests' },
  l: { screen: 'learnings', label: 'Learnings' },
  s: { screen: 'security', label: 'Security' },
  p: { screen: 'people', label: 'People and seats' },
  k: { screen: 'keys', label: 'Keys and roles' },
  a: { screen: 'audit', label: 'Audit and health' },
}

/** `?` lists the keys; `g` and a letter goes to a screen. Keys are ignored while somebody types. */
export function Shortcuts() {
  const [open, setOpen] = useState(false)
  const afterG = useRef(false)
  const organization = useOrganization()
  const navigate = useNavigate()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const target = afterG.current ? screenKeys[event.key] : undefined
      afterG.current = event.key === 'g'
      if (event.key === '?') setOpen(true)
      if (target !== undefined) void navigate(screenPath(organization, target.screen))
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate, organization])
  return (
    <Dialog title="Keys" open={open} onClose={() => setOpen(false)}>
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
        <dd>Close a dialog</dd>
      </dl>
    </Dialog>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}

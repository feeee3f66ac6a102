import { useState } from 'react'
import { Button } from '../ui/button.tsx'

const STORED = 'scholiast-theme'
const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

/** Called before anything is drawn. */
export function applyStoredTheme(): void {
  apply(readTheme())
}

export function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const change = () => {
    localStorage.setItem(STORED, next)
    apply(next)
    setTheme(next)
  }
  return <Button kind="link" onClick={change}>{`Theme: ${theme}`}</Button>
}

function readTheme(): Theme {
  return themes.find((theme) => theme === localStorage.getItem(STORED)) ?? 'system'
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { NavLink, Outlet, useLocation, useNavigation } from 'react-router'
import { useAccess } from '../api/access.ts'
import { apiQuery, selfQuery, sessionQuery } from '../api/query.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { QueryProblem } from '../ui/load.tsx'
import { CommandPalette } from './command-palette.tsx'
import styles from './frame.module.css'
import { administration, type NavigationEntry, work } from './navigation.ts'
import { ALL, OrganizationSwitch } from './organization-switch.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { SignOut } from './sign-out.tsx'
import { ThemeSwitch } from './theme.tsx'
import { useOrganization } from './use-organization.ts'
import { useScreenPath } from './use-screen-path.ts'

const PENDING_LIMIT = 200
const YourSignIn = lazy(async () => ({ default: (await import('./your-sign-in.tsx')).YourSignIn }))

/** What is around every screen of an organization. */
export function Frame() {
  const [paletteOpen, setPaletteOpen] = useState(false)
  const [signInOpen, setSignInOpen] = useState(false)
  const [keysOpen, setKeysOpen] = useState(false)
  const organization = useOrganization()
  useFocusOnNavigation()
  return (
    <>
      <a className={styles['skip']} href="#content">
        Skip to content
      </a>
      <div className={styles['frame']}>
        <div className={styles['side']}>
          <nav className={styles['nav']} aria-label="Screens">
            <p className={styles['name']}>Scholiast</p>
            <OrganizationSwitch />
            <ScreenLinks entries={work} />
            <h2 className={styles['group']}>Administration</h2>
            <ScreenLinks entries={administration} />
            <div className={styles['foot']}>
              <Person />
              <Button kind="link" onClick={() => setPaletteOpen(true)}>
                Go to… (Ctrl K)
              </Button>
              <Button kind="link" onClick={() => setKeysOpen(true)}>
                Shortcuts (?)
              </Button>
              <ThemeSwitch />
              <Button kind="link" onClick={() => setSignInOpen(true)}>
                Your sign-in
              </Button>
              <SignOut />
            </div>
          </nav>
        </div>
        <main id="content" className={styles['main']} tabIndex={-1}>
          <Progress />
          <AccessProblem />
          {/* Nothing of one organization stays on the screen of another: no choice, no dialog, no page of a list. */}
          <Outlet key={organization} />
        </main>
      </div>
      <CommandPalette open={paletteOpen} onOpenChange={setPaletteOpen} />
      <Dialog title="Your sign-in" wide open={signInOpen} onClose={() => setSignInOpen(false)}>
        <Suspense fallback={<p data-loading>Loading…</p>}>
          <YourSignIn />
        </Suspense>
      </Dialog>
      <Shortcuts open={keysOpen} onOpenChange={setKeysOpen} />
    </>
  )
}

function ScreenLinks({ entries }: { readonly entries: readonly NavigationEntry[] }) {
  return (
    <ul className={styles['links']}>
      {entries.map((entry) => (
        <li key={entry.screen}>
          <ScreenLink {...entry} />
        </li>
      ))}
    </ul>
  )
}

/** Without them, every control is disabled: one place says why, and tries again. */
function AccessProblem() {
  const query = useQuery(selfQuery(useOrganization()))
  return query.data === undefined ? <QueryProblem query={query} what="permissions" /> : null
}

function ScreenLink({ screen, label, reads }: NavigationEntry) {
  const { allowed, reason } = useAccess('GET', reads)
  const pathOf = useScreenPath()
  return (
    <NavLink
      to={pathOf(screen)}
      className={({ isActive }) => `${styles['link']} ${isActive ? styles['active'] : ''}`}
      data-refused={!allowed || undefined}
      title={allowed ? undefined : reason}
    >
      {label}
      {screen === 'learnings' ? <PendingCount /> : null}
    </NavLink>
  )
}

function PendingCount() {
  const organization = useOrganization()
  const { allowed } = useAccess('GET', '/v1/learnings/pending')
  const { data } = useQuery({
    ...apiQuery(organization, '/v1/learnings/pending', { query: { limit: PENDING_LIMIT } }),
    enabled: allowed && organization !== ALL,
    staleTime: 120_000,
  })
  const count = data?.data.length ?? 0
  if (count === 0) return null
  return (
    <span className={styles['count']}>
      {count === PENDING_LIMIT ? `${count}+` : count}
      <span className="visually-hidden">{count === 1 ? ' waits' : ' wait'} for a decision</span>
    </span>
  )
}

function Person() {
  const { data } = useQuery(sessionQuery)
  return (
    <p className={styles['person']}>{data === undefined ? '' : (data.person.name ?? data.person.email)}</p>
  )
}

/** People who cannot see it hear what is loaded; others see a line at the top. */
function Progress() {
  const { state } = useNavigation()
  return <div className={styles['progress']} data-busy={state !== 'idle' || undefined} />
}

/** A screen reader starts at the title of the new screen, as after loading a page. */
function useFocusOnNavigation(): void {
  const { pathname } = useLocation()
  useEffect(() => {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [pathname])
}

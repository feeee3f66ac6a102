import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useParams } from 'react-router'
import { sessionQuery } from '../api/query.ts'
import { signInHref } from '../base.ts'
import { screenPath } from '../paths.ts'
import { Problem } from '../ui/problem.tsx'
import styles from './frame.module.css'
import { ALL } from './organization-switch.tsx'

/** Nothing is shown before it is known who is signed in. */
export function Start() {
  const { organization } = useParams()
  const { data, error, refetch } = useQuery(sessionQuery)
  if (error !== null && data === undefined)
    return <NotSignedIn error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <p className={styles['centre']}>Loading…</p>
  const [first] = data.organizations
  if (first === undefined && !data.workspace_admin) return <NoOrganization />
  if (organization === undefined) return <Navigate replace to={screenPath(first?.id ?? ALL, 'overview')} />
  return <Outlet />
}

function NotSignedIn({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const isSignedOut = 'status' in error && error.status === 401
  if (!isSignedOut)
    return (
      <main className={styles['centre']}>
        <h1>Scholiast</h1>
        <Problem error={error} what="session" onRetry={onRetry} />
      </main>
    )
  return (
    <main className={styles['centre']}>
      <title>Sign in · Scholiast</title>
      <h1>Scholiast</h1>
      <p>Sign in to see what review does for your team, what waits for you, and who has access.</p>
      <a href={signInHref()}>Sign in</a>
    </main>
  )
}

function NoOrganization() {
  return (
    <main className={styles['centre']}>
      <title>No organization · Scholiast</title>
      <h1>You are in no organization</h1>
      <p>
        Your sign-in works, but no organization lists you as a member. Ask an admin to add you at your Git
        provider or in your identity provider, then reload this page.
      </p>
    </main>
  )
}

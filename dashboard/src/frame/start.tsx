import type { Get } from '@scholiast/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, Outlet, useParams } from 'react-router'
import { sessionQuery } from '../api/query.ts'
import { signInHref } from '../base.ts'
import { screenPath } from '../paths.ts'
import { Problem } from '../ui/problem.tsx'
import styles from './frame.module.css'
import { ALL } from './organization-switch.tsx'

type Session = Get<'/v1/session'>

/** As many organizations as a session lists. */
const MAX_LISTED = 1000

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
  return isTheirs(data, organization) ? <Outlet /> : <NotAMember session={data} />
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
      <p>Sign in to see what review does for your team, what is waiting for you, and who has access.</p>
      <a href={signInHref()}>Sign in</a>
    </main>
  )
}

/** If the list of organizations is cut off, the server decides. */
function isTheirs({ workspace_admin, organizations }: Session, organization: string): boolean {
  if (organization === ALL) return workspace_admin
  return organizations.length >= MAX_LISTED || organizations.some(({ id }) => id === organization)
}

function NotAMember({ session }: { readonly session: Session }) {
  return (
    <main className={styles['centre']}>
      <title>Not your organization · Scholiast</title>
      <h1>This is not one of your organizations</h1>
      <p>The address names an organization that does not exist, or that does not list you as a member.</p>
      <ul className={styles['links']}>
        {session.organizations.map(({ id, name }) => (
          <li key={id}>
            <Link to={screenPath(id, 'overview')}>{name}</Link>
          </li>
        ))}
        {session.workspace_admin ? (
          <li>
            <Link to={screenPath(ALL, 'overview')}>All organizations</Link>
          </li>
        ) : null}
      </ul>
    </main>
  )
}

function NoOrganization() {
  return (
    <main className={styles['centre']}>
      <title>No organization · Scholiast</title>
      <h1>You are not in any organization</h1>
      <p>
        Your sign-in works, but no organization lists you as a member. Ask an admin to add you in your Git
        provider or identity provider, then reload this page.
      </p>
    </main>
  )
}

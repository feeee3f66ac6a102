import { createBrowserRouter, isRouteErrorResponse, type RouteObject, useRouteError } from 'react-router'
import { appPath } from './base.ts'
import styles from './frame/frame.module.css'
import { Frame } from './frame/frame.tsx'
import { Start } from './frame/start.tsx'
import { isMissingChunk, reloadOnce } from './stale-build.ts'

// Each screen is a chunk of its own, loaded when it is opened first.
const screens: readonly RouteObject[] = [
  { path: 'keys', lazy: () => import('./screens/keys/keys.tsx') },
  { path: 'learnings', lazy: () => import('./screens/learnings/learnings.tsx') },
  { path: 'overview', lazy: () => import('./screens/overview/overview.tsx') },
  { path: 'findings', lazy: () => import('./screens/findings/findings.tsx') },
  { path: 'reviewers', lazy: () => import('./screens/reviewers/reviewers.tsx') },
  { path: 'pull-requests', lazy: () => import('./screens/pull-requests/pull-requests.tsx') },
  { path: 'people', lazy: () => import('./screens/people/people.tsx') },
  { path: 'security', lazy: () => import('./screens/security/security.tsx') },
  { path: 'audit', lazy: () => import('./screens/audit/audit.tsx') },
]

const routes: RouteObject[] = [
  {
    element: <Start />,
    errorElement: <Failed />,
    HydrateFallback: () => null,
    children: [
      { index: true, element: null },
      {
        path: ':organization',
        element: <Frame />,
        children: [...screens, { path: '*', element: <Missing /> }],
      },
    ],
  },
]

export const router = createBrowserRouter(routes, { basename: appPath })

function Missing() {
  return (
    <div className={styles['centre']}>
      <title>No such page · Scholiast</title>
      <h1>This page does not exist</h1>
      <p>The address may belong to another version. The list on the left has every screen.</p>
    </div>
  )
}

function Failed() {
  const error = useRouteError()
  // Before anything of the page is lost: the chunk of an older build may be gone.
  if (isMissingChunk(error) && reloadOnce()) return null
  const message = isRouteErrorResponse(error)
    ? error.statusText
    : error instanceof Error
      ? error.message
      : String(error)
  return (
    <main className={styles['centre']}>
      <title>Problem · Scholiast</title>
      <h1>This page could not be shown</h1>
      <p>{message}</p>
      <a href={location.href}>Reload the page</a>
    </main>
  )
}

import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from './api/query.ts'
import { applyStoredTheme } from './frame/theme.tsx'
import { router } from './routes.tsx'
import { reloadOnce } from './stale-build.ts'
import './ui/tokens.css'

applyStoredTheme()

window.addEventListener('vite:preloadError', (event) => {
  const { navigation } = router.state
  // The address of the screen that was to be opened, not of the one that is open.
  const href = navigation.location === undefined ? location.href : router.createHref(navigation.location)
  if (reloadOnce(href)) event.preventDefault()
})

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root.')
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)

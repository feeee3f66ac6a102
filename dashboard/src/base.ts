// The address of the service is known only when a page is opened, because a reverse proxy may put a prefix in front of it. Built
// files lie in <service>/app/assets/.
const app = new URL(/* @vite-ignore */ '..', import.meta.url)

/** Where the pages are, without a slash at the end: `/app`, or `/prefix/app`. */
export const appPath = app.pathname.replace(/\/$/, '')

/** Where the service is, with a slash at the end. */
export const serviceUrl = new URL('..', app)

/** The page on which people sign in. It returns to the page that is open now. */
export function signInHref({ fresh = false } = {}): string {
  const page = `${location.pathname.slice(serviceUrl.pathname.length - 1)}${location.search}`
  const query = new URLSearchParams({ return_to: page, ...(fresh && { fresh: '1' }) })
  return new URL(`auth/sign-in?${query}`, serviceUrl).href
}

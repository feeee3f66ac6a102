// After a release, a tab that was opened before asks for a chunk that may be gone. Loading the page again fetches the new build.
const RELOADED = 'scholiast-reloaded'
/** A chunk that is missing again so soon is not a matter of an old tab. */
const AGAIN_MS = 30_000

export function isMissingChunk(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /dynamically imported module|Importing a module script|module script failed/i.test(error.message)
  )
}

/** Opens the address again, once. Returns false if that was tried a moment ago. */
export function reloadOnce(href = location.href): boolean {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - last < AGAIN_MS) return false
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.assign(href)
  if (href.split('#')[0] === location.href.split('#')[0]) location.reload()
  return true
}

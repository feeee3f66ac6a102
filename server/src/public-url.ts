// PUBLIC_URL can have a path: a reverse proxy removes it before it passes a request on, so routes never see it. Every address
// that a browser or a client gets must contain it.

/** The path of PUBLIC_URL without a slash at its end; empty for most installations. */
function getPathPrefix(publicUrl: URL | null): string {
  return publicUrl === null || publicUrl.pathname === '/' ? '' : publicUrl.pathname
}

/** A path of the service as browsers see it. */
export function toPublicPath(publicUrl: URL | null, path: `/${string}`): string {
  return `${getPathPrefix(publicUrl)}${path}`
}

/** A path of the service as a whole address. */
export function toPublicUrl(publicUrl: URL, path: `/${string}`): string {
  return `${publicUrl.origin}${toPublicPath(publicUrl, path)}`
}

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { type Html, html } from './docs/html.ts'
import type { CompressedBytes, Reply } from './reply.ts'
import type { PageRequest } from './server.ts'

interface StaticFile {
  readonly bytes: Buffer
  readonly type: string
  /** Contents of the `.br` and `.gz` files beside it. */
  readonly compressed?: CompressedBytes
}

export interface ServedFile extends StaticFile {
  readonly headers: Readonly<Record<string, string>>
}

/** For names that contain a hash of the content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
])
// Programs that pages offer are read before they are run.
const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Reads a folder into memory. Only a path that is listed is served, so no path leaves the folder. */
export function loadStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const bytesByPath = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [relative(folder, file).replaceAll(sep, '/'), readFileSync(file)]),
  )
  const files = [...bytesByPath].filter(([path]) => !/\.(?:br|gz)$/.test(path))
  return new Map(
    files.map(([path, bytes]) => {
      const [br, gzip] = [bytesByPath.get(`${path}.br`), bytesByPath.get(`${path}.gz`)]
      const type = contentTypes.get(extname(path)) ?? TEXT_TYPE
      return [path, { bytes, type, ...(br && gzip && { compressed: { br, gzip } }) }]
    }),
  )
}

/** Adds the headers that every file has. The policy is for all types: an image can be opened as a document. */
export function serveFile(
  file: StaticFile,
  headers: { readonly 'cache-control': string; readonly 'content-security-policy': string },
): ServedFile {
  return {
    ...file,
    headers: {
      // Weak, because the same file is sent with and without compression.
      etag: `W/"${createHash('sha256').update(file.bytes).digest('base64url').slice(0, 27)}"`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...headers,
    },
  }
}

export function replyWithFile(
  { bytes, type, compressed, headers }: ServedFile,
  status: 200 | 404,
  request?: PageRequest,
): Reply {
  const isKnown = request?.ifNoneMatch?.split(',').some((tag) => tag.trim() === headers['etag'])
  if (isKnown === true) return { status: 304, headers, body: null }
  return { status, headers, body: { chunks: [bytes], type, ...(compressed && { compressed }) } }
}

/** A page that says how to build what is missing. */
export function replyNotBuilt({ title, content }: { readonly title: string; readonly content: Html }): Reply {
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} - Scholiast</title>
<h1>${title}</h1>
${content}
</html>
`
  return {
    status: 200,
    headers: {
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    },
    body: { type: 'text/html; charset=utf-8', text: page.markup },
  }
}

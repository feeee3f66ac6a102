import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../errors.ts'
import type { Reply } from '../reply.ts'
import type { PageRequest, PublicPage } from '../server.ts'

interface SiteFile {
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly type: string
}

/** By path below /docs/. Only a path that is listed is served, so no path leaves the folder. */
type Site = ReadonlyMap<string, SiteFile>

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
const NOT_FOUND_PAGE = '404.html'
const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g

/** The documentation site below /docs. Until `npm run build:site` has run, /docs says how to build it. */
export function createSitePages(folder: URL): readonly PublicPage[] {
  let site = loadSite(fileURLToPath(folder))
  const find = (path: string) => (site ??= loadSite(fileURLToPath(folder)))?.get(path)
  const runIndex = (request?: PageRequest) => {
    const index = find('index.html')
    return index === undefined ? notBuilt : replyWith(index, 200, request)
  }
  return [
    { path: '/docs', run: runIndex },
    { path: '/docs/', run: runIndex },
    {
      path: '/docs/*',
      run(request) {
        const path = request?.rest ?? ''
        const file = find(path) ?? find(`${path}.html`)
        if (file !== undefined) return replyWith(file, 200, request)
        const missing = find(NOT_FOUND_PAGE)
        if (missing === undefined)
          throw new Refusal('NOT_FOUND', 'This page does not exist. /docs describes the documentation.')
        return replyWith(missing, 404)
      },
    },
  ]
}

function loadSite(folder: string): Site | null {
  if (!existsSync(join(folder, 'index.html'))) return null
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => ({ path: relative(folder, file).replaceAll(sep, '/'), bytes: readFileSync(file) }))
  const pages = files.filter(({ path }) => path.endsWith('.html')).map(({ bytes }) => bytes.toString())
  const policy = createPolicy(pages)
  return new Map(
    files.map(({ path, bytes }) => [
      path,
      {
        bytes,
        type: contentTypes.get(extname(path)) ?? TEXT_TYPE,
        headers: createHeaders(path, bytes, policy),
      },
    ]),
  )
}

function createHeaders(path: string, bytes: Buffer, policy: string): Readonly<Record<string, string>> {
  // Names of assets contain a hash of their content.
  const isHashed = path.startsWith('assets/')
  return {
    // Weak, because the same file is sent with and without compression.
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Also of other files: an image can be opened as a document.
    'content-security-policy': policy,
  }
}

/** Scripts of our origin, and the inline scripts that the built pages contain, by hash. */
function createPolicy(pages: readonly string[]): string {
  const scripts = new Set(
    pages.flatMap((page) => [...page.matchAll(inlineScript)].map(([, text = '']) => text)),
  )
  const hashes = [...scripts].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`.trimEnd(),
    "style-src 'self'",
    // Colours of highlighted code are attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function replyWith({ bytes, headers, type }: SiteFile, status: 200 | 404, request?: PageRequest): Reply {
  const isKnown = request?.ifNoneMatch?.split(',').some((tag) => tag.trim() === headers['etag'])
  if (isKnown === true) return { status: 304, headers, body: null }
  return { status, headers, body: { chunks: [bytes], type } }
}

const notBuilt: Reply = {
  status: 200,
  headers: {
    'content-security-policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  },
  body: {
    type: 'text/html; charset=utf-8',
    text: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Scholiast documentation</title>
<h1>The documentation site is not built</h1>
<p>Build it in the checkout with <code>npm run build:site</code>, then reload this page. The pages are also in the folder
<code>docs/</code> of the repository.</p>
<p><a href="/docs/api">API reference</a> · <a href="/openapi.json">openapi.json</a></p>
</html>
`,
  },
}

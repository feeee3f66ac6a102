import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../errors.ts'
import type { Reply } from '../reply.ts'
import type { PageRequest, PublicPage } from '../server.ts'
import {
  IMMUTABLE,
  loadStaticFiles,
  replyNotBuilt,
  replyWithFile,
  type ServedFile,
  serveFile,
} from '../static-files.ts'
import { html } from './html.ts'

/** By path below /docs/. */
type Site = ReadonlyMap<string, ServedFile>

const NOT_FOUND_PAGE = '404.html'
const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g

/** The documentation site below /docs. Until `npm run build:site` has run, its pages are shown as Markdown. */
export function createSitePages(folder: URL, sources: URL): readonly PublicPage[] {
  let site = loadSite(fileURLToPath(folder))
  const find = (path: string) => (site ??= loadSite(fileURLToPath(folder)))?.get(path)
  const runIndex = (request?: PageRequest) => {
    const index = find('index.html')
    return index === undefined ? showMarkdown(sources, 'index') : replyWithFile(index, 200, request)
  }
  return [
    { path: '/docs', run: runIndex },
    { path: '/docs/', run: runIndex },
    {
      path: '/docs/*',
      run(request) {
        const path = request?.rest ?? ''
        const file = find(path) ?? find(`${path}.html`)
        if (file !== undefined) return replyWithFile(file, 200, request)
        const missing = find(NOT_FOUND_PAGE)
        return missing === undefined ? showMarkdown(sources, path) : replyWithFile(missing, 404)
      },
    },
  ]
}

function loadSite(folder: string): Site | null {
  if (!existsSync(join(folder, 'index.html'))) return null
  const files = loadStaticFiles(folder)
  const pages = [...files].filter(([path]) => path.endsWith('.html')).map(([, { bytes }]) => bytes.toString())
  const policy = createPolicy(pages)
  return new Map(
    [...files].map(([path, file]) => {
      const cacheControl = path.startsWith('assets/') ? IMMUTABLE : 'no-cache'
      return [path, serveFile(file, { 'cache-control': cacheControl, 'content-security-policy': policy })]
    }),
  )
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

/** A page of the documentation as it is written. Only listed names are read, so no path leaves the folder. */
function showMarkdown(sources: URL, name: string): Reply {
  const names = (existsSync(sources) ? readdirSync(sources) : []).flatMap((file) =>
    file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : [],
  )
  if (!names.includes(name))
    throw new Refusal('NOT_FOUND', 'This page does not exist. /docs describes the documentation.')
  return replyNotBuilt({
    title: 'The documentation site is not built yet',
    content: html`<p>The first <code>npm run dev</code> builds it in the background; <code>npm run build:site</code> builds it at any time. Until
then, the pages are shown as Markdown. Reload this page to see whether it is built.</p>
<p><a href="/docs/api">API reference</a> · <a href="/openapi.json">openapi.json</a>${names.map((page) => html` · <a href="/docs/${page}">${page}</a>`)}</p>
<pre>${readFileSync(new URL(`${name}.md`, sources), 'utf8')}</pre>`,
  })
}

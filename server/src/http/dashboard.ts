import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../errors.ts'
import { toPublicPath } from '../public-url.ts'
import { html } from './docs/html.ts'
import type { PageRequest, PublicPage } from './server.ts'
import {
  IMMUTABLE,
  loadStaticFiles,
  replyNotBuilt,
  replyWithFile,
  type ServedFile,
  serveFile,
} from './static-files.ts'

const DASHBOARD_PATH = '/app'
const ASSETS = 'assets/'
/** Written last by a build, so that no half of one is loaded. */
const BUILDS_FILE = 'builds.json'

// Only its own scripts and styles, no inline ones, and requests to this service.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** A window that another site opened has no handle on the dashboard. */
const isolation = { 'cross-origin-opener-policy': 'same-origin' }

/** The files of the last builds, and the page of the newest one under the key `index.html`. */
type Dashboard = ReadonlyMap<string, ServedFile>

/** The dashboard below /app. Its paths are those of its screens, so all of them get the same page. */
export function createDashboardPages(folder: URL, publicUrl: URL | null): readonly PublicPage[] {
  const find = createLoader(fileURLToPath(folder), toPublicPath(publicUrl, `${DASHBOARD_PATH}/${ASSETS}`))
  const runIndex = (request?: PageRequest) => {
    const index = find('index.html')
    return index === undefined
      ? { ...notBuilt, headers: { ...notBuilt.headers, ...isolation } }
      : replyWithFile(index, 200, request)
  }
  return [
    {
      path: '/',
      run(request) {
        if (request?.accept?.includes('text/html') !== true)
          throw new Refusal('NOT_FOUND', 'This path does not exist. The API reference is at /docs/api.')
        const location = toPublicPath(publicUrl, DASHBOARD_PATH)
        return { status: 302, headers: { location }, body: null }
      },
    },
    { path: DASHBOARD_PATH, run: runIndex },
    { path: `${DASHBOARD_PATH}/`, run: runIndex },
    {
      path: `${DASHBOARD_PATH}/*`,
      run(request) {
        const path = request?.rest ?? ''
        if (!path.startsWith(ASSETS)) return runIndex(request)
        const asset = find(path)
        // Never the page: a tab of an older version must notice that its files are gone.
        if (asset === undefined)
          throw new Refusal('NOT_FOUND', 'This file is not part of the dashboard. Reload the page.')
        return replyWithFile(asset, 200, request)
      },
    },
  ]
}

/** Reads the files again after a build, without a restart. */
function createLoader(folder: string, assetsPath: string): (path: string) => ServedFile | undefined {
  let loadedAt: number | undefined
  let files: Dashboard = new Map()
  return (path) => {
    const builtAt = statSync(join(folder, BUILDS_FILE), { throwIfNoEntry: false })?.mtimeMs
    if (builtAt !== undefined && builtAt !== loadedAt) {
      files = loadDashboard(folder, assetsPath)
      loadedAt = builtAt
    }
    return files.get(path)
  }
}

function loadDashboard(folder: string, assetsPath: string): Dashboard {
  const files = [...loadStaticFiles(folder)]
  return new Map(
    files.flatMap(([path, file]) => {
      const policy = { 'content-security-policy': contentSecurityPolicy, ...isolation }
      if (path.startsWith(ASSETS)) return [[path, serveFile(file, { 'cache-control': IMMUTABLE, ...policy })]]
      if (path !== 'index.html') return []
      // A relative address would be read from the folder of a deep link.
      const page = file.bytes.toString().replaceAll('./assets/', assetsPath)
      const index = { bytes: Buffer.from(page), type: file.type }
      return [[path, serveFile(index, { 'cache-control': 'no-store', ...policy })]]
    }),
  )
}

const notBuilt = replyNotBuilt({
  title: 'The dashboard is not built',
  content: html`<p>Build it in the checkout with <code>npm run build:dashboard</code>, then reload this page.</p>`,
})

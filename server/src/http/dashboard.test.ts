import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { readApiConfig } from '../config.ts'
import { createLog } from '../observe/log.ts'
import { createMetrics } from '../observe/metrics.ts'
import { createTraces } from '../observe/traces.ts'
import { createAppContext } from './app-context.ts'
import { createDashboardPages } from './dashboard.ts'
import { createServer } from './server.ts'

const parent = mkdtempSync(join(tmpdir(), 'scholiast-dashboard-'))
const folder = join(parent, 'dist')
const index =
  '<link rel="stylesheet" href="./assets/main-1.css"><script type="module" src="./assets/main-1.js"></script>'
const script = `export const words = '${'word '.repeat(200)}'`

// Nothing here reads the database, so none is there.
const config = readApiConfig({
  SIGNING_KEYS: `test:${'ab'.repeat(32)}`,
  AUTH_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  API_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
})
const log = createLog('test', 'silent')
const app = createAppContext(config, log)
const open = (publicUrl: URL | null, dist = folder) =>
  createServer({
    app,
    observers: { log, metrics: createMetrics(), traces: createTraces(null) },
    endpoints: [],
    tools: [],
    pages: createDashboardPages(pathToFileURL(`${dist}/`), publicUrl),
  })
let server: FastifyInstance
const servers: FastifyInstance[] = []

/** What a build leaves behind; the file that is written last says when. */
function build(dist: string, files: Readonly<Record<string, string | Buffer>>, seconds: number): void {
  mkdirSync(join(dist, 'assets'), { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dist, name), content)
  writeFileSync(join(dist, 'builds.json'), '{}')
  utimesSync(join(dist, 'builds.json'), seconds, seconds)
}

before(() => {
  build(
    folder,
    {
      'index.html': index,
      'assets/main-1.js': script,
      'assets/main-1.js.br': brotliCompressSync(script),
      'assets/main-1.js.gz': gzipSync(script),
      'assets/main-1.css': 'body {}',
    },
    1,
  )
  server = open(null)
  servers.push(server)
})
after(async () => {
  await Promise.all(servers.map((one) => one.close()))
  await app.close()
  rmSync(parent, { recursive: true })
})

const get = (url: string, encoding = 'identity') =>
  server.inject({ url, headers: { 'accept-encoding': encoding } })

test('every path of a screen gets the page, which is never stored', async () => {
  const expected = index.replaceAll('./assets/', '/app/assets/')
  for (const path of [
    '/app',
    '/app/',
    '/app/findings?severity=major',
    '/app/people/',
    '/app/a/b/c',
    '/app/x.js',
  ]) {
    const { statusCode, headers, body } = await get(path)
    assert.deepEqual([statusCode, headers['cache-control'], body], [200, 'no-store', expected], path)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  }
})

test('the root leads browsers to the dashboard, and does not exist for programs', async () => {
  const browser = await server.inject({ url: '/', headers: { accept: 'text/html,*/*;q=0.8' } })
  assert.deepEqual([browser.statusCode, browser.headers['location']], [302, '/app'])
  const program = await server.inject({ url: '/', headers: { accept: '*/*' } })
  assert.equal(program.statusCode, 404)
})

test('nothing is loaded from elsewhere, and nothing inline is run', async () => {
  for (const path of ['/app', '/app/assets/main-1.js']) {
    const { headers } = await get(path)
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
  }
})

test('behind a path prefix, a deep link loads the assets from below it', async () => {
  const prefixed = open(new URL('https://host.example.com/tools/scholiast'))
  servers.push(prefixed)
  const { body } = await prefixed.inject('/app/deep/link')
  assert.match(body, /src="\/tools\/scholiast\/app\/assets\/main-1\.js"/)
  assert.doesNotMatch(body, /"\.\/assets/)
})

test('an asset is cached for good, and sent as it was compressed by the build', async () => {
  const plain = await get('/app/assets/main-1.js')
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.deepEqual([plain.body, plain.headers['content-encoding']], [script, undefined])
  const inflate = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
  ] as const) {
    const { headers, rawPayload } = await get('/app/assets/main-1.js', accepted)
    assert.deepEqual([headers['content-encoding'], headers['vary']], [encoding, 'accept-encoding'], accepted)
    assert.equal(headers['content-length'], String(rawPayload.length))
    assert.equal(inflate[encoding](rawPayload).toString(), script)
  }
  const head = await server.inject({
    method: 'HEAD',
    url: '/app/assets/main-1.js',
    headers: { 'accept-encoding': 'br' },
  })
  assert.deepEqual([head.headers['content-encoding'], head.body], ['br', ''])
  const etag = String(plain.headers['etag'])
  const again = await server.inject({ url: '/app/assets/main-1.js', headers: { 'if-none-match': etag } })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
})

test('an asset that does not exist is 404 and never the page, and no path leaves the folder', async () => {
  writeFileSync(join(parent, 'secret.txt'), 'outside')
  for (const path of ['gone-2.js', '', '..%2fbuilds.json', '..%2f..%2fsecret.txt', 'main-1.js.br']) {
    const { statusCode, headers, body } = await get(`/app/assets/${path}`)
    assert.equal(statusCode, 404, path)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal((JSON.parse(body) as { error: { code: string } }).error.code, 'NOT_FOUND')
  }
})

test('before the first build the page says how to build it, and each build is served without a restart', async () => {
  const dist = join(parent, 'later')
  const later = open(null, dist)
  servers.push(later)
  const first = await later.inject('/app/findings')
  assert.equal(first.statusCode, 200)
  assert.match(first.body, /npm run build:dashboard/)
  assert.equal((await later.inject('/app/assets/main-1.js')).statusCode, 404)
  build(dist, { 'index.html': 'one', 'assets/main-1.js': '1' }, 1)
  assert.equal((await later.inject('/app')).body, 'one')
  build(dist, { 'index.html': 'two', 'assets/main-2.js': '2' }, 2)
  assert.equal((await later.inject('/app')).body, 'two')
  const assets = await Promise.all(['1', '2'].map((n) => later.inject(`/app/assets/main-${n}.js`)))
  assert.deepEqual(
    assets.map(({ body }) => body),
    ['1', '2'],
  )
})

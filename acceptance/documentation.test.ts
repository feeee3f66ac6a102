// The documentation site at /docs. It is built before the service starts: npm run build:site.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, test } from 'node:test'
import { call } from './service.ts'

const pages = new Map<string, string>()

/** Every page that can be reached by links from /docs. */
before(async () => {
  const first = await call('/docs')
  assert.doesNotMatch(first.text, /is not built/, 'The site is not built. Run: npm run build:site')
  const waiting = ['/docs', '/docs/']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const reply = await call(path)
    assert.equal(reply.status, 200, `${path} is linked, but its status is ${reply.status}`)
    pages.set(path, reply.text)
    if (path !== '/docs/api') waiting.push(...listLinks(path, reply.text).map(({ path: target }) => target))
  }
})

test('the sections of the documentation can be reached from /docs and read without a script [B-2]', () => {
  const expected = [
    'start',
    'concepts',
    'api-conventions',
    'events',
    'settings',
    'operations',
    'compare',
    'troubleshooting',
    'api',
  ]
  for (const name of expected) assert.ok(pages.has(`/docs/${name}`), name)
  for (const [path, text] of pages) {
    const visible = text.replaceAll(/<(script|style)[^>]*>[^]*?<\/\1>/g, '').replaceAll(/<[^>]+>/g, ' ')
    assert.match(text, /<h1\b/, path)
    assert.ok(visible.replaceAll(/\s+/g, ' ').length > 800, `${path} has hardly any text without scripts`)
  }
})

test('the documentation has no broken links or anchors [B-2]', () => {
  for (const [from, text] of pages) {
    for (const { path, anchor } of listLinks(from, text)) {
      const target = pages.get(path)
      assert.ok(target !== undefined, `${from} links to ${path}`)
      const exists = anchor === '' || target.includes(` id="${anchor}"`)
      assert.ok(exists, `${from} links to ${path}#${anchor}, which has no such heading`)
    }
  }
})

test('pages load nothing from another origin, and every file that they load exists with its type [B-2]', async () => {
  const loaded = new Set<string>()
  for (const [path, text] of pages)
    for (const [, tag = '', address = ''] of text.matchAll(
      /<(script|link|img|source)\b[^>]*?\s(?:src|href)="([^"]+)"/g,
    )) {
      assert.match(address, /^(\/docs\/|data:)/, `${path}: ${tag} ${address}`)
      if (address.startsWith('/')) loaded.add(address)
    }
  const types: Readonly<Record<string, RegExp>> = {
    js: /^text\/javascript/,
    css: /^text\/css/,
    svg: /^image\/svg\+xml/,
  }
  for (const address of loaded) {
    const reply = await call(address)
    assert.equal(reply.status, 200, address)
    const ending = address.split('.').at(-1) ?? ''
    assert.match(reply.headers.get('content-type') ?? '', types[ending] ?? /./, address)
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff', address)
  }
})

test('the policy of a page allows its inline scripts by hash and nothing unsafe [B-2]', async () => {
  for (const [path, text] of pages) {
    const policy = (await call(path, { method: 'HEAD' })).headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy.replace("style-src-attr 'unsafe-inline'", ''), /unsafe|https?:|\*/)
    for (const [, script = ''] of text.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)) {
      const hash = createHash('sha256').update(script).digest('base64')
      assert.ok(policy.includes(`'sha256-${hash}'`), `${path}: ${script.slice(0, 60)}`)
    }
    assert.doesNotMatch(text, /\son[a-z]+="/, path)
  }
})

test('a page is revalidated, a file with a hash in its name is not, and HEAD has no body [B-2]', async () => {
  const page = await call('/docs/keys')
  const etag = page.headers.get('etag') ?? ''
  assert.equal(page.headers.get('cache-control'), 'no-cache')
  const again = await call('/docs/keys', { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, again.text], [304, ''])
  const head = await call('/docs/keys', { method: 'HEAD' })
  assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', etag])
  const [, asset = ''] = /src="(\/docs\/assets\/[^"]+)"/.exec(page.text) ?? []
  assert.match((await call(asset)).headers.get('cache-control') ?? '', /immutable/)
})

test('search works from files of this origin [B-2]', async () => {
  let file = /href="\/docs\/(assets\/chunks\/theme[^"]+)"/.exec(pages.get('/docs/') ?? '')?.[1] ?? ''
  // The theme loads the search box, which loads the index.
  for (const next of [/VPLocalSearchBox\.[\w-]+\.js/, /@localSearchIndexroot\.[\w-]+\.js/]) {
    const { text } = await call(`/docs/${file}`)
    file = `assets/chunks/${next.exec(text)?.[0] ?? 'nothing'}`
  }
  const index = await call(`/docs/${file}`)
  assert.equal(index.status, 200, file)
  assert.match(index.text, /acceptance/)
})

test('an unknown page is a readable 404, and no path leaves the site [B-2]', async () => {
  const missing = await call('/docs/nothing')
  assert.equal(missing.status, 404)
  assert.match(missing.headers.get('content-type') ?? '', /^text\/html/)
  for (const path of [
    '/docs/..%2f..%2f..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/....//package.json',
  ])
    assert.equal((await call(path)).status, 404, path)
  assert.equal((await call('/docs/start', { method: 'POST' })).status, 405)
})

function listLinks(from: string, text: string): { path: string; anchor: string }[] {
  return [...text.matchAll(/<a\b[^>]*?\shref="([^"]+)"/g)]
    .map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), `http://site.test${from}`))
    .filter(({ host, pathname }) => host === 'site.test' && /^\/docs(?:$|\/)/.test(pathname))
    .filter(({ pathname }) => !/\.(?:py|mjs|sql)$/.test(pathname))
    .map(({ pathname, hash }) => ({ path: pathname, anchor: decodeURIComponent(hash.slice(1)) }))
}

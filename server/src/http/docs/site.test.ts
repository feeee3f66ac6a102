import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Reply } from '../reply.ts'
import { createSitePages } from './site.ts'

const parent = mkdtempSync(join(tmpdir(), 'scholiast-site-'))
after(() => rmSync(parent, { recursive: true }))
writeFileSync(join(parent, 'secret.txt'), 'outside of the site')
writeFileSync(join(parent, 'secret.md'), 'outside of the site')
const sources = join(parent, 'docs')
mkdirSync(sources)
writeFileSync(join(sources, 'index.md'), '# Documentation\n')
writeFileSync(join(sources, 'start.md'), '# Start <here>\n')

const script = 'document.title += "!"'
const files: Readonly<Record<string, string>> = {
  'index.html': `<script id="one">${script}</script><script type="module" src="/docs/assets/app.js"></script>`,
  'start.html': '<h1>Start</h1>',
  '404.html': '<h1>Not here</h1>',
  'assets/app.js': 'export {}',
  'assets/style.css': 'body {}',
  'growth.svg': '<svg/>',
  'sync.py': 'print(1)',
}

function write(folder: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

function open(folder: string): (path: string, ifNoneMatch?: string) => Promise<Reply> {
  const pages = new Map(
    createSitePages(pathToFileURL(`${folder}/`), pathToFileURL(`${sources}/`)).map((page) => [
      page.path as string,
      page,
    ]),
  )
  return async (path, ifNoneMatch) => {
    const rest = path.startsWith('/docs/') ? path.slice('/docs/'.length) : ''
    const page = pages.get(path) ?? pages.get('/docs/*')
    assert.ok(page)
    return page.run({ rest, ifNoneMatch, accept: undefined })
  }
}

function textOf({ body }: Reply): string {
  if (body !== null && 'chunks' in body) return Buffer.concat(body.chunks).toString()
  return body !== null && 'text' in body ? body.text : ''
}

function typeOf({ body }: Reply): string {
  return body !== null && 'type' in body ? body.type : ''
}

describe('a built site', () => {
  const folder = join(parent, 'dist')
  write(folder)
  const get = open(folder)

  test('has an index with and without a slash, and pages without their ending', async () => {
    assert.equal(textOf(await get('/docs')), files['index.html'])
    assert.equal(textOf(await get('/docs/')), files['index.html'])
    assert.equal(textOf(await get('/docs/start')), files['start.html'])
    assert.equal(textOf(await get('/docs/start.html')), files['start.html'])
  })

  test('names the type of every file', async () => {
    assert.equal(typeOf(await get('/docs')), 'text/html; charset=utf-8')
    assert.equal(typeOf(await get('/docs/assets/app.js')), 'text/javascript; charset=utf-8')
    assert.equal(typeOf(await get('/docs/assets/style.css')), 'text/css; charset=utf-8')
    assert.equal(typeOf(await get('/docs/growth.svg')), 'image/svg+xml')
    assert.equal(typeOf(await get('/docs/sync.py')), 'text/plain; charset=utf-8')
  })

  test('allows its own inline scripts by their hash, and no others', async () => {
    const { headers } = await get('/docs/start')
    const policy = headers?.['content-security-policy'] ?? ''
    const hash = createHash('sha256').update(script).digest('base64')
    assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy)
    assert.ok(policy.startsWith("default-src 'none';"), policy)
  })

  test('is cached for good where the name has a hash, and asked for again otherwise', async () => {
    const asset = await get('/docs/assets/app.js')
    assert.equal(asset.headers?.['cache-control'], 'public, max-age=31536000, immutable')
    const page = await get('/docs/start')
    assert.equal(page.headers?.['cache-control'], 'no-cache')
    const etag = page.headers?.['etag'] ?? ''
    const again = await get('/docs/start', `"other", ${etag}`)
    assert.deepEqual([again.status, again.body, again.headers?.['etag']], [304, null, etag])
    assert.equal((await get('/docs/start', '"other"')).status, 200)
  })

  test('never leaves its folder', async () => {
    for (const rest of [
      '../secret.txt',
      'assets/../../secret.txt',
      '..%2fsecret.txt',
      '/etc/passwd',
      'assets',
      '',
    ]) {
      const reply = await get(`/docs/${rest}`)
      assert.ok(reply.status === 404 || rest === '', rest)
      assert.doesNotMatch(textOf(reply), /outside|root:/)
    }
  })

  test('answers an unknown path with its page for that', async () => {
    const reply = await get('/docs/nothing', 'W/"any"')
    assert.deepEqual([reply.status, textOf(reply)], [404, files['404.html']])
  })
})

describe('a site that is not built', () => {
  const folder = join(parent, 'later')
  const get = open(folder)

  test('shows its pages as Markdown, and is served without a restart when it is built', async () => {
    for (const path of ['/docs', '/docs/']) {
      const reply = await get(path)
      assert.equal(reply.status, 200)
      assert.match(
        textOf(reply),
        /npm run build:site[^]*href="\/docs\/start"[^]*<pre># Documentation\n<\/pre>/,
      )
    }
    assert.match(textOf(await get('/docs/start')), /<pre># Start &lt;here&gt;\n<\/pre>/)
    for (const path of ['nothing', '../secret', 'start.md', 'toString'])
      await assert.rejects(get(`/docs/${path}`), { code: 'NOT_FOUND' })
    write(folder)
    assert.equal(textOf(await get('/docs')), files['index.html'])
    assert.equal(textOf(await get('/docs/start')), files['start.html'])
  })
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { organizations } from '../../resources/organizations/route.ts'
import { endpoints } from '../../routes.ts'
import { closed } from '../../shape.ts'
import type { Endpoint } from '../endpoint.ts'
import { html, renderInline } from './html.ts'
import { createOpenApiDocument, listErrorCodes } from './openapi.ts'
import { createDocumentationPages, renderReference } from './reference.ts'

const hostile = `</code><script>alert("1")</script><img src='x'>&amp;`

const strange: Endpoint = {
  ...organizations,
  method: 'POST',
  path: '/v1/strange/{strange_id}',
  operationId: 'strange',
  summary: hostile,
  description: hostile,
  tag: hostile,
  params: Type.Object({ strange_id: Type.String({ description: hostile }) }, closed),
  query: Type.Object(
    { day: Type.String({ format: 'date' }), [hostile]: Type.Optional(Type.String()) },
    closed,
  ),
  body: Type.Object({ note: Type.String(), more: Type.Optional(Type.String()) }, closed),
  example: {
    query: { day: '2026-01-31' },
    body: { note: "it's <b>here</b>" },
    response: { deep: [{ [hostile]: hostile }] },
  },
  replies: {
    201: {
      description: hostile,
      body: Type.Object(
        { deep: Type.Array(Type.Object({ [hostile]: Type.String({ default: hostile }) }, closed)) },
        closed,
      ),
    },
  },
}

describe('the reference page', () => {
  const page = renderReference(createOpenApiDocument(endpoints))

  test('has every operation: a link to it, its route, its parameters, its codes', () => {
    for (const endpoint of endpoints) {
      assert.ok(page.includes(`href="#${endpoint.operationId}"`), endpoint.operationId)
      const article = articleOf(page, endpoint.operationId)
      assert.ok(article.includes(`</span>${endpoint.path}</p>`))
      assert.ok(article.includes(endpoint.summary))
      const names = [endpoint.params, endpoint.query].flatMap((schema) =>
        Object.keys(Object(schema).properties as object),
      )
      for (const name of [...names, ...listErrorCodes(endpoint)])
        assert.ok(article.includes(`<code>${name}</code>`), name)
      const command = endpoint.method === 'GET' ? 'curl' : `curl -X ${endpoint.method}`
      assert.ok(
        article.includes(`${command} &quot;$SCHOLIAST_URL/v1/`) && article.includes('$SCHOLIAST_API_KEY'),
      )
    }
  })

  test('has no link that leads nowhere, and no id twice', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length)
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(target), target)
  })

  test('loads and runs nothing', () => {
    assert.doesNotMatch(page, /<script|<link|<img|<iframe|\son\w+=|\sstyle=|url\(|@import|src=/i)
    const others = [...page.matchAll(/href="([^#"][^"]*)"/g)].map(([, target]) => target)
    assert.deepEqual(others, ['/docs', '/openapi.json'])
  })

  test('shows fields within fields', () => {
    assert.match(
      articleOf(page, 'listOrganizations'),
      /depth-0"><code>organizations<.+\n.+depth-1"><code>id</,
    )
  })
})

describe('texts of endpoints', () => {
  const page = renderReference(createOpenApiDocument([strange]))

  test('never become markup', () => {
    assert.doesNotMatch(page, /<script|<img|<b>/)
    assert.ok(
      page.includes(
        '&lt;/code&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;img src=&#39;x&#39;&gt;&amp;amp;',
      ),
    )
    const opened = page.match(/<(?!\/|!|meta)[a-z]/g)?.length
    assert.equal(page.match(/<\/[a-z]/g)?.length, opened, 'every element that is opened is closed')
  })

  test('become a command that a shell reads as it is meant', () => {
    const [, escaped = ''] = /<h4>Request<\/h4>\n<pre><code>([^]+?)<\/code>/.exec(page) ?? []
    const command = escaped
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
    assert.equal(
      command.replaceAll('&amp;', '&'),
      [
        'curl -X POST "$SCHOLIAST_URL/v1/strange/$STRANGE_ID?day=2026-01-31" \\',
        '  -H "x-service-api-key: $SCHOLIAST_API_KEY" \\',
        '  -H "idempotency-key: $(uuidgen)" \\',
        "  -H 'content-type: application/json' \\",
        "  -d '{",
        `  "note": "it'\\''s <b>here</b>"`,
        "}'",
      ].join('\n'),
    )
  })

  test('know code and stress, and nothing else', () => {
    assert.equal(
      renderInline('a `<b>` and **c & d**, ` alone').markup,
      'a <code>&lt;b&gt;</code> and <strong>c &amp; d</strong>, ` alone',
    )
    assert.equal(html`${'<'}${1}${html`<i>`}${[html`<b>`, html`&`]}`.markup, '&lt;1<i><b>&')
  })
})

describe('the pages', () => {
  const pages = new Map(createDocumentationPages(endpoints).map((one) => [one.path as string, one]))

  test('are the document and its reference', async () => {
    assert.deepEqual([...pages.keys()], ['/openapi.json', '/docs/api'])
    const description = await pages.get('/openapi.json')?.run()
    assert.ok(description?.body && 'text' in description.body)
    assert.equal(description.body.type, 'application/json; charset=utf-8')
    assert.deepEqual(JSON.parse(description.body.text), createOpenApiDocument(endpoints))
  })

  test('let a browser load nothing but the one style sheet', async () => {
    const reference = await pages.get('/docs/api')?.run()
    assert.ok(reference?.body && 'text' in reference.body)
    assert.equal(reference.body.type, 'text/html; charset=utf-8')
    const [, sheet = ''] = /<style>([^]*)<\/style>/.exec(reference.body.text) ?? []
    const hash = createHash('sha256').update(sheet).digest('base64')
    const policy = reference.headers?.['content-security-policy'] ?? ''
    assert.ok(policy.startsWith(`default-src 'none'; style-src 'sha256-${hash}';`), policy)
    assert.equal(reference.headers?.['x-content-type-options'], 'nosniff')
  })
})

function articleOf(page: string, id: string): string {
  const start = page.indexOf(`<article class="operation" id="${id}">`)
  assert.notEqual(start, -1, id)
  return page.slice(start, page.indexOf('</article>', start))
}

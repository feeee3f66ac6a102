import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Endpoint } from '../endpoint.ts'
import type { SenderEndpoint } from '../ingest/endpoint.ts'
import type { PublicPage } from '../server.ts'
import { type Html, html, renderInline } from './html.ts'
import { createOpenApiDocument } from './openapi.ts'
import type { OpenApiDocument, Operation } from './openapi-types.ts'
import { listEventNames, renderEvent, renderMethod, renderOperation } from './operation.ts'

// Inline, because the page stands alone.
const style = `\n${readFileSync(new URL('reference.css', import.meta.url), 'utf8')}`

// The page uses one inline style sheet. Nothing else may be loaded, run, submitted or framed.
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The OpenAPI document and the reference page, rendered once. */
export function createDocumentationPages(
  endpoints: readonly Endpoint[],
  senderEndpoints: readonly SenderEndpoint[] = [],
): readonly PublicPage[] {
  const document = createOpenApiDocument(endpoints, senderEndpoints)
  const description = { text: JSON.stringify(document), type: 'application/json; charset=utf-8' }
  const reference = { text: renderReference(document), type: 'text/html; charset=utf-8' }
  const headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
  return [
    { path: '/openapi.json', run: () => ({ status: 200, headers, body: description }) },
    {
      path: '/docs/api',
      run: () => ({
        status: 200,
        headers: { ...headers, 'content-security-policy': contentSecurityPolicy },
        body: reference,
      }),
    },
  ]
}

interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Renders the OpenAPI document as an HTML page without scripts or external resources. */
export function renderReference(document: OpenApiDocument): string {
  const { info, tags } = document
  const events = listEventNames(document)
  const groups = tags.map(({ name }) => ({ name, listed: listOperations(document, name) }))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} API reference</title>
<style>${{ markup: style }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="frame">
<nav aria-label="Contents">
<a class="name" href="#content">${info.title} <span>${info.version}</span></a>
<ul><li><a href="/docs">Documentation</a></li></ul>
<h2>About</h2>
<ul>
${parseSections(document).map(({ title, anchor }) => html`<li><a href="#${anchor}">${title}</a></li>\n`)}</ul>
${groups.map(({ name, listed }) => html`<h2>${name}</h2>\n<ul>\n${listed.map(renderLink)}</ul>\n`)}\
${renderEventLinks(events)}</nav>
<main id="content">
${renderAbout(document)}
${groups.map(({ name, listed }) => renderGroup(name, listed, document))}\
${renderEvents(events, document)}<footer>
<p>${info.title} ${info.version} · ${info.license['name'] ?? ''} · \
OpenAPI: <a href="/openapi.json">openapi.json</a></p>
</footer>
</main>
</div>
</body>
</html>
`.markup
}

function renderEventLinks(names: readonly string[]): Html {
  if (names.length === 0) return html``
  const links = names.map((name) => html`<li><a href="#${name}"><span>${name}</span></a></li>\n`)
  return html`<h2>Event schemas</h2>\n<ul>\n${links}</ul>\n`
}

function renderEvents(names: readonly string[], document: OpenApiDocument): Html {
  if (names.length === 0) return html``
  return html`<section class="group" id="event-schemas">
<h2>Event schemas</h2>
${names.map((name) => renderEvent(name, document))}</section>
`
}

function listOperations(document: OpenApiDocument, tag: string): ListedOperation[] {
  return Object.entries(document.paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
    .filter(({ operation }) => operation.tags.includes(tag))
}

function renderLink({ method, operation: { operationId, summary } }: ListedOperation): Html {
  return html`<li><a href="#${operationId}">${renderMethod(method)}<span>${summary}</span></a></li>\n`
}

/** Each paragraph of the introduction starts with its title, such as **Keys.** */
function parseSections({ info }: OpenApiDocument) {
  return info.description.split('\n\n').map((paragraph) => {
    const [, title = '', text = paragraph] = /^\*\*(.+?)\.\*\*\s+([^]+)$/.exec(paragraph) ?? []
    return { title, text, anchor: title.toLowerCase().replaceAll(' ', '-') }
  })
}

function renderAbout(document: OpenApiDocument): Html {
  const sections = parseSections(document).map(
    ({ title, text, anchor }) =>
      html`<section id="${anchor}"><h3>${title}</h3><p>${renderInline(text)}</p></section>\n`,
  )
  return html`<header>
<h1>${document.info.title}</h1>
<p class="lead">${document.info.summary}</p>
</header>
<div class="about">
<div>
${sections}</div>
<div class="aside">
<h4>Set these before you run an example</h4>
<pre><code>export SCHOLIAST_URL=https://api.example
export SCHOLIAST_API_KEY=sch_…
export SCHOLIAST_INGEST_KEY=…</code></pre>
<h4>An error of most endpoints</h4>
<pre><code>{ "error": { "code": "…", "message": "…" } }</code></pre>
<h4>An error under /v1/learnings</h4>
<pre><code>{ "errors": [{ "code": "…", "message": "…" }] }</code></pre>
<h4>OpenAPI document</h4>
<pre><code>curl "$SCHOLIAST_URL/openapi.json"</code></pre>
</div>
</div>`
}

function renderGroup(name: string, listed: readonly ListedOperation[], document: OpenApiDocument): Html {
  return html`<section class="group">
<h2>${name}</h2>
${listed.map(({ method, path, operation }) => renderOperation(method, path, operation, document))}</section>
`
}

import { createHash } from 'node:crypto'
import type { Endpoint } from '../endpoint.ts'
import type { SenderEndpoint } from '../ingest/endpoint.ts'
import type { PublicPage } from '../server.ts'
import { createOpenApiDocument } from './openapi.ts'
import { renderReference } from './reference.ts'
import { style } from './style.ts'

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

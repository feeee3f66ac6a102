import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@scholiast/sdk'

const page = new URL('https://scholiast.example.com/dashboard')
Object.defineProperty(globalThis, 'location', { value: page })
Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' } })

test('a page sends no key to another origin', () => {
  const other = 'https://api.example.com'
  assert.throws(() => createClient({ baseUrl: other, apiKey: 'key' }), /may not send a key to https:\/\/api/)
  assert.throws(() => createClient({ baseUrl: other, ingestKey: 'key' }), /may not send a key/)
  assert.ok(createClient({ baseUrl: other }), 'without a key there is nothing to protect')
})

test('a page uses its own origin, and no header that a browser forbids', async () => {
  const seen: { url: string; headers: Headers }[] = []
  const client = createClient({
    baseUrl: '/',
    apiKey: 'key',
    fetch: (input, init) => {
      seen.push({ url: (input as URL).href, headers: new Headers(init?.headers) })
      return Promise.resolve(Response.json({}))
    },
  })
  await client.get('/v1/keys/self')
  assert.equal(seen[0]?.url, 'https://scholiast.example.com/v1/keys/self')
  assert.equal(seen[0]?.headers.has('user-agent'), false)
})

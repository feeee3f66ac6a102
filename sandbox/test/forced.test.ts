import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { forcedResponses, type Sandbox, startSandbox } from '../src/sandbox.ts'
import { base, demo } from './demo.ts'
import { comparable, open, type RawOptions, type RawReply, raw } from './http.ts'

interface Response {
  readonly headers: Readonly<Record<string, unknown>>
  readonly content: {
    readonly 'application/json': { readonly schema: { readonly $ref: string }; readonly examples: object }
  }
}
interface Operation {
  readonly responses: Readonly<Record<string, Response>>
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)
const codes = [...forcedResponses.keys()].filter((name) => name === name.toUpperCase())
const ajv = new Ajv2020({ strict: false }).addSchema(document, 'openapi')

const validators = new Map<string, ValidateFunction>()

/** Compiling one for each response would take most of the test's time: they share two schemas. */
function getValidator(reference: string): ValidateFunction {
  const validate = validators.get(reference) ?? ajv.compile({ $ref: `openapi${reference}` })
  validators.set(reference, validate)
  return validate
}

let sandbox: Sandbox
before(async () => {
  sandbox = await startSandbox({ target: base })
})
after(() => sandbox.stop())

const force = (path: string, value: string, options: RawOptions = {}) =>
  raw(sandbox.url + path, { ...options, headers: { ...options.headers, 'x-sandbox-force': value } })

const withKey = (name: keyof typeof demo.keys) => ({ 'x-service-api-key': demo.keys[name] })

test('every forced error of every endpoint is one that openapi.json describes, and no other can be forced', async () => {
  let forced = 0
  for (const { path, method, operation } of operations) {
    const address = path.replaceAll(/\{\w+\}/g, '019f6a30-7a7e-7aaf-8b8a-3c6f4c6f7d11')
    for (const code of codes) {
      const described = Object.entries(operation.responses).find(
        ([status, { content }]) =>
          Number(status) >= 400 && Object.hasOwn(content['application/json'].examples, code),
      )
      const reply = await force(address, code, { method })
      const about = `${method} ${path} ${code} ${reply.bytes.toString()}`
      if (described === undefined) {
        assert.equal(reply.status, 400, about)
        assert.match(reply.bytes.toString(), /"SANDBOX_ERROR".* never returns /, about)
        continue
      }
      forced += 1
      const [status, { headers, content }] = described
      assert.equal(reply.status, Number(status), about)
      const validate = getValidator(content['application/json'].schema.$ref)
      const body: unknown = JSON.parse(reply.bytes.toString())
      assert.ok(validate(body), `${about} ${ajv.errorsText(validate.errors)}`)
      assert.match(reply.bytes.toString(), new RegExp(`"code":"${code}"`))
      // Other refusals may come before the limit counts the request.
      const hasLimit = status === '429' && !path.startsWith('/ingest/')
      for (const name of Object.keys(headers).filter((one) => hasLimit || !one.startsWith('RateLimit')))
        assert.ok(reply.headers[name.toLowerCase()] !== undefined, `${about} has no ${name}`)
    }
  }
  assert.ok(forced > 80, `${forced} errors`)
})

test('the forced errors that can be provoked equal the real ones, in status, headers and body', async () => {
  const large = Buffer.alloc(4 * 1024 ** 2 + 1, 32)
  const json = { 'content-type': 'application/json' }
  const cases: [string, string, RawOptions][] = [
    ['OWNER_NOT_ADMIN', '/v1/organizations', { headers: withKey('workspace_demoted_owner') }],
    ['OWNER_NOT_ADMIN', '/v1/learnings', { headers: withKey('workspace_demoted_owner') }],
    ['OWNER_NOT_ADMIN', '/v1/users', { method: 'HEAD', headers: withKey('workspace_demoted_owner') }],
    [
      'PAYLOAD_TOO_LARGE',
      '/v1/review-context',
      { method: 'POST', headers: { ...withKey('user'), ...json }, body: large },
    ],
    [
      'PAYLOAD_TOO_LARGE',
      '/v1/learnings',
      { method: 'POST', headers: { ...withKey('user'), ...json }, body: large },
    ],
  ]
  for (const [code, path, options] of cases) {
    const headers = { ...options.headers, 'x-request-id': 'same' }
    const real = await raw(base + path, { ...options, headers })
    assert.ok((real.status ?? 0) >= 400, path)
    assert.deepEqual(comparable(await force(path, code, { ...options, headers })), comparable(real), path)
  }
})

test('a forced 429 equals a real one', async () => {
  const headers = { ...withKey('other_tenant'), 'x-request-id': 'same' }
  let real: RawReply
  let requests = 0
  const limited = process.env['SCHOLIAST_LIMITED_URL'] ?? base
  do {
    real = await raw(`${limited}/v1/keys/self`, { headers })
    requests += 1
  } while (real.status !== 429 && requests < 50)
  assert.equal(real.status, 429)
  const seconds = String(real.headers['retry-after'])
  const forced = await force('/v1/keys/self', `RATE_LIMIT_EXCEEDED; retry-after=${seconds}`, { headers })
  assert.deepEqual(comparable(forced), comparable(real))
  assert.equal(forced.headers['ratelimit'], real.headers['ratelimit'])
  assert.equal((await force('/v1/keys/self', 'RATE_LIMIT_EXCEEDED')).headers['retry-after'], '1')
})

test('times=N fails the first N requests with the same token, then passes them on', async () => {
  const statuses = async (token: string) => {
    const found: (number | undefined)[] = []
    for (let count = 0; count < 5; count++)
      found.push((await force('/v1/organizations', `RATE_LIMIT_EXCEEDED; times=3; token=${token}`)).status)
    return found
  }
  // Without a key: what is passed on is 401.
  assert.deepEqual(await statuses('first'), [429, 429, 429, 401, 401])
  assert.deepEqual(await statuses('second'), [429, 429, 429, 401, 401])
})

test('slow delays the response of the service', async () => {
  const started = performance.now()
  const { status } = await force('/healthz', 'slow; delay=300')
  assert.equal(status, 200)
  assert.ok(performance.now() - started >= 299)
})

test('cut closes the connection in the body, and a response without a body does not arrive', async () => {
  const headers = withKey('workspace')
  const lines = '/v1/metrics/review-comments?start_date=2026-01-01&end_date=2026-12-31'
  const targets: [string, RawOptions][] = [
    ['/openapi.json', {}],
    ['/openapi.json', { headers: { 'accept-encoding': 'gzip' } }],
    [lines, { headers: { ...headers, accept: 'application/x-ndjson' } }],
  ]
  for (const [path, options] of targets) {
    const whole = await raw(base + path, options)
    assert.equal(whole.status, 200)
    for (const value of ['cut', 'cut; after=10']) {
      const response = await open(sandbox.url + path, {
        headers: { ...options.headers, 'x-sandbox-force': value },
      })
      const chunks: Buffer[] = []
      await assert.rejects(async () => {
        for await (const chunk of response) chunks.push(chunk as Buffer)
      }, path)
      const received = Buffer.concat(chunks)
      assert.ok(received.length > 0 && received.length < whole.bytes.length, `${path} ${received.length}`)
      if (value !== 'cut') assert.equal(received.length, 10)
      if (whole.headers['content-encoding'] === 'gzip') assert.throws(() => gunzipSync(received))
    }
  }
  await assert.rejects(force('/openapi.json', 'cut', { method: 'HEAD' }))
  await assert.rejects(force('/healthz', 'cut; after=1000000'))
})

test('a header that cannot be read is 400 with what is wrong, and nothing is passed on', async () => {
  for (const [value, message] of [
    ['', /cannot be forced. Known values: RATE_LIMIT_EXCEEDED, /],
    ['TEAPOT', /"TEAPOT" cannot be forced/],
    ['slow; delay=0', /delay must be an integer from 1 to 60000/],
    ['slow; delay=60001', /delay must be/],
    ['slow; retry-after=1', /slow has no option "retry-after"/],
    ['cut; after=x', /after must be/],
    ['OWNER_NOT_ADMIN; retry-after=1', /has no option/],
    ['cut; 3', /is not an option/],
    ['cut; times=3', /times=N needs token/],
    ['cut; token=a', /times=N needs token/],
    ['cut; times=3; token=a b', /times=N needs token/],
  ] as const) {
    const { status, bytes } = await force('/v1/organizations', value)
    assert.equal(status, 400, value)
    assert.match(bytes.toString().replaceAll('\\"', '"'), message, value)
  }
})

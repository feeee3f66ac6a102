// Shows that the rules can fail: a proxy breaks one of them at a time, and each breakage must be reported. That the rules pass on a
// service that breaks none is shown by acceptance/conformance.test.ts, for every kind of key.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Rule } from '../src/conformance/rule.ts'
import { rules } from '../src/conformance/rules.ts'
import { type RuleResult, runRules } from '../src/conformance/run.ts'
import { openService, type Service } from '../src/conformance/service.ts'
import { cliFile, createEnvironment, demo } from './run-cli.ts'

interface Sent {
  method: string
  path: string
  readonly headers: Record<string, string>
  body: string
}

interface Received {
  status: number
  headers: Headers
  text: string
}

interface Breakage {
  /** What the service does wrong. */
  readonly does: string
  /** The rule that must fail. */
  readonly rule: string
  readonly request?: (sent: Sent) => void
  readonly response?: (received: Received, sent: Sent) => void
}

const key = demo.keys['user'] ?? ''
const json = (text: string) => JSON.parse(text) as Record<string, unknown>
const invalid = JSON.stringify({ error: { code: 'INVALID_REQUEST', message: 'no' } })
const rewrite = (sent: Sent, pattern: RegExp, to: string) => {
  sent.path = sent.path.replace(pattern, to)
}
let lastCursor = ''
const used = new Set<string>()

const breakages: readonly Breakage[] = [
  {
    does: 'lets requests without a key read roles',
    rule: 'key-required',
    request: ({ path, headers }) => {
      if (path.startsWith('/v1/roles/permissions')) headers['x-service-api-key'] ??= key
    },
  },
  {
    does: 'says which keys are malformed',
    rule: 'key-malformed',
    response: (received, { headers }) => {
      const given = headers['x-service-api-key']
      if (received.status === 401 && given !== undefined && given.length < 20)
        received.text = received.text.replace('"message":"', '"message":"Malformed. ')
    },
  },
  {
    does: 'accepts the key as a bearer token',
    rule: 'key-header-only',
    request: ({ headers }) => {
      headers['x-service-api-key'] ??= (headers['authorization'] ?? '').replace('Bearer ', '')
    },
  },
  {
    does: 'adds a field to errors',
    rule: 'error-body',
    response: (received) => {
      received.text = received.text.replace('{"error":{', '{"error":{"status":400,')
    },
  },
  {
    does: 'returns errors of Learnings like all others',
    rule: 'error-body-learnings',
    response: (received) => {
      received.text = received.text.replace(/^\{"errors":\[(.*)\]\}$/, '{"error":$1}')
    },
  },
  {
    does: 'answers unknown paths with an empty page',
    rule: 'unknown-path',
    response: (received) => {
      if (received.status === 404) received.status = 200
    },
  },
  {
    does: 'omits Allow on 405',
    rule: 'method-not-allowed',
    response: ({ headers }) => headers.delete('allow'),
  },
  {
    does: 'accepts a trailing slash',
    rule: 'trailing-slash',
    request: (sent) => rewrite(sent, /\/+(?=$|\?)/, ''),
  },
  {
    does: 'has no request id on errors',
    rule: 'request-id-present',
    response: ({ status, headers }) => {
      if (status >= 400) headers.delete('x-request-id')
    },
  },
  {
    does: 'makes its own request id',
    rule: 'request-id-of-caller',
    response: ({ headers }) => headers.set('x-request-id', randomUUID()),
  },
  {
    does: 'takes over every request id',
    rule: 'request-id-replaced',
    response: ({ headers }, sent) => {
      const given = sent.headers['x-request-id'] ?? ''
      if (/^[\x21-\x7e]+$/.test(given)) headers.set('x-request-id', given)
    },
  },
  {
    does: 'checks the shape before the key',
    rule: 'order-key-first',
    response: (received, { path }) => {
      if (received.status === 401 && path.includes('limit=0')) {
        received.status = 400
        received.text = invalid
      }
    },
  },
  {
    does: 'looks the organization up before it checks the shape',
    rule: 'order-shape-before-organization',
    request: (sent) => rewrite(sent, /(repositories)\?.*/, '$1'),
  },
  {
    does: 'repeats the unknown organization in its message',
    rule: 'existence-organization',
    response: (received, { path }) => {
      if (received.status === 404)
        received.text = received.text.replace('"message":"', `"message":"${path.split('/')[3]}: `)
    },
  },
  {
    does: 'ignores unknown parameters',
    rule: 'parameter-unknown',
    request: (sent) => rewrite(sent, /unknown=1/, ''),
  },
  {
    does: 'takes the last of repeated parameters',
    rule: 'parameter-repeated',
    request: (sent) => rewrite(sent, /limit=5&(?=limit=6)/, ''),
  },
  {
    does: 'cuts a limit that is too large',
    rule: 'limit-bounds',
    request: (sent) => rewrite(sent, /limit=\d{4,}/, 'limit=100'),
  },
  {
    does: 'accepts a limit with a leading zero',
    rule: 'limit-plain-digits',
    request: (sent) => rewrite(sent, /limit=0(\d)/, 'limit=$1'),
  },
  {
    does: 'removes equal values before it counts them',
    rule: 'list-parameter',
    request: (sent) => rewrite(sent, /=(7,)+7/, '=7'),
  },
  {
    does: 'moves February 30 to March 2',
    rule: 'date-calendar',
    request: (sent) => rewrite(sent, /2026-02-30/, '2026-03-02'),
  },
  {
    does: 'reads bodies of every type as JSON',
    rule: 'body-type',
    request: ({ headers }) => {
      if (headers['content-type'] !== undefined) headers['content-type'] = 'application/json'
    },
  },
  {
    does: 'accepts cursors that it did not sign',
    rule: 'cursor-altered',
    request: (sent) => {
      const given = /cursor=([^&]+)/.exec(sent.path)?.[1]
      if (given !== undefined && given !== lastCursor && lastCursor !== '')
        rewrite(sent, /cursor=[^&]+/, `cursor=${lastCursor}`)
    },
    response: ({ text }, { path }) => {
      if (path.startsWith('/v1/security/'))
        lastCursor = /"next_cursor":"([^"]+)"/.exec(text)?.[1] ?? lastCursor
    },
  },
  {
    does: 'forgets the filters that a cursor was made with',
    rule: 'cursor-other-filter',
    request: (sent) => {
      if (sent.path.includes('cursor=')) rewrite(sent, /(?:user_ids|repo_id)=nobody&|&?seat_filter=\w+/, '')
    },
  },
  {
    does: 'leaves out the first row of a later page',
    rule: 'paging-complete',
    response: (received, { path }) => {
      if (!path.includes('cursor=') || received.status !== 200) return
      const page = json(received.text)
      for (const rows of Object.values(page)) if (Array.isArray(rows)) rows.shift()
      received.text = JSON.stringify(page)
    },
  },
  {
    does: 'accepts a cursor once',
    rule: 'cursor-reusable',
    response: (received, { path }) => {
      if (!path.includes('cursor=') || used.size === used.add(path).size) return
      if (received.status !== 200) return
      used.add(`${path} again`)
    },
    request: (sent) => {
      if (used.has(`${sent.path} again`)) rewrite(sent, /cursor=[^&]+/, 'cursor=x')
    },
  },
  {
    does: 'returns more rows than the limit',
    rule: 'page-shape',
    request: (sent) => rewrite(sent, /limit=2$/, 'limit=5'),
  },
  {
    does: 'returns the text of comments',
    rule: 'entry-shape',
    response: (received) => {
      received.text = received.text.replaceAll('"accepted":', '"body":"text","accepted":')
    },
  },
  {
    does: 'leaves the last day of a window out',
    rule: 'window-inclusive',
    response: (received, { path }) => {
      const [, start, end] = /start_date=([\d-]+)&end_date=([\d-]+)/.exec(path) ?? []
      if (start === end) received.text = '{"data":[],"next_cursor":null}'
    },
  },
  {
    does: 'ends NDJSON without the line of the cursor',
    rule: 'ndjson-lines',
    response: (received) => {
      received.text = received.text.replace(/\{"next_cursor":[^\n]*\n$/, '')
    },
  },
  {
    does: 'writes cells that a spreadsheet runs',
    rule: 'csv-formula-guard',
    response: (received) => {
      if (received.headers.get('content-type')?.startsWith('text/csv'))
        received.text = received.text.replace(/\r\n[^,"]*,/, '\r\n=1+1,')
    },
  },
  {
    does: 'sends CSV without a file name',
    rule: 'csv-rows',
    response: ({ headers }) => headers.delete('content-disposition'),
  },
  {
    does: 'does not know HEAD',
    rule: 'head-like-get',
    response: (received, { method }) => {
      if (method === 'HEAD') received.status = 405
    },
  },
  {
    does: 'never compresses',
    rule: 'gzip-same',
    response: ({ headers }) => headers.delete('content-encoding'),
  },
  {
    does: 'writes times without milliseconds',
    rule: 'time-format',
    response: (received) => {
      received.text = received.text.replaceAll(/(T\d\d:\d\d:\d\d)\.\d{3}Z/g, '$1Z')
    },
  },
  {
    does: 'reports more requests left than there are',
    rule: 'rate-limit-headers',
    response: ({ headers }) => {
      headers.set('ratelimit-policy', '"security";q=60;w=60')
      headers.set('ratelimit', '"security";r=61;t=60')
    },
  },
  {
    does: 'refuses an endpoint that keys/self allows',
    rule: 'keys-self-agrees',
    response: (received, { path }) => {
      if (!path.startsWith('/v1/roles/permissions')) return
      received.status = 403
      received.text = JSON.stringify({ error: { code: 'NOT_ADMIN', message: 'no' } })
    },
  },
  {
    does: 'ignores Idempotency-Key',
    rule: 'idempotency-replay',
    request: ({ headers }) => {
      delete headers['idempotency-key']
    },
  },
  {
    does: 'accepts another request with a used Idempotency-Key',
    rule: 'idempotency-reused',
    request: ({ headers }) => {
      delete headers['idempotency-key']
    },
  },
  {
    does: 'writes on a dry run',
    rule: 'dry-run',
    request: (sent) => {
      sent.body = sent.body.replace('"dry_run":true,', '')
    },
  },
]

let breakage: Breakage | undefined
let service: Service
const proxy = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
})

before(async () => {
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  service = await openService({ url: proxyUrl(), key })
})
after(() => {
  proxy.closeAllConnections()
  proxy.close()
})

function proxyUrl(): string {
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const given = Object.entries(request.headers).filter(
    ([name]) => !/^(?:host|connection|content-length)$/.test(name),
  )
  const sent: Sent = {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    body: (await buffer(request)).toString(),
  }
  breakage?.request?.(sent)
  const reply = await fetch(demo.base_url.replace(/\/$/, '') + sent.path, {
    method: sent.method,
    headers: sent.headers,
    redirect: 'manual',
    ...(sent.body !== '' && { body: sent.body }),
  })
  const received: Received = {
    status: reply.status,
    headers: new Headers(reply.headers),
    text: await reply.text(),
  }
  breakage?.response?.(received, sent)
  const { status, headers, text } = received
  for (const name of ['content-length', 'transfer-encoding', 'connection', 'keep-alive']) headers.delete(name)
  const body = headers.get('content-encoding') === 'gzip' ? gzipSync(text) : text
  response.writeHead(status, Object.fromEntries(headers)).end(status === 204 ? undefined : body)
}

async function check(checked: readonly Rule[]): Promise<RuleResult[]> {
  const results: RuleResult[] = []
  // A copy, because the rules remember the pages of a service.
  for await (const result of runRules({ ...service }, { write: true, rules: checked })) results.push(result)
  return results
}

test('a service that breaks nothing passes every rule that is broken below', async () => {
  const broken = new Set(breakages.map(({ rule }) => rule))
  const results = await check(rules.filter(({ id }) => broken.has(id)))
  assert.equal(results.length, broken.size)
  // The service of the tests has no limits, so it sends no rate limit headers.
  const bad = results.filter(({ id, outcome }) => outcome !== 'passed' && id !== 'rate-limit-headers')
  assert.deepEqual(bad, [])
})

for (const one of breakages) {
  test(`a service that ${one.does} breaks the rule ${one.rule}`, async () => {
    breakage = one
    try {
      const checked = rules.filter(({ id }) => id === one.rule)
      assert.equal(checked.length, 1)
      const [result] = await check(checked)
      assert.equal(result?.outcome, 'failed', `${one.rule} is ${result?.outcome}: ${result?.reason}`)
      assert.ok(result.reason !== null && result.reason !== '')
      assert.ok(!result.reason.includes(key), 'the report shows the key')
    } finally {
      breakage = undefined
    }
  })
}

test('the acceptance suite runs every rule under its title', () => {
  const suite = readFileSync(new URL('../../acceptance/conformance.test.ts', import.meta.url), 'utf8')
  const tests = [...suite.matchAll(/^test\('([^']+) \[([\w -]+)\]', \(\) =>\s+holds\('([\w-]+)'/gm)]
  for (const { id, title, contract } of rules) {
    const [, called, sentences = ''] = tests.find(([, , , rule]) => rule === id) ?? []
    assert.equal(called, title, `the test of ${id} in acceptance/conformance.test.ts`)
    for (const sentence of contract) assert.ok(sentences.split(' ').includes(sentence), `${id}: ${sentence}`)
  }
  assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length)
})

test('the command reports every rule, writes nothing, and exits with 1 when one fails', async () => {
  breakage = breakages.find(({ rule }) => rule === 'method-not-allowed')
  try {
    const { code, stdout, stderr } = await runConformance(['--json'])
    assert.equal(code, 1, stdout + stderr)
    const report = JSON.parse(stdout) as { failed: number; passed: number; rules: RuleResult[] }
    assert.equal(report.failed, 1)
    assert.ok(report.passed > 40)
    assert.equal(report.rules.length, rules.length)
    assert.equal(report.rules.find(({ outcome }) => outcome === 'failed')?.id, 'method-not-allowed')
    for (const { id, outcome, reason } of report.rules)
      if (rules.find((rule) => rule.id === id)?.writes)
        assert.deepEqual([outcome, reason], ['not_applicable', 'it creates Learnings: add --write'])
    assert.ok(!(stdout + stderr).includes(key))
  } finally {
    breakage = undefined
  }
})

/** Not spawnSync: the proxy answers in this process. */
function runConformance(words: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = createEnvironment()
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [cliFile, 'conformance', '--url', proxyUrl(), ...words],
      { env },
      (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), stdout, stderr })
      },
    )
  })
}

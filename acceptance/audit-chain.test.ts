import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, generateKeyPairSync, hash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertError } from '../cli/src/conformance/http.ts'
import { type AuditEntry, auditLogsPath, read, readOn } from './audit-data.ts'
import { eventually } from './metrics-data.ts'
import { assertPage, call, demo, home, type KeyName } from './service.ts'
import { strict } from './windows.ts'

const chainPath = `${auditLogsPath}/chain`
const verifier = fileURLToPath(new URL('../docs/verify-audit.mjs', import.meta.url))

type Link = { position: number; digest: string; hash: string }
type Head = { kind: string; position: number; hash: string; key: string; signature: string }
type Chain = { data: Link[]; heads: Head[]; public_keys: { key: string; public_key: string }[] }
type Answer = Partial<{ data: (Link & AuditEntry)[]; heads: Head[]; public_keys: Chain['public_keys'] }>

const ask = (query: string, key: KeyName = 'organization') =>
  call(`${chainPath}?${query}`, { key: demo.keys[key] })

async function readChain(query: string, key?: KeyName): Promise<Chain> {
  const reply = await ask(query, key)
  assertPage(reply)
  return reply.body as Chain
}

async function readWholeChain(key?: KeyName): Promise<Chain> {
  const whole: Chain = { data: [], heads: [], public_keys: [] }
  for (let after = 0; ; ) {
    const page = await readChain(`after=${after}&limit=10000`, key)
    whole.data.push(...page.data)
    whole.heads.push(...page.heads)
    whole.public_keys = page.public_keys
    if (page.data.length < 10_000) return whole
    after = page.data.at(-1)?.position ?? after
  }
}

/** A role whose permissions and name changed, and whose change is covered by a signed head. */
const role = { id: '', name: randomUUID(), position: 0 }

before(async () => {
  const send = (method: string, path: string, body: object) =>
    call(path, {
      method,
      key: demo.keys.user,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const permission = (resource_id: string) => ({ resource_id, access_type: 'read' })
  const reply = await send('POST', '/v1/roles', { name: role.name, permissions: [permission('metrics')] })
  role.id = (reply.body as { id: string }).id
  await send('PATCH', `/v1/roles/${role.id}`, {
    name: `${role.name} 2`,
    permissions: [permission('metrics'), permission('audit_log')],
  })
  const { data } = await read('actions=role_changed&page_size=100', 'organization')
  role.position = data.find(({ metadata }) => metadata['resource_id'] === role.id)?.position ?? 0
  assert.ok(role.position > 0)
  await eventually('a signed head covers the change', async () =>
    (await readChain(`after=${role.position - 1}&limit=10000`)).heads.some(
      ({ position }) => position >= role.position,
    ),
  )
})

test('the chain has position, digest and hash of every row of the tenant root, for every caller of it [P11-audit-9]', async () => {
  const whole = await readWholeChain('workspace')
  assert.deepEqual(
    whole.data.map(({ position }) => position),
    whole.data.map((_, index) => index + 1),
  )
  for (const link of whole.data) {
    assert.deepEqual(Object.keys(link), ['position', 'digest', 'hash'])
    for (const value of [link.digest, link.hash]) assert.match(value, /^[0-9a-f]{64}$/)
  }
  const digests = new Map(whole.data.map((link) => [link.position, link]))
  for (const key of ['organization', 'user'] as const) {
    const { data } = await readWholeChain(key)
    assert.deepEqual(data.slice(0, whole.data.length), whole.data, key)
  }
  const { entries } = await readOn('page_size=100', 'start', 'organization')
  assert.ok(entries.length < whole.data.length, 'the organization reads a part of the rows only')
  for (const { position, hash: ofRow, content } of entries) {
    const link = digests.get(position)
    if (link !== undefined) assert.deepEqual([link.hash, link.digest], [ofRow, hash('sha256', content)])
  }
  const other = await readWholeChain('other_tenant')
  assert.ok(other.data.every((link) => !digests.get(link.position)?.hash.includes(link.hash)))
})

test('after and limit select a part, up to 10,000 rows, with the heads of its positions [P11-audit-8]', async () => {
  const { data } = await readChain('after=3&limit=5')
  assert.deepEqual(
    data.map(({ position }) => position),
    [4, 5, 6, 7, 8],
  )
  assert.ok((await readChain('')).data.length <= 1000)
  const page = await readChain(`after=${role.position - 1}&limit=1`)
  assert.ok(page.heads.every(({ position }) => position >= role.position - 1 && position <= role.position))
  assert.deepEqual(await readChain('after=999999999999999'), {
    data: [],
    heads: [],
    public_keys: page.public_keys,
  })
  for (const bad of [
    'limit=0',
    'limit=10001',
    'after=-1',
    'after=1.0',
    'after=1000000000000000',
    'cursor=start',
  ])
    assertError(await ask(bad), 400, 'INVALID_REQUEST', bad)
})

test('access to the chain is that of audit logs, and they share a window [P11-audit-8]', async () => {
  assertError(await call(chainPath), 401, 'UNAUTHORIZED')
  assertError(await ask('', 'legacy'), 410, 'LEGACY_API_KEY')
  assertError(await ask('', 'agentic'), 403, 'KEY_KIND_NOT_ALLOWED')
  assertError(await ask('', 'lower_plan'), 403, 'ENTERPRISE_REQUIRED')
  assertError(await ask('org_id=nobody', 'workspace'), 404, 'ORGANIZATION_NOT_FOUND')
  assert.equal((await ask(`org_id=${home.org_id}`, 'workspace')).status, 200)
  const reply = await call(chainPath, { key: demo.keys.instance, base: strict() })
  assert.equal(reply.headers.get('ratelimit-policy'), '"audit";q=60;w=60')
})

/** Runs the documented verifier against the service, with answers altered on the way. */
async function verifyThrough(
  alter: (answer: Answer) => void,
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const server = createServer((request, response) => {
    void fetch(demo.base_url + request.url, {
      headers: { 'x-service-api-key': String(request.headers['x-service-api-key']) },
    }).then(async (upstream) => {
      const answer = (await upstream.json()) as Answer
      alter(answer)
      response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const child = spawn(process.execPath, [verifier, role.id], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...env,
        SCHOLIAST_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        SCHOLIAST_API_KEY: demo.keys.organization,
      },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        output += piece.toString()
      })
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    return { code, output }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const rowIn = ({ data = [] }: Answer) =>
  data.find(({ position, content }) => position === role.position && content !== undefined)
const linkIn = ({ data = [] }: Answer) =>
  data.find(({ position, content }) => position === role.position && content === undefined)

test('who changed this role, from what to what: the documented verifier proves it with the API alone [P11-audit-10]', async () => {
  const { public_keys } = await readChain('limit=1')
  const pinned = { AUDIT_KEYS: public_keys.map(({ key }) => key).join() }
  const { code, output } = await verifyThrough(() => {}, pinned)
  assert.equal(code, 0, output)
  const { data } = await read('actions=role_changed&page_size=100', 'organization')
  const owner = data.find(({ position }) => position === role.position)?.actor.owner
  assert.match(
    output,
    new RegExp(`Row ${role.position}, .*: role_changed by .*, owner ${owner?.id} \\(${owner?.name}\\)`),
  )
  assert.match(output, /before \{"permissions":\["metrics:read"\]\}/)
  assert.match(output, /after {2}\{"permissions":\["metrics:read","audit_log:read"\]\}/)
  assert.match(output, /The audit log is valid/)
  assert.match(output, /[1-9]\d* signed heads match/)
})

test('a tampered row, chain, head or key is refused by the documented verifier [P11-audit-10]', async () => {
  const forge = (content: string) => content.replace('"audit_log:read"', '"billing:read"')
  const sha256 = (...parts: (string | Buffer)[]) => {
    const digest = createHash('sha256')
    for (const part of parts) digest.update(part)
    return digest.digest('hex')
  }
  const rewrite = ({ data = [] }: Answer) => {
    // From the forged row on, every hash is computed again, as somebody with write access to the database would do.
    const start = data.findIndex(({ position }) => position === role.position)
    if (start < 0) return
    for (const [index, link] of data.entries()) {
      const previous = data[index - 1]
      if (index < start || previous === undefined) continue
      const position = Buffer.alloc(8)
      position.writeBigUInt64BE(BigInt(link.position))
      if (index === start) link.digest = 'f'.repeat(64)
      link.hash = sha256(Buffer.from(previous.hash, 'hex'), position, Buffer.from(link.digest, 'hex'))
    }
  }
  const { publicKey } = generateKeyPairSync('ed25519')
  const cases: [string, (answer: Answer) => void, RegExp, Record<string, string>?][] = [
    [
      'the content of a row',
      (answer) => {
        const row = rowIn(answer)
        if (row) row.content = forge(row.content)
      },
      /Row \d+: its content is not what the chain has/,
    ],
    [
      'a personal value',
      (answer) => {
        const value = rowIn(answer)?.personalValues['after.name']
        if (value) value.value = 'Somebody else'
      },
      /Row \d+: after\.name is not what was sealed/,
    ],
    [
      'a digest of the chain',
      (answer) => {
        const link = linkIn(answer)
        if (link) link.digest = 'f'.repeat(64)
      },
      /Row \d+: its hash does not follow from the row before it/,
    ],
    [
      'a link is left out',
      (answer) => {
        if (linkIn(answer))
          answer.data = answer.data?.filter(({ position }) => position !== role.position) ?? []
      },
      /Row \d+ is missing|does not follow/,
    ],
    [
      'the whole chain from the row on',
      (answer) => answer.public_keys && rewrite(answer),
      /was rewritten after/,
    ],
    [
      'the end of the chain',
      (answer) => {
        if (answer.public_keys)
          answer.data = answer.data?.filter(({ position }) => position < role.position) ?? []
      },
      /is missing: row \d+ was signed/,
    ],
    [
      'a signature',
      ({ heads = [] }) => {
        for (const head of heads) head.signature = Buffer.alloc(64).toString('base64')
      },
      /signature of head \d+ is wrong/,
    ],
    [
      'a public key',
      ({ public_keys = [] }) => {
        for (const key of public_keys)
          key.public_key = publicKey.export({ format: 'pem', type: 'spki' }).toString()
      },
      /has another id/,
    ],
    [
      'a key that the caller does not know',
      () => {},
      /signed by another key/,
      { AUDIT_KEYS: '0000000000000000' },
    ],
  ]
  for (const [what, alter, reason, env] of cases) {
    const { code, output } = await verifyThrough(alter, env)
    assert.equal(code, 1, `${what}: ${output}`)
    assert.match(output, /The audit log is not valid/, what)
    assert.match(output, reason, what)
  }
})

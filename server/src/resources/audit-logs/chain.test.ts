import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { startService } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import { createSigner } from '../../access/audit/heads.ts'
import { sweepHeads } from '../../access/audit/retention.ts'
import { attestHeads, signHeads } from '../../access/audit/sign-heads.ts'

interface Chain {
  readonly data: readonly { readonly position: number; readonly digest: string; readonly hash: string }[]
  readonly heads: readonly { readonly kind: string; readonly position: number; readonly at: string }[]
  readonly public_keys: readonly { readonly key: string }[]
}

const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
const signer = createSigner(randomBytes(32).toString('base64'))

const { database, superuser, tenant, use, defer } = await openTenant()
const service = use(startService(database, { LIMIT_AUDIT: 'off' }))
defer(() => rmSync(folder, { recursive: true }))

async function readChain(key: string, query = 'limit=10000'): Promise<Chain> {
  const { status, text } = await service.call(`/v1/audit-logs/chain?${query}`, { key })
  assert.equal(status, 200, text)
  return JSON.parse(text) as Chain
}

test('a caller of one organization gets the chain of its root, and of no other [P11-audit-9]', async () => {
  const [token, bound, foreign] = await Promise.all([
    tenant.createKey('workspace'),
    tenant.createKey('organization'),
    tenant.createKey('user', { of: 'alone' }),
  ])
  const [whole, same, other] = [
    await readChain(token.value),
    await readChain(bound.value),
    await readChain(foreign.value),
  ]
  assert.deepEqual(same.data.slice(0, whole.data.length), whole.data)
  const hashes = new Set(whole.data.map(({ hash }) => hash))
  assert.ok(other.data.length > 0 && other.data.every(({ hash }) => !hashes.has(hash)))
})

test('signed heads and checkpoints are stored with the public key; old ones are thinned out, the file keeps all [P11-audit-11]', async () => {
  const { root } = tenant.workspace
  const { value } = await tenant.createKey('workspace')
  await signHeads(tenant.pool, signer, `${folder}/heads`, () => new Date())
  const { data, heads, public_keys } = await readChain(value)
  const last = data.at(-1)
  assert.deepEqual(
    heads.map(({ kind, position }) => [kind, position]),
    [['head', last?.position]],
  )
  assert.deepEqual(
    public_keys.map(({ key }) => key),
    [signer.keyId],
  )
  const attest = (kind: 'head' | 'checkpoint', position: number, at: string) =>
    attestHeads(
      tenant.pool,
      signer,
      `${folder}/heads`,
      [{ kind, root, position, hash: 'a'.repeat(64) }],
      new Date(at),
    )
  await attest('head', 3, '2026-01-01T01:00:00Z')
  await attest('head', 4, '2026-01-01T02:00:00Z')
  await attest('head', 5, '2026-01-02T01:00:00Z')
  await attest('checkpoint', 2, '2026-01-02T01:00:00Z')
  await sweepHeads(tenant.pool)
  const positions = async (query: string) =>
    (await readChain(value, query)).heads.map(({ kind, position }) => `${kind} ${position}`)
  assert.deepEqual(await positions('after=2&limit=3'), ['checkpoint 2', 'head 4', 'head 5'])
  await superuser.query(
    `insert into audit_checkpoint (root_id, position, hash, at) values ($1, 5, $2, now())`,
    [root, Buffer.alloc(32)],
  )
  await sweepHeads(tenant.pool)
  assert.deepEqual(await positions('after=2&limit=3'), ['checkpoint 2', 'head 5'])
  await superuser.query('delete from audit_checkpoint where root_id = $1', [root])
})

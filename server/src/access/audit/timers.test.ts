import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { busUrl, createBus } from '../../../test/bus.ts'
import { openTenant } from '../../../test/fixture.ts'
import { startWorker } from '../../../test/process.ts'
import { waitFor } from '../../../test/wait.ts'
import { createSigner, isSignedBy, parseSignedHead } from './heads.ts'
import { createAuditMaintenance } from './timers.ts'

const signingKey = randomBytes(32).toString('base64')
const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
const headsFile = `${folder}/heads`

const { database, tenant, use, defer } = await openTenant()
const bus = use(await createBus())
defer(() => rmSync(folder, { recursive: true }))

test('a worker signs the head of every root, and again once it has changed', async () => {
  const worker = await startWorker(database, {
    NATS_URL: busUrl,
    BUS_PREFIX: bus.prefix,
    AUDIT_SIGNING_KEY: signingKey,
    AUDIT_HEADS_FILE: headsFile,
    AUDIT_HEADS_SECONDS: '1',
  })
  const { publicKey } = createSigner(signingKey)
  const headsOf = (root: string) => {
    const lines = existsSync(headsFile) ? readFileSync(headsFile, 'utf8').split('\n').slice(0, -1) : []
    const heads = lines.map((line) => parseSignedHead(line) ?? assert.fail(`no head: ${line}`))
    for (const head of heads) assert.ok(isSignedBy(publicKey, head))
    return heads.filter((head) => head.root === root)
  }
  const { workspace, alone } = tenant
  await waitFor(
    'both are signed',
    () => headsOf(workspace.root).length === 1 && headsOf(alone.root).length === 1,
  )
  await tenant.createKey('user')
  await waitFor('the changed one is signed again', () => headsOf(workspace.root).length === 2)
  const [first, second] = headsOf(workspace.root)
  assert.ok((second?.position ?? 0) > (first?.position ?? 0))
  assert.equal(headsOf(alone.root).length, 1)
  await worker.stop()
})

test('a signing key without a file for the heads, or the other way round, does not start', () => {
  const settings = { retentionMonths: null, headsSeconds: 300 }
  assert.throws(
    () => createAuditMaintenance({ ...settings, signingKey, headsFile: null }),
    /require each other/,
  )
  assert.throws(
    () => createAuditMaintenance({ ...settings, signingKey: null, headsFile }),
    /require each other/,
  )
  assert.throws(
    () => createAuditMaintenance({ ...settings, signingKey: 'x', headsFile }),
    /must be an Ed25519/,
  )
  assert.equal(createAuditMaintenance({ ...settings, signingKey: null, headsFile: null }).signer, null)
})

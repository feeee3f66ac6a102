import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { demo, folder, runCli, runJson } from './run-cli.ts'

interface Offboarding {
  readonly executed: boolean
  readonly seats: number
  readonly roles: readonly { readonly user_id: string }[]
  readonly receipt: { rows: { action: string; position: number; digest: string }[] } | null
}

interface Users {
  readonly users: readonly { readonly user_id: string }[]
}

// Somebody whom no other test knows, in a tenant of a single organization.
const account = String(randomInt(1e11, 1e12))
const email = `${account}@example.com`
const admin = { key: 'other_tenant' }
const offline = { key: null, env: { SCHOLIAST_URL: '' } }

before(async () => {
  const organization = { provider: 'github', id: '58801264' }
  const event = {
    id: randomUUID(),
    type: 'inventory.changed',
    version: 1,
    occurred_at: new Date().toISOString(),
    payload: {
      accounts: [{ provider: 'github', id: account, username: account, email, name: 'Lena Fischer' }],
      memberships: [{ organization, account_id: account, active: true }],
    },
  }
  const response = await fetch(`${demo.base_url}/ingest/v1/events`, {
    method: 'POST',
    headers: {
      'x-service-api-key': demo.keys['ingest_other_tenant'] ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify([event]),
  })
  assert.equal(response.status, 202, await response.text())
  for (let attempt = 0; attempt < 100 && !isMember(); attempt++) await sleep(200)
  assert.ok(isMember())
})

function isMember(): boolean {
  return runJson<Users>(['users', 'list'], admin).users.some(({ user_id }) => user_id === account)
}

test('all sessions of a person end, named by e-mail, account or id, after a confirmation', () => {
  const preview = runCli(['users', 'end-sessions', email, '--dry-run'], admin)
  assert.match(preview.stdout, /^This would end all sessions of Lena Fischer\.$/m)
  assert.match(preview.stderr, /nothing was changed/)
  const unconfirmed = runCli(['users', 'end-sessions', account], admin)
  assert.notEqual(unconfirmed.code, 0)
  assert.match(unconfirmed.stderr, /--yes/)
  assert.match(
    runCli(['users', 'end-sessions', account, '--yes'], admin).stdout,
    /^Ended 0 sessions of Lena Fischer\.$/m,
  )
  const { cr_user_id } = runJson<{ cr_user_id: string }>(['users', 'end-sessions', email, '--dry-run'], admin)
  assert.deepEqual(runJson(['users', 'end-sessions', cr_user_id, '--yes'], admin), { ended: 0 })
  const unknown = runCli(['users', 'end-sessions', randomUUID(), '--yes'], admin)
  assert.notEqual(unknown.code, 0)
})

test('a person is offboarded after a preview and a confirmation, and the receipt verifies off-line', () => {
  assert.equal(runCli(['seats', 'assign', account], admin).code, 0)
  const preview = runCli(['users', 'offboard', email, '--dry-run'], admin)
  assert.equal(preview.code, 0, preview.stderr)
  assert.match(
    preview.stdout,
    /^Lena Fischer <.*>\nSessions: 0\. Seats: 1\. Pending Learnings that stay: 0\.$/m,
  )
  assert.match(preview.stdout, /^ROLE THAT ENDS +ORGANIZATION +USER$/m)
  assert.match(preview.stderr, /nothing was changed/)
  const unconfirmed = runCli(['users', 'offboard', account], admin)
  assert.equal(unconfirmed.code, 2)
  assert.match(unconfirmed.stderr, /This offboards Lena Fischer .*\nnext: {2}Add --yes/)
  assert.ok(isMember(), 'nothing was changed')

  const receiptFile = join(folder, 'receipt.json')
  const done = runCli(['users', 'offboard', account, '--yes', '--receipt', receiptFile], admin)
  assert.equal(done.code, 0, done.stderr)
  assert.match(done.stderr, /The receipt is valid: the audit log has its 4 rows/)
  assert.equal(isMember(), false)
  const saved = JSON.parse(readFileSync(receiptFile, 'utf8')) as Offboarding
  assert.deepEqual([saved.executed, saved.seats, saved.roles.length], [true, 1, 1])

  const log = join(folder, 'audit.jsonl')
  assert.equal(runCli(['audit', 'export', '--out', log], admin).code, 0)
  const valid = runCli(['audit', 'verify', log, '--receipt', receiptFile], offline)
  assert.equal(valid.code, 0, valid.stderr)
  assert.match(valid.stderr, /The receipt is valid: the log has its 4 rows/)
  const [row] = saved.receipt?.rows ?? []
  assert.ok(row)
  for (const change of [{ digest: '0'.repeat(64) }, { position: row.position + 1 }]) {
    const altered = join(folder, 'altered.json')
    const rows = saved.receipt?.rows.map((one, index) => (index === 0 ? { ...one, ...change } : one))
    writeFileSync(altered, JSON.stringify({ ...saved, receipt: { ...saved.receipt, rows } }))
    const refused = runCli(['audit', 'verify', log, '--receipt', altered], offline)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^error: The receipt is not valid\. Row /)
  }
  const other = runCli(['audit', 'verify', log, '--receipt', log], offline)
  assert.match(other.stderr, /is not an offboarding receipt/)
})

test('who cannot be offboarded is named with the reason', () => {
  const unknown = runCli(['users', 'offboard', 'nobody@example.com', '--yes'], admin)
  assert.equal(unknown.code, 5)
  const billing = runCli(['users', 'offboard', 'priya.raman@example.com', '--yes'], { key: 'workspace' })
  assert.equal(billing.code, 6)
  assert.match(billing.stderr, /billing admin of .*PROTECTED_ROLE/)
})

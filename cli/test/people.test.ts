import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { demo, folder, runCli, runJson } from './run-cli.ts'

interface Users {
  readonly seats_assigned: number
  readonly users: { readonly user_id: string; readonly seat_assigned: boolean; readonly role: string }[]
}

interface Role {
  readonly id: string
  readonly name: string
  readonly permissions: { readonly resource_id: string; readonly access_type: string }[]
}

const [home] = demo.organizations
// The suite runs on two versions of Node.js at the same time: each has a user of its own.
const { users: everybody } = runJson<Users>(['users', 'list'])
const member = everybody.at(process.version.startsWith('v22.') ? -1 : 0)?.user_id ?? ''
const admin = everybody.find(({ role }) => role === 'cr_admin')?.user_id ?? ''

test('organizations and repositories are listed, one organization with --org', () => {
  const organizations = runJson<{ provider_organization_id: string }[]>(['organizations', 'list'], {
    key: 'workspace',
  })
  assert.ok(organizations.length > 1)
  const all = runJson<unknown[]>(['repositories', 'list'], { key: 'workspace' })
  const some = runJson<{ provider_repository_id: string }[]>(
    ['repositories', 'list', '--org', home?.org_id ?? ''],
    { key: 'workspace' },
  )
  assert.ok(some.length > 0 && some.length < all.length)
  assert.deepEqual(
    some.map((repository) => repository.provider_repository_id).sort(),
    home?.repositories.map((repository) => repository.repository_id).sort(),
  )
  assert.equal(runCli(['repositories', 'list', '--org', '1'], { key: 'workspace' }).code, 5)
})

test('seats are assigned, rehearsed and released, and a partial failure exits with 8', () => {
  const assigned = runCli(['seats', 'assign', member, '000'])
  assert.equal(assigned.code, 8, assigned.stderr)
  assert.match(assigned.stdout, new RegExp(`^${member} {2}has a seat$`, 'm'))
  assert.match(assigned.stdout, /^000 +USER_NOT_FOUND /m)
  const rehearsal = runJson<{ users: unknown[] }>(['seats', 'release', member, '--dry-run'])
  assert.equal(rehearsal.users.length, 1)
  const file = join(folder, 'leavers.txt')
  writeFileSync(file, `# leavers\n${member}\n000\n`)
  const refused = runCli(['seats', 'release', '--file', file])
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /releases the seats of 2 users\..*\nnext: {2}Add --yes/)
  assert.ok(isSeated(member), 'nothing was changed')
  assert.equal(runCli(['seats', 'release', '--file', '-', '--yes'], { input: `${member}\n` }).code, 0)
  assert.equal(isSeated(member), false)
})

test('a workspace token lists people and assigns seats by e-mail', () => {
  const { users: people } = runJson<{ users: { email: string; accounts: { org_id: string }[] }[] }>(
    ['users', 'list'],
    {
      key: 'workspace',
    },
  )
  // Somebody of another organization, because the test above has the users of the first.
  const email = people.find(({ accounts }) => accounts.every(isElsewhere))?.email ?? ''
  const result = runJson<{ failed: unknown[] }>(['seats', 'assign', email], { key: 'workspace' })
  assert.deepEqual(result.failed, [])
  assert.equal(runCli(['seats', 'release', email], { key: 'workspace' }).code, 0)
  const mixed = runCli(['seats', 'assign', email, '17'], { key: 'workspace' })
  assert.equal(mixed.code, 2)
})

test('idle seats are listed, and released with --yes', async () => {
  const key = 'other_tenant'
  const idle = await addNewcomer()
  const listIdle = (...words: string[]) =>
    runJson<Users>(['seats', 'reclaim', ...words], { key }).users.map((user) => user.user_id)
  const tryOnce = () => {
    assert.equal(runCli(['seats', 'assign', idle], { key }).code, 0)
    const listed = listIdle().includes(idle)
    const stillListed = listIdle('--inactive', '3650d', '--yes', '--dry-run').includes(idle)
    const released = runCli(['seats', 'reclaim', '--inactive', '3650d', '--yes'], { key })
    assert.equal(released.code, 0, released.stderr)
    return listed && stillListed && new RegExp(`^${idle} {2}has no seat$`, 'm').test(released.stdout)
  }
  // The suite of the other version of Node.js may release the seat first.
  let succeeded = false
  for (let attempt = 0; attempt < 5 && !succeeded; attempt++) succeeded = tryOnce()
  assert.ok(succeeded, 'the seat is listed, kept by a dry run, and released')
  assert.ok(!listIdle().includes(idle))
  assert.equal(runCli(['seats', 'reclaim', '--inactive', 'soon'], { key }).code, 2)
  assert.equal(runCli(['seats', 'reclaim'], { key: 'workspace' }).code, 2, 'activity needs --org')
})

/** Adds somebody who was never active to an organization that no recording shows; returns the account. */
async function addNewcomer(): Promise<string> {
  const place = { provider: 'github', host: 'github.com' }
  const id = String(randomInt(1e11, 1e12))
  const event = {
    id: randomUUID(),
    type: 'inventory.changed',
    version: 1,
    occurred_at: new Date().toISOString(),
    payload: {
      accounts: [{ ...place, id, username: id, email: `${id}@example.com`, name: 'Lena Fischer' }],
      memberships: [{ organization: { ...place, id: '58801264' }, account_id: id, active: true }],
    },
  }
  const env = { SCHOLIAST_INGEST_KEY: demo.keys['ingest_other_tenant'] ?? '' }
  const sent = runCli(['events', 'send', '-'], { key: null, env, input: JSON.stringify(event) })
  assert.equal(sent.code, 0, sent.stderr + sent.stdout)
  const isMember = () =>
    runJson<Users>(['users', 'list'], { key: 'other_tenant' }).users.some((user) => user.user_id === id)
  for (let attempt = 0; attempt < 50 && !isMember(); attempt++) await sleep(200)
  assert.ok(isMember(), 'the newcomer is listed')
  return id
}

test('the event status is shown for the workspace and for an organization', () => {
  const whole = runCli(['ingest', 'status'], { key: 'workspace' })
  assert.equal(whole.code, 0, whole.stderr)
  assert.match(whole.stdout, /^Last event +\d{4}-/m)
  assert.match(whole.stdout, /^Queued messages +\d+$/m)
  const one = runJson<{ queued: null; parked: number }>(['ingest', 'status', '--org', home?.org_id ?? ''], {
    key: 'workspace',
  })
  assert.equal(one.queued, null)
  assert.ok(!runCli(['ingest', 'status']).stdout.includes('Queued'))
})

test('the seat assignment mode is shown, and set on self-hosted instances only', () => {
  assert.match(runCli(['seats', 'mode']).stdout, /^Seat assignment mode: (automatic|manual)\n$/)
  assert.equal(runCli(['seats', 'mode', 'manual']).code, 4)
  assert.equal(runCli(['seats', 'mode', 'sometimes']).code, 2)
})

test('user roles are set, also as a dry run', () => {
  const rehearsal = runCli(['users', 'set-role', 'admin', member, '--dry-run'])
  assert.match(rehearsal.stderr, /Dry run: nothing was changed\. 1 of 1 user would become cr_admin\./)
  const result = runJson<{ succeeded: string[] }>(['users', 'set-role', 'admin', admin])
  assert.deepEqual(result.succeeded, [admin])
  assert.equal(runCli(['users', 'set-role', 'member', '000']).code, 8)
  assert.equal(runCli(['users', 'set-role', 'owner', member]).code, 2)
})

test('custom roles are created, shown, changed and deleted by name', () => {
  const name = `Auditor ${process.pid}`
  const words = ['roles', 'create', name, '--permission', 'audit_log:read', 'metrics:read']
  const created = runJson<Role>(words)
  const again = runCli(words)
  assert.equal(again.code, 6, again.stderr)
  assert.match(again.stderr, /ROLE_NAME_TAKEN/)
  runJson(['roles', 'edit', name, '--description', 'Reads logs', '--permission', 'audit_log:read'])
  const shown = runJson<Role>(['roles', 'show', name])
  assert.equal(shown.id, created.id)
  assert.deepEqual(shown.permissions, [{ resource_id: 'audit_log', access_type: 'read' }])
  assert.equal(runCli(['roles', 'assign', name, '000']).code, 8)
  assert.deepEqual(runJson<{ succeeded: string[] }>(['roles', 'assign', 'cr_admin', admin]).succeeded, [
    admin,
  ])
  assert.equal(runCli(['roles', 'assign', name, member, '000']).code, 2, 'several users need --yes')
  assert.equal(runCli(['roles', 'assign', 'Nobody', member]).code, 5)
  assert.equal(runCli(['roles', 'rm', name]).code, 2, 'nobody can confirm in a pipe')
  assert.match(runCli(['roles', 'rm', name, '--dry-run']).stderr, /Dry run: nothing was changed/)
  assert.equal(runCli(['roles', 'rm', name, '--yes']).code, 0)
  assert.equal(runCli(['roles', 'show', name]).code, 5)
  assert.match(
    runCli(['roles', 'permissions']).stdout,
    /^learning:read {2}learning:write {2}learning:delete$/m,
  )
})

test('settings are shown, set and removed, for a repository too', () => {
  const key = 'other_tenant'
  const [repository] = runJson<{ provider_repository_id: string }[]>(['repositories', 'list'], { key })
  const id = repository?.provider_repository_id ?? ''
  const set = runJson<{ inherited: string[] }>(
    ['settings', 'set', '--repository', id, '--approval-delay', '5'],
    { key },
  )
  assert.deepEqual(set.inherited, [
    'knowledge_base.learnings.scope',
    'metrics.enabled',
    'currency',
    'reviewers',
  ])
  assert.match(
    runCli(['settings', 'get', '--repository', id], { key }).stdout,
    /^knowledge_base\.learnings\.approval_delay +5 +no$/m,
  )
  const unset = ['settings', 'set', '--repository', id, '--approval-delay', 'unset']
  assert.equal(runJson<{ inherited: string[] }>(unset, { key }).inherited.length, 5)
  assert.equal(runCli(['settings', 'set'], { key }).code, 2)
  assert.equal(runCli(['settings', 'set', '--approval-delay', 'soon'], { key }).code, 2)
})

test('reviewer prices and their currency are set, shown, used and removed', () => {
  const key = 'other_tenant'
  const since = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)
  const unknown = 'a=b@2026-01-01'
  const set = ['settings', 'set', '--currency', 'eur', '--reviewer-price', `scholiast=480@${since}`]
  assert.equal(runCli(set, { key }).stderr, '', 'the reviewer has findings')
  const changed = runCli(['settings', 'set', '--reviewer-price', `${unknown}=19.50`], { key })
  assert.match(changed.stderr, new RegExp(`^${unknown} has no findings yet\\. .+\n$`))
  assert.match(
    runCli(['settings', 'get'], { key }).stdout,
    new RegExp(
      '^currency +EUR +no\n' +
        `reviewers\\.${unknown}\\.price_per_month +19\\.5 +no\n` +
        'reviewers\\.scholiast\\.price_per_month +480 +no\n' +
        `reviewers\\.scholiast\\.since +${since} +no$`,
      'm',
    ),
  )
  const { stdout } = runCli(['metrics', 'reviewers'], { key })
  assert.match(stdout, /^REVIEWER .+ {2}COST \(EUR\)$/m)
  assert.match(stdout, /^scholiast .+ [\d,]+\.\d\d$/m)
  assert.equal(runJson<{ currency: string }>(['metrics', 'reviewers'], { key }).currency, 'EUR')
  const again = runJson<{ warnings: { reviewer: string }[] }>([...set, `${unknown}=20`], { key })
  assert.deepEqual(
    again.warnings.map(({ reviewer }) => reviewer),
    [unknown],
  )
  const unset = ['--currency', 'unset', '--reviewer-price', 'scholiast=unset']
  const removed = runCli(['settings', 'set', ...unset, '--reviewer-price', `${unknown}=unset`], { key })
  assert.equal(removed.stderr, '')
  assert.doesNotMatch(removed.stdout, /^(?:currency|reviewers)/m)
})

test('a wrong price or currency is refused with an example that works', () => {
  const wrong = [
    ['--reviewer-price', 'coderabbit=much'],
    ['--reviewer-price', 'coderabbit=480@soon'],
    ['--reviewer-price', 'coderabbit=unset@2026-03-01'],
    ['--currency', 'euro'],
  ]
  for (const words of wrong) {
    const { code, stderr } = runCli(['settings', 'set', ...words], { key: 'other_tenant' })
    assert.equal(code, 2, words.join(' '))
    assert.match(stderr, /\nnext: {2}Use, for example, (?:coderabbit=480|--currency EUR),/)
  }
})

function isSeated(id: string): boolean {
  const { users } = runJson<Users>(['users', 'list', '--seats', 'assigned'])
  return users.some((user) => user.user_id === id)
}

function isElsewhere({ org_id: id }: { readonly org_id: string }): boolean {
  return id !== home?.org_id
}

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
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

test('the seat assignment mode is shown, and set on self-hosted instances only', () => {
  assert.match(runCli(['seats', 'mode']).stdout, /^Seat assignment mode: (automatic|manual)\n$/)
  assert.equal(runCli(['seats', 'mode', 'manual']).code, 4)
  assert.equal(runCli(['seats', 'mode', 'sometimes']).code, 2)
})

test('roles of users are set and rehearsed', () => {
  const rehearsal = runCli(['users', 'set-role', 'admin', member, '--dry-run'])
  assert.match(rehearsal.stderr, /Dry run: nothing was changed\. 1 of 1 users would become cr_admin\./)
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
  assert.equal(runCli(['roles', 'rm', name]).code, 2, 'nobody can confirm in a pipe')
  assert.match(runCli(['roles', 'rm', name, '--dry-run']).stderr, /Dry run: nothing was changed/)
  assert.equal(runCli(['roles', 'rm', name, '--yes']).code, 0)
  assert.equal(runCli(['roles', 'show', name]).code, 5)
  assert.match(
    runCli(['roles', 'permissions']).stdout,
    /^learning:read {2}learning:write {2}learning:delete$/m,
  )
})

function isSeated(id: string): boolean {
  const { users } = runJson<Users>(['users', 'list', '--seats', 'assigned'])
  return users.some((user) => user.user_id === id)
}

function isElsewhere({ org_id: id }: { readonly org_id: string }): boolean {
  return id !== home?.org_id
}

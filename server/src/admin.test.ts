import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { busUrl, createBus } from '../test/bus.ts'
import { openDatabase } from '../test/fixture.ts'
import { createAdminContext } from './admin/context.ts'
import { explainFailure } from './admin/output.ts'
import { runCommand } from './admin/program.ts'
import { commands } from './commands.ts'

const entry = fileURLToPath(new URL('admin.ts', import.meta.url))
const { database } = await openDatabase()

interface Run {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type Settings = Readonly<Record<string, string | undefined>>

function settingsWith(env: Settings): Settings {
  const INGEST_KEYS = `test:${'cd'.repeat(32)}`
  return { PATH: process.env['PATH'], WORKER_DATABASE_URL: database.urls.worker, INGEST_KEYS, ...env }
}

/** Runs a command in its own process. */
function spawn(args: readonly string[], env: Settings = {}): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], { env: settingsWith(env) }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr })
    })
  })
}

/** Runs a command without starting a process. */
async function run(args: readonly string[], env: Settings = {}): Promise<Run> {
  const admin = createAdminContext(settingsWith(env), () => {})
  try {
    return { code: 0, stdout: await runCommand(admin, commands, args), stderr: '' }
  } catch (error) {
    return { code: 1, stdout: '', stderr: explainFailure(error) }
  } finally {
    await admin.close()
  }
}

async function json<Result>(...args: string[]): Promise<Result> {
  const { code, stdout, stderr } = await run([...args, '--json'])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Result
}

async function assertUsage(args: string[], pattern: RegExp, start = run): Promise<void> {
  const { code, stdout, stderr } = await start(args, { WORKER_DATABASE_URL: undefined })
  assert.equal(code, 1, args.join(' '))
  assert.equal(stdout, '')
  assert.match(stderr, pattern)
  assert.doesNotMatch(stderr, /\n\s+at /, 'a usage error has no stack trace')
}

const words = (line: string) => line.split(' ')
const none = { WORKER_DATABASE_URL: undefined, INGEST_KEYS: undefined }

test('without arguments it lists every command, and a group lists its own', async () => {
  const { code, stdout } = await spawn([], none)
  assert.equal(code, 0)
  for (const { name, summary } of commands) assert.ok(stdout.includes(name) && stdout.includes(summary), name)
  for (const line of stdout.split('\n')) assert.ok(line.length <= 110, line)
  const { stdout: group } = await run(['key'], none)
  assert.match(group, /key rotate/)
  assert.doesNotMatch(group, /person add/)
})

test('every command has help for its options and a valid example', async () => {
  const { stdout, code } = await spawn(['key', 'create', '--help'], none)
  assert.equal(code, 0)
  for (const part of [
    '--kind',
    '(required)',
    '--expires-in-days',
    'Example: npm run admin -- key create --root',
  ]) {
    assert.ok(stdout.includes(part), part)
  }
  const admin = createAdminContext({}, () => {})
  for (const command of commands) {
    const example = [...command.example.matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    )
    const parseOnly = { ...command, run: () => Promise.resolve({ written: true } as const) }
    assert.equal(await runCommand(admin, [parseOnly], [...words(command.name), ...example]), '', command.name)
  }
})

test('a usage error says what is wrong and where to find help', async () => {
  await assertUsage(['frobnicate'], /^Unknown command 'frobnicate'\n.*npm run admin -- --help/, spawn)
  await assertUsage(
    ['key', 'crate'],
    /^Unknown command 'crate'\n.*create.*\nCommands: key create, key list, key rotate, key revoke/,
  )
  await assertUsage(
    ['key', 'create', '--kind', 'user'],
    /^--root is required \(tenant root.*\nSee: npm run admin -- key create --help/,
  )
  await assertUsage(['key', 'list', '--root', 'x', '--colour', 'red'], /^Unknown option '--colour'/, spawn)
  await assertUsage(['key', 'list', '--rot', 'x'], /^Unknown option '--rot'\n\(Did you mean --root\?\)\nSee:/)
  await assertUsage(['key', 'list', '--root'], /^Option '--root <ROOT>' argument missing/)
  await assertUsage(['key', 'list', '--root', '--json'], /^--root needs a value, but --json follows it/)
  await assertUsage(['key', 'list', '--root', 'x', 'y'], /^Too many arguments for 'list'/)
  await assertUsage(['key', 'list', '--root', 'x', '--root', 'y'], /^--root is given more than once/)
  await assertUsage(['key', 'list', '--root', ' '], /--root must be 1 to 200 characters/)
  await assertUsage(
    ['key', 'list', '--root', 'x', '--limit', '1e3'],
    /--limit must be a whole number from 1 to 1000/,
  )
  await assertUsage(
    ['key', 'create', '--root', 'x', '--kind', 'gold'],
    /--kind must be one of organization, user/,
  )
  await assertUsage(
    ['workspace', 'create', '--name', 'x', '--plan', 'pro', '--seats', '05'],
    /--seats must be/,
  )
  await assertUsage(['--json'], /^Unknown option '--json'\nUsage: npm run admin/)
})

test('a missing setting and an unreachable database are reported without a stack trace', async () => {
  const unset = await spawn(['workspace', 'list'], none)
  assert.equal(unset.code, 1)
  assert.match(unset.stderr, /WORKER_DATABASE_URL is not set/)
  const unreachable = await spawn(['workspace', 'list'], {
    WORKER_DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/x',
  })
  assert.equal(unreachable.code, 1)
  assert.match(unreachable.stderr, /cannot be reached/)
  assert.doesNotMatch(unreachable.stderr, /secret|\n\s+at /)
})

test('it refuses to run as a role that bypasses row-level security', async () => {
  const { code, stderr } = await spawn(['workspace', 'list'], { WORKER_DATABASE_URL: database.superuserUrl })
  assert.equal(code, 1)
  assert.match(stderr, /Refusing to run as database role postgres/)
})

test('a key given in place of an id is not printed', async () => {
  const value = 'sch_usr_0123456789abcdefghijklmnopqrstuvwxyz'
  for (const args of [
    ['key', 'revoke', '--root', 'x', '--key', value],
    ['key', 'list', '--root', value],
    [value],
  ]) {
    const { code, stdout, stderr } = await run(args)
    assert.equal(code, 1)
    assert.ok(!(stdout + stderr).includes(value), args.join(' '))
  }
})

test('commands create a workspace, its people and a key, and revoke the key', async () => {
  const { root } = await json<{ root: string }>(
    ...words('workspace create --name Northwind --plan enterprise --seats 5 --sso'),
  )
  const inRoot = ['--root', 'Northwind']
  const inOrganization = [...inRoot, '--organization', 'github:501']
  const created = await json<{ id: string }>(
    'organization',
    'create',
    ...inRoot,
    '--name',
    'Core',
    '--org-id',
    '501',
  )
  await json('repository', 'add', ...inOrganization, '--repository-id', '9', '--name', 'ledger')
  await json('role', 'create', ...inOrganization, '--name', 'Auditor', '--permissions', 'audit_log:read')
  const who = ['--email', 'Ada.Byron@example.com', '--name', 'Ada Byron', '--accounts', 'github:31:ada']
  await json('person', 'add', ...inRoot, ...who, '--organizations', '501', '--role', 'Auditor')
  const person = ['--person', 'ada.byron@example.com']
  const roles = await json<{ name: string; members: number | null }[]>('role', 'list', ...inOrganization)
  assert.equal(roles.find(({ name }) => name === 'Auditor')?.members, 1)
  const inUse = await run(['role', 'delete', ...inOrganization, '--role', 'Auditor', '--dry-run'])
  assert.equal(inUse.code, 1)
  assert.match(inUse.stderr, /1 member/)
  await json('role', 'assign', ...inOrganization, ...person, '--role', 'cr_admin')
  await json('role', 'change', ...inOrganization, '--role', 'Auditor', '--name', 'Reviewer')
  await json('role', 'delete', ...inOrganization, '--role', 'Reviewer')
  await json('person', 'promote', ...inRoot, ...person)

  const make = [
    'key',
    'create',
    ...inRoot,
    '--kind',
    'user',
    '--organization',
    '501',
    '--owner',
    'ada.byron@example.com',
  ]
  const { stdout } = await spawn(make)
  const [value] = /sch_usr_[0-9A-Za-z]{36}/.exec(stdout) ?? []
  assert.ok(value)
  assert.equal(stdout.split(value).length, 2, 'the value is shown once')
  const keys = await json<{ id: string; state: string }[]>('key', 'list', ...inRoot)
  assert.equal(keys.length, 1)
  for (const list of [
    ['key', 'list', ...inRoot],
    ['key', 'list', ...inRoot, '--json'],
  ]) {
    assert.ok(!(await run(list)).stdout.includes(value))
  }
  const key = ['--key', keys[0]?.id ?? '']
  const successor = await json<{ id: string; value: string }>(
    'key',
    'rotate',
    ...inRoot,
    ...key,
    '--overlap-days',
    '2',
  )
  assert.notEqual(successor.value, value)
  const dry = await json<{ changed: boolean }>('key', 'revoke', ...inRoot, ...key, '--dry-run')
  assert.equal(dry.changed, true)
  const states = async () => {
    const listed = await json<{ id: string; state: string }[]>('key', 'list', ...inRoot)
    return listed.map(({ state }) => state).sort()
  }
  assert.deepEqual(await states(), ['active', 'active'])
  assert.equal((await json<{ changed: boolean }>('key', 'revoke', ...inRoot, ...key)).changed, true)
  assert.deepEqual(await states(), ['active', 'revoked'])

  const dryRun = await json<{ keys: number }>('person', 'deactivate', ...inRoot, ...person, '--dry-run')
  assert.equal(dryRun.keys, 1)
  assert.deepEqual(
    (await json<{ active: boolean }[]>('person', 'list', ...inRoot)).map(({ active }) => active),
    [true],
  )
  await json('organization', 'deactivate', ...inRoot, '--organization', created.id)
  const organizations = await json<{ active: boolean }[]>('organization', 'list', '--root', root)
  assert.deepEqual(
    organizations.map(({ active }) => active),
    [false],
  )
})

test('commands create an instance as a tenant root, with an organization and a key', async () => {
  const found = words('instance create --name Halden --provider gitlab --host git.example.com')
  const made = await json<{ root: string }>(...found, ...words('--plan enterprise --seats 3'))
  const inRoot = ['--root', made.root]
  await json('organization', 'create', ...inRoot, '--name', 'Firmware', '--org-id', '12')
  const make = [...words('key create --kind instance --organization 12'), ...inRoot]
  const key = await json<{ value: string }>(...make)
  assert.match(key.value, /^sch_ins_/)
  const missing = await run(['key', 'create', '--root', made.root, '--kind', 'user', '--organization', '12'])
  assert.match(missing.stderr, /--owner is required/)
  const both = await run([
    'instance',
    'create',
    '--name',
    'H',
    '--provider',
    'gitlab',
    '--host',
    'h',
    '--root',
    made.root,
    '--seats',
    '1',
  ])
  assert.match(both.stderr, /--plan and --seats cannot be combined with --root/)
})

test('database, ingest and dead-letters commands work on real engines', async () => {
  const migrated = await run(['database', 'migrate'], { OWNER_DATABASE_URL: database.urls.owner })
  assert.match(migrated.stdout, /up to date/)
  const bus = await createBus()
  try {
    const settings = { NATS_URL: busUrl, BUS_PREFIX: bus.prefix }
    assert.match((await run(['dead-letters', 'list'], settings)).stdout, /no dead letters/)
    assert.match((await run(['ingest', 'status'], settings)).stdout, /queue is empty/)
    const replayed = await run(['dead-letters', 'replay', '--all', '--dry-run', '--json'], settings)
    assert.deepEqual(JSON.parse(replayed.stdout), { messages: 0, dry_run: true })
    await assertUsage(['dead-letters', 'replay'], /--sequence N, --consumer NAME, --root ID, or --all/)
  } finally {
    await bus.drop()
  }
})

test('batch run takes a command per line and returns a result or an error for each', async () => {
  const lines = ['["workspace","list","--limit","1"]', '', '["key","crate"]', '{"not":"words"}']
  const { code, stdout, stderr } = await new Promise<Run>((resolve) => {
    const child = execFile(
      process.execPath,
      [entry, 'batch', 'run'],
      { env: settingsWith({}) },
      (error, out, err) => resolve({ code: error ? 1 : 0, stdout: out, stderr: err }),
    )
    child.stdin?.end(`${lines.join('\n')}\n`)
  })
  const replies = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.ok(Array.isArray(replies[0]?.['result']))
  assert.match(String(replies[1]?.['error']), /Unknown command 'crate'/)
  assert.match(String(replies[2]?.['error']), /JSON array of strings/)
  assert.deepEqual([replies.length, code], [3, 1])
  assert.match(stderr, /2 of the commands failed/)
})

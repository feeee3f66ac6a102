import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busUrl, createBus } from '../../test/bus.ts'
import { openTenant } from '../../test/fixture.ts'
import { ingestSettings } from '../../test/ingest.ts'
import { plantLearnings } from '../../test/shared-learnings.ts'
import { rootScope } from '../access/scope.ts'
import { commands } from '../commands.ts'
import { inTransaction } from '../db/transaction.ts'
import { IncompleteError } from './command.ts'
import { createAdminContext } from './context.ts'
import { explainFailure, renderOutput } from './output.ts'
import { runCommand } from './program.ts'

/** Sets the title, colours, reorders, and begins a line that looks like one of ours. */
const hostile = '\u001b]0;pwned\u0007\u001b[31m\u202eRED\u009b31m\u2066\u2028\r\nforged'
const forbidden = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]|^forged/mu
/** Columns with a text of a tenant that a command may print. */
const planted = [
  'root.name',
  'organization.name',
  'repository.name',
  'instance.name',
  'person.name',
  'account.username',
  'api_key.name',
  'custom_role.name',
  'scim_credential.name',
  'scim_group.display_name',
  'learning.text',
  'learning.author_username',
]

const { database, superuser, tenant, use } = await openTenant()
const bus = use(await createBus())
const key = await tenant.createKey('user')
const { workspace } = tenant
const [home] = workspace.organizations
const rootWords = ['--root', workspace.root]
const ids = {
  root: rootWords,
  organization: [...rootWords, '--organization', home.orgId],
  person: [...rootWords, '--person', workspace.admin],
  instance: ['--root', tenant.instance.root, '--instance', tenant.instance.instance],
  key: [...rootWords, '--key', key.id],
}
await run(['role', 'create', ...ids.organization, '--name', 'Auditor', '--permissions', 'audit_log:read'])
await run(['scim-credential', 'create', ...rootWords, '--name', 'Okta', '--expires-in-days', '30'])
await run([
  'person',
  'add',
  ...rootWords,
  '--name',
  'Twin',
  '--email',
  'twin@example.com',
  '--accounts',
  'github:8:twin',
  '--organizations',
  home.orgId,
])
const scope = rootScope(workspace.root)
await inTransaction(tenant.pool, scope, async (tx) => {
  await plantLearnings(scope, tx, home.id, [{ text: 'Use tabs.', author: 'eve' }])
})
await superuser.query(`update learning set state = 'pending', position = null`)
await superuser.query(
  `insert into scim_group (root_id, id, display_name, created_at, updated_at)
   values ($1, gen_random_uuid(), 'Admins', now(), now())`,
  [workspace.root],
)
for (const column of planted) {
  const [table, name] = column.split('.')
  await superuser.query(`update ${table} set ${name} = ${name} || $1`, [hostile])
  const { rowCount } = await superuser.query(`select from ${table} where ${name} like '%' || $1`, [hostile])
  assert.ok((rowCount ?? 0) > 0, `${column} has a row`)
}
const { rows: roles } = await superuser.query<{ id: string }>('select id from custom_role')
const { rows: groups } = await superuser.query<{ id: string }>('select id from scim_group')
const { rows: credentials } = await superuser.query<{ id: string }>('select id from scim_credential')
const rows = listRows(ids, {
  role: roles[0]?.id ?? '',
  group: groups[0]?.id ?? '',
  credential: credentials[0]?.id ?? '',
})

interface Row {
  readonly words: readonly string[]
  /** Whether it prints a planted text. */
  readonly shows: boolean
}

type Ids = Readonly<Record<'root' | 'organization' | 'person' | 'instance' | 'key', readonly string[]>>

/** Arguments of every command, in an order in which each of them still finds what it names. */
function listRows(
  { root, organization, person, instance, key: ofKey }: Ids,
  found: Readonly<Record<'role' | 'group' | 'credential', string>>,
): Map<string, Row> {
  const silent = (...words: string[]): Row => ({ words, shows: false })
  const shows = (...words: string[]): Row => ({ words, shows: true })
  return new Map<string, Row>([
    ['workspace list', shows()],
    ['instance list', shows('--root', tenant.instance.root)],
    ['organization list', shows(...root)],
    ['repository list', shows(...organization)],
    ['person list', shows(...root)],
    ['role list', shows(...organization)],
    ['key list', shows(...root)],
    ['scim-credential list', shows(...root)],
    ['scim-group list', shows(...root)],
    ['learnings pending', shows(...organization, '--text')],
    ['settings show', shows(...organization)],
    ['metrics list', silent()],
    ['metrics expire', silent('--dry-run')],
    ['metrics status', shows(...root)],
    ['metrics move', silent(...root, '--store', 'other', '--dry-run')],
    ['instance metrics', silent(...instance, '--sends', 'off', '--dry-run')],
    ['organization activate', shows(...organization)],
    ['organization deactivate', shows(...organization, '--dry-run')],
    ['organization metrics', shows(...organization, '--switch', 'off', '--dry-run')],
    ['repository add', shows(...organization, '--repository-id', '99', '--name', 'new')],
    ['person sign-in-link', shows(...person)],
    ['person invite', shows(...person)],
    ['person promote', shows(...person)],
    ['person demote', shows(...person)],
    [
      'person merge',
      shows(...root, '--keep', tenant.workspace.admin, '--duplicate', 'twin@example.com', '--dry-run'),
    ],
    ['person erase', silent(...person)],
    ['person reactivate', shows(...person)],
    ['person deactivate', shows(...person, '--dry-run')],
    ['role create', shows(...organization, '--name', 'New')],
    ['role assign', shows(...organization, '--person', tenant.workspace.admin, '--role', found.role)],
    ['role change', shows(...organization, '--role', found.role, '--permissions', 'metrics:read')],
    ['role delete', shows(...organization, '--role', found.role, '--dry-run')],
    ['key create', silent(...root, '--kind', 'ingest', '--name', 'New', '--expires-in-days', '9')],
    ['key rotate', silent(...ofKey)],
    ['key revoke', silent(...ofKey, '--dry-run')],
    ['scim-credential create', silent(...root, '--name', 'New', '--expires-in-days', '9')],
    ['scim-credential revoke', silent(...root, '--credential', found.credential, '--dry-run')],
    ['scim-group map', silent(...organization, '--group', found.group, '--role', found.role, '--dry-run')],
    ['scim-group unmap', silent(...organization, '--group', found.group, '--dry-run')],
    ['scim-user link', shows(...person, '--user-name', 'new', '--external-id', '99', '--dry-run')],
    ['settings set', shows(...organization, '--scope', 'local', '--dry-run')],
    ['person add', silent(...root, '--name', 'New', '--email', 'n@example.com', '--accounts', 'github:7:n')],
    ['organization create', silent(...root, '--name', 'New', '--org-id', '99')],
    ['organization rename', shows(...organization, '--name', 'New')],
    ['workspace create', silent('--name', 'New', '--plan', 'pro', '--seats', '1')],
    [
      'instance create',
      silent(
        '--name',
        'New',
        '--provider',
        'github',
        '--host',
        'git.example.com',
        '--plan',
        'pro',
        '--seats',
        '1',
      ),
    ],
    ['audit export', shows(...root, '--clear')],
    ['root delete', shows(...root, '--confirm', 'another')],
    ['root deleted', silent()],
    ['restore-point declare', silent('--restored-to', '2026-01-01T00:00:00Z', '--dry-run')],
    ['restore-point confirm', silent()],
    ['restore-point list', silent()],
    ['restore drill', silent('--restored', database.urls.worker)],
    ['database bootstrap', silent()],
    ['database migrate', silent()],
    ['database backfill', silent()],
    ['database status', silent()],
    ['audit verify', silent('--file', 'missing.jsonl')],
    ['audit public-key', silent()],
    ['audit status', silent()],
    ['learnings reindex', silent('--dry-run')],
    ['learnings calibrate', silent('--data', 'missing.jsonl')],
    ['learnings status', silent()],
    ['doctor', silent()],
    ['ingest status', silent()],
    ['queue status', silent()],
    ['queue replay', silent('--from', '2026-11-16T04:00:00Z', '--dry-run')],
    ['connector keys', silent()],
    ['dead-letters list', silent()],
    ['dead-letters replay', silent('--all', '--dry-run')],
    ['dead-letters delete', silent('--all', '--dry-run')],
  ])
}

async function run(words: readonly string[]): Promise<string> {
  let printed = ''
  const print = (text: string) => {
    printed += `${text}\n`
  }
  const env = {
    ...ingestSettings(bus),
    WORKER_DATABASE_URL: database.urls.worker,
    NATS_URL: busUrl,
    PUBLIC_URL: 'https://reviews.example.com',
  }
  const admin = createAdminContext(env, print, async (text) => print(text))
  try {
    print(await runCommand(admin, commands, words))
  } catch (error) {
    if (error instanceof IncompleteError) print(error.rendered)
    print(explainFailure(error))
  } finally {
    await admin.close()
  }
  return printed
}

test('no command prints a control character of a name or a text, and what it shows of it is escaped', async () => {
  // It prints what the other commands print with --json.
  const expected = commands.map(({ name }) => name).filter((name) => name !== 'batch run')
  assert.deepEqual([...rows.keys()].sort(), expected.sort(), 'every command has a row in listRows')
  for (const [name, { words, shows }] of rows) {
    for (const json of shows ? [[], ['--json']] : [[]]) {
      const printed = await run([...name.split(' '), ...words, ...json])
      assert.doesNotMatch(printed, forbidden, name)
      if (json.length === 0)
        assert.equal(printed.includes('\\u202eRED'), shows, `${name}: ${printed.slice(0, 500)}`)
    }
  }
})

test('JSON with escaped characters is equal', () => {
  const fields = { name: hostile }
  assert.deepEqual(JSON.parse(renderOutput({ message: '', fields }, true)), fields)
})

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { openTenant } from '../../test/fixture.ts'
import { commands } from '../commands.ts'
import { deactivatePerson } from '../resources/people/manage.ts'
import { createAdminContext } from './context.ts'
import { runCommand } from './program.ts'

const { database, superuser, tenant } = await openTenant()

async function run(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const admin = createAdminContext({ WORKER_DATABASE_URL: database.urls.worker, ...env }, () => {})
  try {
    return await runCommand(admin, commands, [...args])
  } finally {
    await admin.close()
  }
}

const settings = { PUBLIC_URL: 'https://scholiast.example.com' }

interface StoredLink {
  readonly purpose: string
  readonly hash: Buffer
  readonly seconds: number
}

async function readLinks(person: string): Promise<StoredLink[]> {
  const { rows } = await superuser.query<StoredLink>(
    `select purpose, hash, extract(epoch from expires_at - created_at)::int as seconds
     from sign_in_link where person_id = $1 order by purpose`,
    [person],
  )
  return rows
}

test('person sign-in-link and person invite print an address once, which is valid for 10 minutes and for 7 days [P13-links-1]', async () => {
  const { root, admin } = tenant.workspace
  for (const [command, purpose, seconds] of [
    ['sign-in-link', 'sign_in', 600],
    ['invite', 'invitation', 7 * 86_400],
  ] as const) {
    const output = await run(['person', command, admin, '--root', root], settings)
    const [address = '', value = ''] =
      /https:\/\/scholiast\.example\.com\/auth\/links\/(sch_lnk_[0-9A-Za-z]{36})\b/.exec(output) ?? []
    assert.equal(output.split(address).length, 2, output)
    const link = (await readLinks(admin)).find((one) => one.purpose === purpose)
    assert.deepEqual(link?.hash, hash('sha256', value, 'buffer'))
    assert.equal(link.seconds, seconds)
  }
  const { rows } = await superuser.query<{ action: string; actor_kind: string }>(
    'select action, actor_kind from audit_log where root_id = $1 order by position desc limit 2',
    [root],
  )
  assert.deepEqual(rows, [
    { action: 'person_invited', actor_kind: 'operator' },
    { action: 'person_sign_in_link_created', actor_kind: 'operator' },
  ])
})

test('a second link replaces the first of its purpose', async () => {
  const { root, admin } = tenant.alone
  const create = () => run(['person', 'sign-in-link', admin, '--root', root, '--minutes', '5'], settings)
  await create()
  const [first] = await readLinks(admin)
  await create()
  const links = await readLinks(admin)
  assert.equal(links.length, 1)
  assert.notDeepEqual(links[0]?.hash, first?.hash)
  assert.equal(links[0]?.seconds, 300)
})

test('without PUBLIC_URL, and for a deactivated person, no link is created', async () => {
  const { root, admin } = tenant.lower
  await assert.rejects(run(['person', 'invite', admin, '--root', root]), /PUBLIC_URL is not set/)
  const insecure = { PUBLIC_URL: 'http://scholiast.example.com' }
  await assert.rejects(run(['person', 'invite', admin, '--root', root], insecure), /PUBLIC_URL must be/)
  await tenant.change(root, (change) => deactivatePerson(change, admin))
  await assert.rejects(run(['person', 'sign-in-link', admin, '--root', root], settings), /is deactivated/)
  assert.deepEqual(await readLinks(admin), [])
})

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openTenant } from '../../../../test/fixture.ts'
import type { TestRoot } from '../../../../test/tenant.ts'
import { rootScope } from '../../../access/scope.ts'
import { connect } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { deprovisionPerson } from '../deprovision.ts'
import { reactivatePerson } from '../manage.ts'
import { addPasskey } from '../passkeys/manage.ts'
import { findPasskeyUnscoped } from '../passkeys/sql.ts'
import { linkIdentity } from '../sign-in/sql.ts'
import { acceptInvitation } from './invitation.ts'
import { createLink, hashLink } from './manage.ts'
import { findLinkUnscoped, type LinkPurpose } from './sql.ts'

const { database, superuser, tenant, use } = await openTenant()
const api = use(connect({ url: database.urls.api, name: 'test', connections: 2 }))
const auth = use(connect({ url: database.urls.auth, name: 'test', connections: 1 }))

async function makeLink({ root, admin }: TestRoot, purpose: LinkPurpose): Promise<Buffer> {
  const { value } = await tenant.change(root, (change) => createLink(change, admin, { purpose, minutes: 10 }))
  return hashLink(value) ?? assert.fail()
}

const issuer = 'https://id.example.com'
const address = '192.0.2.1'

function createAccount(subject: string): Parameters<typeof acceptInvitation>[3] {
  const provider = { domains: [], exclusiveRoots: [] }
  return { provider, assertion: { issuer, subject, externalId: subject }, address }
}

test('a provider’s account accepts an invitation once, and not if it is linked to somebody else', async () => {
  const { root, admin } = tenant.workspace
  const scope = rootScope(root)
  const hash = await makeLink(tenant.workspace, 'invitation')
  const accept = (subject: string) =>
    inTransaction(api, scope, (tx) =>
      acceptInvitation(scope, tx, { root, person: admin, hash }, createAccount(subject), new Date()),
    )
  const other = await tenant.createKey('user', { role: 'cr_member' })
  const person = other.owner ?? assert.fail()
  await inTransaction(api, scope, (tx) =>
    linkIdentity(scope, tx, { issuer, subject: 'taken', person }, new Date()),
  )
  await assert.rejects(accept('taken'), { code: 'PERMISSION_DENIED' })
  const [entry] = await accept('free')
  assert.equal(entry?.action, 'person_invitation_accepted')
  assert.deepEqual(entry.actor, { kind: 'person', id: admin, address })
  await assert.rejects(accept('free'), { code: 'PERMISSION_DENIED' })
})

test('a sign-in link is no invitation, and a link of one root is unknown in another', async () => {
  const hash = await makeLink(tenant.workspace, 'sign_in')
  for (const { root, admin: person } of [tenant.workspace, tenant.alone]) {
    const scope = rootScope(root)
    const account = createAccount(randomUUID())
    const accept = inTransaction(api, scope, (tx) =>
      acceptInvitation(scope, tx, { root, person, hash }, account, new Date()),
    )
    await assert.rejects(accept, { code: 'PERMISSION_DENIED' })
  }
  assert.equal((await findLinkUnscoped(auth, hash, new Date()))?.purpose, 'sign_in')
})

test('somebody who left has no passkey and no link, also after they come back', async () => {
  const { root, admin: person } = tenant.alone
  const hashes = [await makeLink(tenant.alone, 'invitation'), await makeLink(tenant.alone, 'sign_in')]
  const credentialId = randomBytes(32)
  await tenant.change(root, (change) =>
    addPasskey(change, {
      person,
      credentialId,
      publicKey: randomBytes(77),
      counter: 0,
      transports: [],
      name: 'Laptop',
    }),
  )
  const worksNow = async () => [
    (await findPasskeyUnscoped(auth, credentialId)) !== null,
    ...(await Promise.all(hashes.map((hash) => findLinkUnscoped(auth, hash, new Date())))).map(
      (link) => link?.usable === true,
    ),
  ]
  assert.deepEqual(await worksNow(), [true, true, true])
  const { passkeys } = await tenant.change(root, (change) =>
    deprovisionPerson(change, person, { organization: null, roles: 'keep' }),
  )
  assert.equal(passkeys.length, 1)
  await tenant.change(root, (change) => reactivatePerson(change, person))
  assert.deepEqual(await worksNow(), [false, false, false])
  const { rows } = await superuser.query<{ metadata: { passkey_id: string } }>(
    `select metadata from audit_log where root_id = $1 and action = 'person_passkey_removed'`,
    [root],
  )
  assert.deepEqual(
    rows.map(({ metadata }) => metadata.passkey_id),
    passkeys,
  )
})

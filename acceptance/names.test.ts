import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { createEvent, eventually, send } from './metrics-data.ts'
import { copperfield, post, readUsers } from './people-data.ts'
import { call, demo } from './service.ts'

/** One of each kind: escape, line break, C1, line separator, mark, override, isolate. */
const characters = ['\u001b', '\n', '\u009b', '\u2028', '\u200e', '\u202e', '\u2066']

test('a name with a control or bidirectional character is 400 and says which character is where [P11-names-1]', async () => {
  const role = await post('/v1/roles', 'other_tenant', { name: `Role ${randomUUID()}` })
  assert.equal(role.status, 201, role.text)
  const { id } = role.body as { id: string }
  for (const character of characters) {
    const name = `Rose${character}gnp.exe`
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    const headers = { 'content-type': 'application/json' }
    const replies = [
      await post('/v1/roles', 'other_tenant', { name }),
      await call(`/v1/roles/${id}`, {
        method: 'PATCH',
        key: demo.keys.other_tenant,
        headers,
        body: JSON.stringify({ name }),
      }),
      await post('/v1/keys', 'other_tenant', { kind: 'user', name }),
    ]
    for (const reply of replies) {
      assertError(reply, 400, 'INVALID_REQUEST')
      assert.match(reply.text, new RegExp(`name must not contain .* U\\+${code} at position 5\\b`))
    }
  }
  await call(`/v1/roles/${id}`, { method: 'DELETE', key: demo.keys.other_tenant })
})

test('names of an inventory are cleaned of control and bidirectional characters [P11-names-3]', async () => {
  const ids: string[] = [randomUUID(), randomUUID()]
  const [name, username] = ['Eve \u001b]0;x\u0007\u001b[31m\u202e\u009bRed\nLine ', '\u2066eve\u2069']
  const at = { provider: copperfield.provider }
  const accounts = [
    { ...at, id: ids[0], username, name },
    { ...at, id: ids[1], username: '\u202e', name: '\u0007\u200f' },
  ]
  const memberships = ids.map((account_id) => ({ organization: copperfield, account_id }))
  const sendInventory = (payload: object) =>
    send([createEvent('inventory.changed', new Date().toISOString(), payload)], 'ingest_other_tenant')
  await sendInventory({ accounts, memberships })
  const find = async () =>
    (await readUsers('other_tenant')).users
      .filter(({ user_id }) => ids.includes(user_id))
      .toSorted((a, b) => ids.indexOf(a.user_id) - ids.indexOf(b.user_id))
  await eventually('they are members', async () => (await find()).length === 2)
  const found = (await find()).map((user) => [user.name, user.username])
  await sendInventory({ memberships: memberships.map((membership) => ({ ...membership, active: false })) })
  assert.deepEqual(found, [
    ['Eve ]0;x[31mRed Line', 'eve'],
    [ids[1], ids[1]],
  ])
})

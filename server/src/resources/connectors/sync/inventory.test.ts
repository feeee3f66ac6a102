import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectorTest } from '../../../../test/connectors/connector-test.ts'
import { runUntilIdle } from '../../../../test/connectors/test-sync.ts'

const connector = await ConnectorTest.open()

interface Account {
  readonly id: string
  readonly username: string
  readonly name: string
  readonly email?: string
}

const listSent = <Item>(list: string) =>
  connector.sent.flatMap(({ payload }) => (payload[list] ?? []) as unknown as Item[])

async function readStatus(): Promise<unknown> {
  const { status, error } = await connector.readConnector()
  return [status, error]
}

test('names that an event cannot have are made fit, and an address that it cannot have is left out', async () => {
  const names: readonly (readonly [name: string | null, email: string | null])[] = [
    ['x'.repeat(255), 'long@acme.example'],
    ['Tab\tand\nline', 'two words@acme.example'],
    ['\u0000\u0085', `${'a'.repeat(400)}@acme.example`],
    ['half \uD800 a pair', 'no address'],
    [`${'x'.repeat(199)}😀`, 'a@b@c'],
    ['', ''],
  ]
  for (const [index, [name, email]] of names.entries()) {
    const user = connector.forge.addMember(String(index + 1))
    connector.forge.members.set(user.id, { user, name, email })
  }
  const long = { id: '90', login: `l${'o'.repeat(254)}\u0007`, isBot: false }
  connector.forge.members.set('90', { user: long, name: null, email: null })
  await runUntilIdle(connector.createSync())
  assert.deepEqual(await readStatus(), ['active', null])
  assert.deepEqual(
    listSent<Account>('accounts').map(({ username, name, email = null }) => [username, name, email]),
    [
      ['user-1', 'x'.repeat(200), 'long@acme.example'],
      ['user-2', 'Tab and line', null],
      ['user-3', 'user-3', null],
      ['user-4', 'half \uFFFD a pair', null],
      ['user-5', `${'x'.repeat(199)}\uFFFD`, null],
      ['user-6', 'user-6', null],
      [`l${'o'.repeat(199)}`, `l${'o'.repeat(199)}`, null],
    ],
  )
  assert.equal(listSent('memberships').length, 7)
})

test('long names of many members are sent in as many events as they need', async () => {
  for (let member = 1; member <= 500; member++) {
    const user = connector.forge.addMember(String(member))
    const email = `${'ü'.repeat(150)}${member}@${'ü'.repeat(150)}.example`
    connector.forge.members.set(user.id, { user, name: '中'.repeat(200), email })
  }
  await runUntilIdle(connector.createSync())
  assert.deepEqual(await readStatus(), ['active', null])
  const ids = listSent<Account>('accounts').map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    Array.from({ length: 500 }, (_, index) => index + 1),
  )
})

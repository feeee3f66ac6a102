import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, call, comparable, demo, type KeyName, listPaths } from './service.ts'

const prefixes: Partial<Record<KeyName, string>> = {
  organization: 'sch_org_',
  user: 'sch_usr_',
  workspace: 'sch_wsp_',
  instance: 'sch_ins_',
  legacy: 'sch_leg_',
  agentic: 'sch_agt_',
  workspace_demoted_owner: 'sch_wsp_',
  other_tenant: 'sch_usr_',
}

test('a request without a key is 401 UNAUTHORIZED', async () => {
  for (const path of listPaths) assertError(await call(path), 401, 'UNAUTHORIZED', path)
})

test('an empty or malformed key is the same 401 as no key', async () => {
  const key = demo.keys.organization
  await assertSameAsNoKey([
    '',
    'x',
    'sch_org_',
    'sch_xxx_'.padEnd(44, '0'),
    key.slice(0, -1),
    `${key}0`,
    key.toUpperCase(),
    `Bearer ${key}`,
    `${key}, ${key}`,
    'x'.repeat(4000),
    '%00',
    "' or 1=1 --",
  ])
})

test('a key with one altered character is the same 401 as no key', async () => {
  const key = demo.keys.organization
  await assertSameAsNoKey(Array.from(key, (_, position) => alter(key, position)))
})

test('a key that wears the prefix of another kind is the same 401 as no key', async () => {
  const key = demo.keys.organization
  const others = Object.values(prefixes).filter((prefix) => !key.startsWith(prefix))
  await assertSameAsNoKey(others.map((prefix) => prefix + key.slice(prefix.length)))
})

test('an expired key is the same 401 as no key', async () => {
  await assertSameAsNoKey([demo.keys.expired])
})

test('a revoked key is the same 401 as no key', async () => {
  await assertSameAsNoKey([demo.keys.revoked])
})

test('an ingest credential is 401 on /v1 with a message that names its kind, whether it is alive or not', async () => {
  for (const path of listPaths) {
    const alive = await call(path, { key: demo.keys.ingest })
    assertError(alive, 401, 'UNAUTHORIZED')
    assert.match(alive.text, /This is an ingest credential.+needs an API key/)
    const unknown = await call(path, { key: 'sch_ing_unknown' })
    assert.deepEqual(comparable(unknown), comparable(alive))
  }
})

test('a key counts only in the x-service-api-key header', async () => {
  const key = demo.keys.organization
  for (const path of listPaths) {
    assertError(await call(path, { headers: { authorization: `Bearer ${key}` } }), 401, 'UNAUTHORIZED')
    assertError(await call(`${path}?x-service-api-key=${key}`), 401, 'UNAUTHORIZED')
  }
})

test('each kind of key has its readable prefix, 30 random characters and 6 check digits', () => {
  for (const [name, prefix] of Object.entries(prefixes)) {
    const key = demo.keys[name as KeyName]
    // The value itself must never reach a report, so the assertion does not print it.
    assert.ok(new RegExp(`^${prefix}[0-9A-Za-z]{36}$`).test(key), `the ${name} key is not of its format`)
  }
})

async function assertSameAsNoKey(keys: string[]): Promise<void> {
  for (const path of listPaths) {
    const expected = await call(path)
    assertError(expected, 401, 'UNAUTHORIZED')
    for (const [index, key] of keys.entries()) {
      assert.deepEqual(
        comparable(await call(path, { key })),
        comparable(expected),
        `case ${index} on ${path}`,
      )
    }
  }
}

function alter(key: string, position: number): string {
  const replacement = key[position] === 'A' ? 'B' : 'A'
  return key.slice(0, position) + replacement + key.slice(position + 1)
}

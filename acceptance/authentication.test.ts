import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, comparable } from '../cli/src/conformance/http.ts'
import { call, demo, type KeyName, listPaths } from './service.ts'

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

test('an expired key is the same 401 as no key [P2-format-9]', async () => {
  await assertSameAsNoKey([demo.keys.expired])
})

test('a revoked key is the same 401 as no key [P2-format-9]', async () => {
  await assertSameAsNoKey([demo.keys.revoked])
})

test('an ingest credential is 401 on /v1 with a message that names its kind, whether it is alive or not [P2-ingest-1 P11-401-1]', async () => {
  for (const path of listPaths) {
    const alive = await call(path, { key: demo.keys.ingest })
    assertError(alive, 401, 'UNAUTHORIZED')
    assert.match(alive.text, /This is an ingest credential.+needs an API key/)
    const unknown = await call(path, { key: 'sch_ing_unknown' })
    assert.deepEqual(comparable(unknown), comparable(alive))
  }
})

test('each kind of key has its readable prefix, 30 random characters and 6 check digits [P2-format-1 P2-format-3]', () => {
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

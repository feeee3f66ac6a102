import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { createScimCaller, makeScimCredential } from '../../../../test/scim.ts'
import { ScimRefusal } from '../../../http/scim/refusal.ts'
import { applyOperations, readOperations } from './patch.ts'
import { parseFilter } from './path.ts'
import { userAttributes } from './schema.ts'

// Requests made of the words that a parser of paths could stumble over.

const { database, tenant, use } = await openTenant()
const service = use(startService(database, limitsOff))
const call = createScimCaller(service, (await makeScimCredential(tenant, tenant.workspace)).value)

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'active',
  'emails',
  'Emails.Value',
  'members',
  'name',
  'name.givenName',
  'urn:ietf:params:scim:schemas:core:2.0:User:title',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  'userName',
  'displayName',
  'externalId',
]
const name = fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 12 }))
const word = fc.oneof(
  name,
  fc.constantFrom('eq', 'and', '[', ']', '.', '"work"', '"', '(', ')', 'True', '1e9', '\\"'),
)
const path = fc.oneof(
  name,
  fc.tuple(name, name).map(([first, second]) => `${first}.${second}`),
  fc
    .tuple(name, name, fc.constantFrom('work', '\\u0000', 'a\\ud800'), name)
    .map(([first, second, value, third]) => `${first}[${second} eq "${value}"].${third}`),
  fc.constantFrom('userName eq "\\u0000"', 'emails[type eq "a\\u0000"].value', 'externalId eq "\\udfff"'),
  fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
)
const scalar = fc.oneof(
  fc.constantFrom(true, false, null, 'True', 'False', '', 'a@example.com', 0, '\u0000', '\ud800'),
  fc.string(),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('any'), { maxLength: 3 }), tie('object')),
  object: fc.array(fc.tuple(path, tie('any')), { maxLength: 4 }).map((entries) => toObject(entries)),
})).any
const operation = fc.record(
  { op: fc.constantFrom('add', 'Replace', 'REMOVE', 'move', 1), path: fc.oneof(path, scalar), value },
  { requiredKeys: [] },
)
// What is wrong hides what follows it, so some lists have nothing wrong.
const renaming = fc.record({
  op: fc.constantFrom('add', 'Replace'),
  path: fc.constantFrom('displayName', 'DisplayName'),
  value: fc.stringMatching(/^[a-z]{1,12}$/),
})
const operations = fc.oneof(
  { weight: 9, arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: operation }, scalar), { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.array(renaming, { minLength: 1, maxLength: 2 }) },
)

/** As a parsed body: `__proto__` is a property like others. */
function toObject(entries: readonly (readonly [string, unknown])[]): unknown {
  const text = entries.map(([key, inner]) => `${JSON.stringify(key)}:${JSON.stringify(inner)}`).join()
  return JSON.parse(`{${text}}`)
}

/** Nothing that every object inherits may change. */
function readPrototypes(): unknown {
  return [Object.prototype, Array.prototype, Function.prototype, String.prototype].map((prototype) =>
    Reflect.ownKeys(prototype).map(String),
  )
}

test('no filter and no PATCH changes what objects inherit, and what is wrong is refused [P13-scim-4]', () => {
  const inherited = readPrototypes()
  const tryIt = (work: () => unknown) => {
    try {
      work()
    } catch (error) {
      assert.ok(error instanceof ScimRefusal, String(error))
    }
  }
  fc.assert(
    fc.property(operations, path, (list, text) => {
      tryIt(() => {
        const changed = applyOperations(
          userAttributes,
          { userName: 'u' },
          readOperations({ Operations: list }),
        )
        const known = new Set(Object.keys(userAttributes))
        assert.deepEqual(
          Object.keys(changed).filter((key) => !known.has(key)),
          [],
        )
      })
      tryIt(() => parseFilter(text))
      tryIt(() => parseFilter(`${text} eq "x"`))
    }),
    { numRuns: 5000 },
  )
  assert.deepEqual(readPrototypes(), inherited)
  assert.equal(({} as Record<string, unknown>)['work'], undefined)
})

test('no request of any shape is answered with 500 [P13-scim-4]', async () => {
  const { body: user } = await call('POST', '/Users', { userName: 'fuzz' })
  const { body: group } = await call('POST', '/Groups', { displayName: 'fuzz' })
  const statuses = new Map<number, number>()
  const send = async (method: string, to: string, body?: unknown) => {
    const { status } = await call(method, to, body)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    assert.ok(status < 500, `${method} ${to} ${JSON.stringify(body)}: ${status}`)
  }
  await fc.assert(
    fc.asyncProperty(operations, path, value, async (list, text, body) => {
      await send('PATCH', `/Users/${user.id}`, { Operations: list })
      await send('PATCH', `/Groups/${group.id}`, { Operations: list })
      await send('POST', '/Users', body)
      await send('GET', `/Users?filter=${encodeURIComponent(text.toWellFormed())}`)
    }),
    { numRuns: 100 },
  )
  assert.ok((statuses.get(200) ?? 0) > 0 && (statuses.get(400) ?? 0) > 0)
})

import assert from 'node:assert/strict'
import { createHmac, createSecretKey, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Scope } from '../access/scope.ts'
import type { KeyRing } from '../config.ts'
import type { InstanceId, OrganizationId, RootId } from '../ids.ts'
import { learnings } from '../resources/learnings/route.ts'
import { reviewComments } from '../resources/metrics/review-comments/route.ts'
import { organizations as organizationsEndpoint } from '../resources/organizations/route.ts'
import { bindCursors, type CursorPosition, createPage } from './paging.ts'

const older = { id: 'older', secret: createSecretKey(Buffer.alloc(32, 1)) }
const newer = { id: 'newer', secret: createSecretKey(Buffer.alloc(32, 2)) }
const ring: KeyRing = [newer, older]
const scope: Scope = { root: randomUUID() as RootId, organizations: null, instance: null }
const filters = { stat_filter: 'total', repository_ids: ['1', '2'] }
const bound = bindCursors(ring, 'listThings', scope, filters)
const invalid = { name: 'Refusal', code: 'INVALID_CURSOR' }

const anyPosition: fc.Arbitrary<CursorPosition> = fc.array(fc.oneof(fc.string(), fc.integer()), {
  maxLength: 4,
})

/** Signs bytes as the service would, so that only what they say can be wrong. */
function signed(payload: Buffer): string {
  const mac = createHmac('sha256', newer.secret).update(payload).digest().subarray(0, 16)
  return Buffer.concat([payload, mac]).toString('base64url')
}

function payloadOf(cursor: string): Buffer {
  return Buffer.from(cursor, 'base64url').subarray(0, -16)
}

test('a cursor brings back the place it was given for', () => {
  fc.assert(
    fc.property(anyPosition, (position) =>
      assert.deepEqual(bound.read(bound.write(position)).position, position),
    ),
  )
})

test('a cursor is opaque text that needs no escaping in a query', () => {
  fc.assert(fc.property(anyPosition, (position) => assert.match(bound.write(position), /^[A-Za-z0-9_-]+$/)))
})

test('a cursor with any byte changed is refused', () => {
  fc.assert(
    fc.property(anyPosition, fc.nat(), fc.integer({ min: 1, max: 255 }), (position, at, mask) => {
      const bytes = Buffer.from(bound.write(position), 'base64url')
      const index = at % bytes.length
      bytes[index] = (bytes[index] ?? 0) ^ mask
      assert.throws(() => bound.read(bytes.toString('base64url')), invalid)
    }),
    { numRuns: 1000 },
  )
})

test('a cursor with any character changed, cut off or added is refused', () => {
  const cursor = bound.write(['a place', 7])
  for (let at = 0; at < cursor.length; at++) {
    // B, Z, h and z are other spellings of the four characters that can be the last one.
    for (const character of 'ABZahz09_-') {
      const changed = cursor.slice(0, at) + character + cursor.slice(at + 1)
      if (changed !== cursor) assert.throws(() => bound.read(changed), invalid, `place ${at}`)
    }
    assert.throws(() => bound.read(cursor.slice(0, at)), invalid)
  }
  for (const added of ['A', '=', ' ', '%00']) assert.throws(() => bound.read(cursor + added), invalid)
})

test('an empty cursor and any text that is not a cursor are refused', () => {
  const texts = [fc.string(), fc.base64String(), fc.stringMatching(/^[A-Za-z0-9_-]{40,200}$/)]
  fc.assert(
    fc.property(fc.oneof(fc.constant(''), ...texts), (text) => {
      assert.throws(() => bound.read(text), invalid)
    }),
    { numRuns: 500 },
  )
})

test('a cursor of another endpoint, root, scope or instance is refused', () => {
  const cursor = bound.write(['x'])
  const one = [randomUUID() as OrganizationId]
  const others = [
    bindCursors(ring, 'listOtherThings', scope, filters),
    bindCursors(ring, 'listThings', { ...scope, root: randomUUID() as RootId }, filters),
    bindCursors(ring, 'listThings', { ...scope, organizations: one }, filters),
    bindCursors(ring, 'listThings', { ...scope, organizations: [] }, filters),
    bindCursors(ring, 'listThings', { ...scope, instance: randomUUID() as InstanceId }, filters),
  ]
  for (const other of others) assert.throws(() => other.read(cursor), invalid)
})

test('a cursor is refused when a filter was changed, added or left out [P1-cursor-8]', () => {
  const cursor = bound.write(['x'])
  const changed = [
    { ...filters, stat_filter: 'active' },
    { ...filters, repository_ids: ['1'] },
    { ...filters, repository_ids: ['1,2'] },
    { ...filters, search: '' },
    { stat_filter: 'total' },
    {},
  ]
  for (const other of changed) {
    assert.throws(() => bindCursors(ring, 'listThings', scope, other).read(cursor), invalid)
  }
})

test('a cursor is bound to the filters, not to the order in which a query names them', () => {
  const reordered = { repository_ids: ['1', '2'], stat_filter: 'total' }
  assert.deepEqual(bindCursors(ring, 'listThings', scope, reordered).read(bound.write(['x'])).position, ['x'])
})

test('a list filter is bound as a set: order and repetition change nothing, another value does [P1-cursor-8]', () => {
  const cursor = bound.write(['x'])
  for (const repository_ids of [
    ['2', '1'],
    ['1', '2', '1'],
  ]) {
    assert.deepEqual(
      bindCursors(ring, 'listThings', scope, { ...filters, repository_ids }).read(cursor).position,
      ['x'],
    )
  }
  fc.assert(
    fc.property(fc.array(fc.constantFrom('1', '2', '3', '12', '1,2'), { maxLength: 4 }), (repository_ids) => {
      const other = bindCursors(ring, 'listThings', scope, { ...filters, repository_ids })
      const same = [...new Set(repository_ids)].sort().join() === '1,2' && !repository_ids.includes('1,2')
      if (same) assert.deepEqual(other.read(cursor).position, ['x'])
      else assert.throws(() => other.read(cursor), invalid)
    }),
    { numRuns: 500 },
  )
})

test('a cursor is bound to the scope, not to the key: another key with the same scope reads it', () => {
  const [a, b] = [randomUUID() as OrganizationId, randomUUID() as OrganizationId]
  const cursor = bindCursors(ring, 'listThings', { ...scope, organizations: [a, b] }, filters).write(['x'])
  const equal = bindCursors(ring, 'listThings', { ...scope, organizations: [b, a] }, filters)
  assert.deepEqual(equal.read(cursor).position, ['x'])
})

test('a cursor never expires: one signed by an older signing key still verifies [P1-cursor-4]', () => {
  const before = bindCursors([older], 'listThings', scope, filters).write(['kept', 3])
  assert.deepEqual(bound.read(before).position, ['kept', 3])
})

test('the newest signing key signs, and a cursor of a key that is gone is refused', () => {
  const cursor = bound.write(['x'])
  assert.deepEqual(bindCursors([newer], 'listThings', scope, filters).read(cursor).position, ['x'])
  assert.throws(() => bindCursors([older], 'listThings', scope, filters).read(cursor), invalid)
})

test('a cursor signed by another secret under the same id is refused', () => {
  const stranger = [{ id: 'newer', secret: createSecretKey(Buffer.alloc(32, 3)) }]
  const cursor = bindCursors(stranger, 'listThings', scope, filters).write(['x'])
  assert.throws(() => bound.read(cursor), invalid)
})

test('a cursor of a version that is not known is refused even when its signature is right [P1-cursor-3]', () => {
  const payload = payloadOf(bound.write(['x']))
  assert.deepEqual(bound.read(signed(payload)).position, ['x'])
  for (const version of [0, 2, 255]) {
    payload[0] = version
    assert.throws(() => bound.read(signed(payload)), invalid, `version ${version}`)
  }
})

test('a refusal names what differs: the endpoint, the organizations, or the filters by name', () => {
  const cursor = bound.write(['x'])
  const read = (over: { id?: string; in?: Partial<Scope>; by?: object }) => () =>
    bindCursors(ring, over.id ?? 'listThings', { ...scope, ...over.in }, { ...filters, ...over.by }).read(
      cursor,
    )
  assert.throws(read({ id: 'listOthers' }), /another endpoint/)
  assert.throws(read({ in: { organizations: [] } }), /another organization/)
  assert.throws(read({ by: { search: 'x', stat_filter: 'active' } }), /different: .*stat_filter.*search/)
  assert.throws(() => bound.read(`${cursor}A`), /not one that this service issued/)
})

test('after a restore, a cursor carries its epoch, and any change of it is refused', () => {
  fc.assert(
    fc.property(anyPosition, fc.integer({ min: 1, max: 2 ** 45 }), (position, epoch) => {
      const cursor = bound.write(position, epoch)
      assert.deepEqual(bound.read(cursor), { position, epoch })
      const bytes = Buffer.from(cursor, 'base64url')
      const first = 2 + 'newer'.length + 12 + '['.length
      bytes[first] = (bytes[first] ?? 0) ^ 1
      assert.throws(() => bound.read(bytes.toString('base64url')), invalid)
    }),
  )
})

test('only cursors that hold positions carry an epoch, and every such endpoint names its sequence', () => {
  const epoch = 1_800_000_000_000
  const byId = createPage(ring, organizationsEndpoint, scope, {}, epoch).cursorAfter('an id')
  assert.equal(byId, createPage(ring, organizationsEndpoint, scope, {}).cursorAfter('an id'))
  assert.throws(() => createPage(ring, organizationsEndpoint, scope, {}).cursorAfter(7), /name the sequence/)
  const cursor = createPage(ring, learnings, scope, {}, epoch).cursorAfter(7)
  assert.equal(createPage(ring, learnings, scope, { cursor }, epoch).uncheckedEpoch, null)
  assert.equal(createPage(ring, learnings, scope, { cursor }, epoch + 1).uncheckedEpoch, epoch)
  const first = createPage(ring, learnings, scope, {}).cursorAfter(7)
  assert.equal(createPage(ring, learnings, scope, { cursor: first }, epoch).uncheckedEpoch, 0)
  assert.equal(createPage(ring, learnings, scope, { cursor: first }).uncheckedEpoch, null)
})

test('the cursors of organizations and repositories keep the limit: another one is refused, none is the same', () => {
  const first = createPage(ring, organizationsEndpoint, scope, { limit: 3 })
  const cursor = first.cursorAfter('an id')
  const next = createPage(ring, organizationsEndpoint, scope, { cursor })
  assert.deepEqual([next.limit, next.after], [3, ['an id']])
  assert.equal(createPage(ring, organizationsEndpoint, scope, { cursor, limit: 3 }).limit, 3)
  assert.throws(() => createPage(ring, organizationsEndpoint, scope, { cursor, limit: 4 }), invalid)
})

test('the cursors of other endpoints leave the limit to the caller', () => {
  const other = { ...organizationsEndpoint, paging: { defaultLimit: 50, limitInCursor: false, boundBy: [] } }
  const cursor = createPage(ring, other, scope, { limit: 3 }).cursorAfter('an id')
  assert.equal(createPage(ring, other, scope, { cursor, limit: 4 }).limit, 4)
  assert.deepEqual(createPage(ring, other, scope, { cursor }).after, ['an id'])
  assert.equal(createPage(ring, other, scope, { cursor }).limit, 50)
})

test('selectors are bound by the scope they led to, and by nothing else', () => {
  const [one, two] = [randomUUID() as OrganizationId, randomUUID() as OrganizationId]
  const narrow = { ...scope, organizations: [one] }
  const open = (of: Scope, query: Record<string, unknown>) => createPage(ring, reviewComments, of, query)
  const window = { start_date: '2026-01-01', end_date: '2026-01-31' }
  const cursor = open(narrow, { ...window, org_id: '12' }).cursorAfter(7)
  for (const selector of [{}, { org_id: 'github:12' }, { organization_ids: ['12'] }]) {
    assert.deepEqual(open(narrow, { ...window, ...selector, cursor }).after, [7])
  }
  for (const other of [scope, { ...scope, organizations: [two] }, { ...scope, organizations: [one, two] }]) {
    assert.throws(() => open(other, { ...window, org_id: '12', cursor }), invalid)
  }
})

test('of a metrics page the window and every filter are bound, the limit is not', () => {
  const query = {
    start_date: '2026-01-01',
    end_date: '2026-01-31',
    repository_ids: ['1', '2'],
    user_ids: ['3'],
  }
  const cursor = createPage(ring, reviewComments, scope, { ...query, limit: 5 }).cursorAfter(7)
  const next = createPage(ring, reviewComments, scope, { ...query, repository_ids: ['2', '1', '2'], cursor })
  assert.deepEqual([next.after, next.limit], [[7], 1000])
  const { user_ids: _, ...lacking } = query
  for (const changed of [
    { ...query, start_date: '2026-01-02' },
    { ...query, end_date: '2026-02-01' },
    { ...query, repository_ids: ['1'] },
    { ...query, user_ids: ['3', '4'] },
    lacking,
  ]) {
    assert.throws(() => createPage(ring, reviewComments, scope, { ...changed, cursor }), invalid)
  }
})

test('the form of an answer is no filter, and neither is a filter that says what holds anyway', () => {
  const query = { files: ['a'], stat_filter: 'total' }
  const cursor = createPage(ring, learnings, scope, { ...query, format: 'csv' }).cursorAfter(7)
  for (const same of [query, { files: ['a'] }, { files: ['a', 'a'], format: 'json' }]) {
    assert.deepEqual(createPage(ring, learnings, scope, { ...same, cursor }).after, [7])
  }
  for (const changed of [{ ...query, stat_filter: 'active' }, { stat_filter: 'total' }]) {
    assert.throws(() => createPage(ring, learnings, scope, { ...changed, cursor }), invalid)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTenant } from '../../test/fixture.ts'
import { createTestEmbedder, shareLearnings } from '../../test/shared-learnings.ts'
import { rootScope, type Scope } from '../access/scope.ts'
import { connect } from '../db/connect.ts'
import { inTransaction, readScoped } from '../db/transaction.ts'
import type { LearningId, OrganizationId } from '../ids.ts'
import { createVectorIndex } from './maintenance/sql.ts'
import { findSimilar } from './similar.ts'
import { readPairSimilarities } from './sql.ts'

const embedder = createTestEmbedder('test')
const models = () => ({ active: embedder, filling: [] })
const text = 'Calls of the importer are retried three times before they fail'
const texts = [
  text,
  `${text}.`,
  'Colours are named by their purpose',
  ...'abcdefg'.split('').map((n) => `${text} ${n}`),
]

const { database, superuser, tenant, use } = await openTenant({ organizations: 2 })
const api = use(connect({ url: database.urls.api, name: 'test', connections: 2 }))
await superuser.query(`insert into learning_model values ('test', 64, 'active')`)
const share = async (of: Scope, owner: OrganizationId) => {
  const planted = texts.map((learning) => ({ text: learning, repository: '1', author: 'a' }))
  return (await shareLearnings(api, of, models(), owner, planted)).rows
}
const [first, second] = tenant.workspace.organizations
const organization = first.id
const neighbour = second ?? assert.fail()
const scope = { ...rootScope(first.root), organizations: [organization] }
const rows = await share(scope, organization)
const foreign = [
  ...(await share({ ...rootScope(neighbour.root), organizations: [neighbour.id] }, neighbour.id)),
  ...(await share(rootScope(tenant.alone.root), tenant.alone.organizations[0].id)),
]

const newId = '00000000-0000-4000-8000-000000000001' as LearningId

async function compare(id: LearningId, of: Scope = scope, minSimilarity = 0.8) {
  const [vector] = await embedder.embed([text])
  if (vector === undefined) return assert.fail()
  const found = await inTransaction(api, of, (tx) =>
    findSimilar(of, tx, models(), organization, [{ id, vector }], { minSimilarity, withEachOther: true }),
  )
  return found.get(id) ?? assert.fail()
}

for (const mode of ['row by row', 'by the vector index']) {
  test(`names at most five close Learnings of the organization, nearest first, ${mode}`, async () => {
    if (mode === 'by the vector index')
      assert.equal(await createVectorIndex(rootScope(scope.root), tenant.pool, organization, 'test'), true)
    const own = new Set(rows.map((row) => row.id))
    const found = await compare(newId)
    assert.equal(found.length, 5)
    assert.ok(found.every(({ id, similarity }) => own.has(id) && similarity >= 0.8 && similarity <= 1))
    const order = found.map(({ similarity }) => similarity)
    assert.deepEqual(
      order,
      order.toSorted((a, b) => b - a),
    )
    const itself = rows[0]?.id ?? assert.fail()
    const others = await compare(itself)
    assert.ok(others.length === 5 && others.every(({ id }) => id !== itself))
    assert.deepEqual(await compare(newId, scope, 1.01), [])
  })
}

test('a scope that names another tenant root or organization finds nothing', async () => {
  assert.deepEqual(await compare(newId, rootScope(tenant.alone.root)), [])
  assert.deepEqual(await compare(newId, { ...scope, organizations: [neighbour.id] }), [])
})

test('pairs have the similarity of their vectors; null if one of them is not indexed or belongs to others', async () => {
  const [a, b] = rows.map(({ id }) => id)
  const other = foreign[0]?.id
  if (a === undefined || b === undefined || other === undefined) return assert.fail()
  const [same, near, missing, theirs] = await readScoped(api, scope, (tx) =>
    readPairSimilarities(scope, tx, organization, 'test', [
      [a, a],
      [a, b],
      [a, newId],
      [a, other],
    ]),
  )
  assert.ok(Math.abs((same ?? 0) - 1) < 0.01 && (near ?? 0) > 0.8)
  assert.deepEqual([missing, theirs], [null, null])
})

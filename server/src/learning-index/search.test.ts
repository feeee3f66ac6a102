import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openTenant } from '../../test/fixture.ts'
import { createTestEmbedder, shareLearnings } from '../../test/shared-learnings.ts'
import type { TestRoot } from '../../test/tenant.ts'
import { rootScope, type Scope } from '../access/scope.ts'
import { connect } from '../db/connect.ts'
import { inTransaction, readScoped } from '../db/transaction.ts'
import type { OrganizationId } from '../ids.ts'
import type { LearningRow } from '../resources/learnings/write/sql.ts'
import { createEmbedderSet } from '../text/embed/embedder.ts'
import { listTerms } from '../text/tokens/tokenize.ts'
import { createVectorIndex } from './maintenance/sql.ts'
import { readModels } from './models.ts'
import { type CandidateQuery, findCandidates } from './search.ts'

const embedder = createTestEmbedder('test')

const { database, superuser, tenant, use } = await openTenant({ organizations: 3 })
const sql = async (text: string, values: readonly unknown[] = []) =>
  (await superuser.query(text, [...values])).rows
const api = use(connect({ url: database.urls.api, name: 'test', connections: 4 }))
await sql(`insert into learning_model values ('test', 64, 'active')`)

const topics = [
  'cache invalidation',
  'retry budget',
  'time zone',
  'null check',
  'sql migration',
  'token scope',
]
const plant = (count: number, about: string) =>
  Array.from({ length: count }, (_, n) => ({
    text: `${topics[n % topics.length]} rule ${n * 37} ${about} for case${n}`,
    repository: String((n % 3) + 1),
    author: `author-${n % 4}`,
    ...(n % 2 === 0 ? { file: `src/file-${n % 5}.ts` } : {}),
  }))

async function share(scope: Scope, organization: OrganizationId, count: number, about: string) {
  const models = await readModels(api, createEmbedderSet([embedder]))
  const { rows } = await shareLearnings(api, scope, models, organization, plant(count, about))
  return rows
}

async function searchFor(scope: Scope, text: string, query: Partial<CandidateQuery> = {}) {
  // New models for every search: the cache that they carry may be outdated by the test.
  const models = { active: embedder, filling: [] }
  const [vector = null] = await embedder.embed([text])
  const whole = { organizations: null, vector, terms: listTerms(text), limit: 10, only: {}, ...query }
  return readScoped(api, scope, (tx) => findCandidates(scope, tx, models, whole))
}

const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)
const byText = (rows: readonly LearningRow[], word: string) =>
  rows.filter(({ text }) => text.includes(word)).map(({ id }) => id)

describe('one organization', () => {
  let scope: Scope
  let organization: OrganizationId
  let rows: LearningRow[]

  before(async () => {
    organization = tenant.alone.organizations[0].id
    scope = { ...rootScope(tenant.alone.root), organizations: [organization] }
    rows = await share(scope, organization, 120, 'alone')
  })

  // The same queries, first with an exact search and then with the organization's own vector index.
  for (const searchMode of ['row by row', 'by its index']) {
    describe(searchMode, () => {
      before(async () => {
        if (searchMode === 'row by row') return
        const worker = rootScope(tenant.alone.root)
        assert.equal(await createVectorIndex(worker, tenant.pool, organization, 'test'), true)
      })

      test('returns the nearest first, with their similarity', async () => {
        for (const wanted of rows.slice(0, 20)) {
          const found = await searchFor(scope, wanted.text, { terms: [], organizations: [organization] })
          assert.equal(found.length, 10)
          assert.equal(found[0]?.id, wanted.id)
          assert.equal(found[0]?.organization_id, organization)
          assert.ok(Math.abs((found[0]?.similarity ?? 0) - 1) < 0.01)
          const similarities = found.map(({ similarity }) => similarity ?? 0)
          assert.deepEqual(
            similarities,
            similarities.toSorted((a, b) => b - a),
          )
        }
      })

      test('finds Learnings that share a rare term, however distant their vectors are', async () => {
        const [wanted] = byText(rows, 'case77')
        const [far = null] = await embedder.embed(['utterly different'])
        const found = await searchFor(scope, 'case77', { vector: far, limit: 3 })
        assert.ok(idsOf(found).includes(wanted ?? ''))
        assert.equal(new Set(idsOf(found)).size, found.length)
      })

      test('searches by terms only without a vector', async () => {
        const found = await searchFor(scope, 'case77 case78', { vector: null })
        const wanted = [...byText(rows, 'case77'), ...byText(rows, 'case78')]
        assert.deepEqual(idsOf(found).toSorted(), wanted.toSorted())
        assert.ok(found.every(({ similarity }) => similarity === null))
      })

      test('returns exactly the rows that pass the filter', async () => {
        const all = { limit: 200, terms: [] }
        const expect = async (only: CandidateQuery['only'], passes: (row: LearningRow) => boolean) => {
          const wanted = rows.filter(passes).map(({ id }) => id)
          assert.ok(wanted.length > 0)
          assert.deepEqual(
            idsOf(await searchFor(scope, 'cache', { ...all, only })).toSorted(),
            wanted.toSorted(),
          )
          const byTerms = await searchFor(scope, 'rule', {
            ...all,
            vector: null,
            terms: ['case12', 'case7'],
            only,
          })
          assert.ok(byTerms.every(({ id }) => wanted.includes(id)))
        }
        await expect({ repositories: ['2'] }, (row) => row.repository_id === '2')
        await expect({ repositories: ['1', '2'], authors: ['author-1'] }, (row) => {
          return row.repository_id !== '3' && row.author_id === 'author-1'
        })
        await expect({ files: ['src/file-0.ts', 'src/file-4.ts'] }, ({ file }) =>
          ['src/file-0.ts', 'src/file-4.ts'].includes(file ?? ''),
        )
        await expect({ neverUsed: true }, () => true)
        await expect({ createdSince: new Date(Date.now() - 60_000) }, () => true)
        assert.deepEqual(await searchFor(scope, 'cache', { only: { usedSince: new Date(0) } }), [])
        assert.deepEqual(
          await searchFor(scope, 'cache', { only: { createdSince: new Date(Date.now() + 60_000) } }),
          [],
        )
      })

      test('a search restores the plan settings of the transaction', async () => {
        const models = { active: embedder, filling: [] }
        const [vector = null] = await embedder.embed(['cache'])
        const query = { organizations: null, vector, terms: ['cache'], limit: 5, only: {} }
        const mode = { name: 'test.mode', text: `select current_setting('plan_cache_mode') as mode` }
        const modes = await inTransaction(api, scope, async (tx) => {
          await findCandidates(scope, tx, models, { ...query, only: { authors: ['author-1'] } })
          return tx.query<{ mode: string }>(mode, [])
        })
        assert.deepEqual(modes, [{ mode: 'force_generic_plan' }])
      })
    })
  }
})

describe('several organizations', () => {
  const sharedBy = async (of: TestRoot, about: string) => {
    const scopes = of.organizations.map(({ id, instance }) => ({
      id,
      scope: { ...rootScope(of.root), instance },
    }))
    return Promise.all(scopes.map(({ id, scope }) => share(scope, id, 12, about)))
  }

  test('searches every organization of the scope, with and without a vector index', async () => {
    const { root, organizations } = tenant.workspace
    const [first, second, third] = organizations
    assert.ok(second && third)
    const rows = await sharedBy(tenant.workspace, 'everywhere')
    const everything = { limit: 100, terms: [] }
    const count = async (scope: Scope, query: Partial<CandidateQuery> = {}) => {
      const found = await searchFor(scope, 'cache everywhere', { ...everything, ...query })
      return organizations.map(
        ({ id }) => found.filter(({ organization_id }) => organization_id === id).length,
      )
    }
    for (const indexed of [false, true]) {
      if (indexed)
        assert.equal(await createVectorIndex(rootScope(root), tenant.pool, second.id, 'test'), true)
      assert.deepEqual(await count(rootScope(root)), [12, 12, 12])
      assert.deepEqual(await count(rootScope(root), { organizations: [first.id, second.id] }), [12, 12, 0])
      assert.deepEqual(await count(rootScope(root), { organizations: [second.id] }), [0, 12, 0])
      const narrow: Scope = { ...rootScope(root), organizations: [third.id] }
      assert.deepEqual(await count(narrow), [0, 0, 12])
      // Requesting organizations outside the scope returns nothing more.
      assert.deepEqual(await count(narrow, { organizations: [second.id, third.id] }), [0, 0, 12])
      const byTerms = await searchFor(rootScope(root), 'case7', { vector: null })
      assert.deepEqual(idsOf(byTerms).toSorted(), rows.flatMap((of) => byText(of, 'case7')).toSorted())
    }
  })

  test('never returns rows of another root or instance', async () => {
    const rows = (await sharedBy(tenant.instance, 'instance')).flat()
    const own: Scope = { ...rootScope(tenant.instance.root), instance: tenant.instance.instance }
    assert.equal((await searchFor(own, 'cache', { limit: 100, terms: [] })).length, rows.length)
    const other: Scope = { ...own, instance: tenant.workspace.organizations[0].id as never }
    assert.deepEqual(await searchFor(other, 'case7 cache', { limit: 100 }), [])
    const foreign = idsOf(
      await searchFor(rootScope(tenant.workspace.root), 'cache instance case7', { limit: 100 }),
    )
    assert.ok(!rows.some(({ id }) => foreign.includes(id)))
    assert.deepEqual(await searchFor(rootScope(tenant.lower.root), 'cache case7', { limit: 100 }), [])
  })
})

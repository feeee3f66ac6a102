import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTenant } from '../../../../test/fixture.ts'
import type { TestOrganization } from '../../../../test/tenant.ts'
import type { Scope } from '../../../access/scope.ts'
import { connect } from '../../../db/connect.ts'
import { readScoped, type Tx } from '../../../db/transaction.ts'
import type { LearningFilter } from '../../../learning-index/sql.ts'
import { type LearningPageRequest, type LearningPageRow, readLearningPage } from './page-sql.ts'

const ROWS = 6000
const MANY = 60_000
const GENEROUS = 16 * 1024 * 1024
const DAY = 86_400_000
const now = Date.now()

const { database, superuser, tenant, use } = await openTenant({ organizations: 5, repositories: 4 })
const api = use(connect({ url: database.urls.api, name: 'test', connections: 2 }))
await fillBoth(1, ROWS)

async function fillBoth(first: number, last: number): Promise<void> {
  for (const { organizations } of [tenant.workspace, tenant.instance]) await fill(organizations, first, last)
  await superuser.query('vacuum analyze')
}

/** Every state and age, with few files and authors, so that all combinations occur; in random physical order. */
async function fill(organizations: readonly TestOrganization[], first: number, last: number): Promise<void> {
  await superuser.query(
    `insert into learning (root_id, organization_id, instance_id, id, repository_id, state, text, content_hash,
       redactor_version, file, author_id, source, position, created_at, updated_at, last_used_at, usage_count)
     select $1, ($2::uuid[])[1 + n % 5], $3, gen_random_uuid(), ($4::text[])[1 + n % 5] || (n / 5) % 4,
       case when n % 10 > 0 then 'shared' else 'pending' end, 'text ' || n || repeat('é', n % 100),
       sha256(n::text::bytea), 1, case when n % 3 > 0 then 'src/' || n % 40 end, case when n % 7 > 0 then 'a' || n % 60 end,
       'api', case when n % 10 > 0 then n end, $6::timestamptz - n % 20 * interval '1 day', now(),
       case when n % 4 > 0 then $6::timestamptz - n % 60 * interval '1 day' end, n % 4
     from generate_series($5::int, $7::int) n order by random()`,
    [
      organizations[0]?.root,
      organizations.map(({ id }) => id),
      organizations[0]?.instance,
      organizations.map(({ orgId }) => orgId),
      first,
      new Date(now),
      last,
    ],
  )
}

const page = (scope: Scope, request: LearningPageRequest) =>
  readScoped(api, scope, (tx) => readLearningPage(scope, tx, request))

/** The contract as one naive statement. */
async function expected(scope: Scope, only: LearningFilter, after_: number): Promise<string[]> {
  const { rows } = await superuser.query<{ id: string }>(
    `select l.id from learning l join organization o on (o.root_id, o.id) = (l.root_id, l.organization_id)
     where l.root_id = $1 and l.state = 'shared' and o.active and l.position > $2
       and ($3::uuid[] is null or l.organization_id = any ($3)) and ($4::uuid is null or l.instance_id = $4)
       and ($5::text[] is null or l.repository_id = any ($5)) and ($6::text[] is null or l.author_id = any ($6))
       and ($7::text[] is null or l.file = any ($7)) and ($8::timestamptz is null or l.last_used_at >= $8)
       and ($9::boolean is not true or l.last_used_at is null) and ($10::timestamptz is null or l.created_at >= $10)
     order by l.position`,
    [
      scope.root,
      after_,
      scope.organizations,
      scope.instance,
      only.repositories,
      only.authors,
      only.files,
      only.usedSince,
      only.neverUsed,
      only.createdSince,
    ],
  )
  return rows.map(({ id }) => id)
}

const some = <Value>(values: fc.Arbitrary<Value>, maxLength: number) =>
  fc.option(fc.array(values, { minLength: 1, maxLength }), { nil: undefined })

function anyScope(): fc.Arbitrary<Scope> {
  const { workspace, instance } = tenant
  return fc.constantFrom(workspace, instance).chain(({ root, organizations }) =>
    fc.record({
      root: fc.constant(root),
      organizations: fc.option(
        fc.subarray(
          organizations.map(({ id }) => id),
          { minLength: 1 },
        ),
      ),
      instance: fc.constant(root === instance.root ? instance.instance : null),
    }),
  )
}

function anyFilter(): fc.Arbitrary<LearningFilter> {
  const repositories = [tenant.workspace, tenant.instance].flatMap(({ organizations }) =>
    organizations.flatMap((organization) =>
      organization.repositories.map(({ repositoryId }) => repositoryId),
    ),
  )
  return fc
    .record({
      repositories: some(fc.constantFrom(...repositories, 'nowhere'), 10),
      authors: some(
        fc.nat({ max: 62 }).map((n) => `a${n}`),
        10,
      ),
      files: some(
        fc.nat({ max: 42 }).map((n) => `src/${n}`),
        10,
      ),
      usedSince: fc.option(fc.nat({ max: 60 }).map(daysAgo), { nil: undefined }),
      neverUsed: fc.option(fc.boolean(), { nil: undefined }),
      createdSince: fc.option(fc.nat({ max: 20 }).map(daysAgo), { nil: undefined }),
    })
    .map((filter) => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)))
}

const daysAgo = (days: number) => new Date(now - days * DAY - 1000)

test('a page equals the result of the naive statement for every scope and filter', async () => {
  const inactive = tenant.workspace.organizations[2]?.id
  await superuser.query('update organization set active = false where id = $1', [inactive])
  await fc.assert(
    fc.asyncProperty(
      anyScope(),
      anyFilter(),
      fc.nat({ max: ROWS }),
      fc.integer({ min: 1, max: 300 }),
      async (scope, only, from, rows) => {
        const found = await page(scope, { only, after: from, rows, maxBytes: GENEROUS })
        const all = await expected(scope, only, from)
        assert.deepEqual(
          found.map(({ id }) => id),
          all.slice(0, rows + 1),
        )
      },
    ),
    { numRuns: 200 },
  )
  await superuser.query('update organization set active = true where id = $1', [inactive])
})

test('no text is read if the texts of a page exceed the size limit', async () => {
  const { root } = tenant.workspace
  const scope = { root, organizations: null, instance: null }
  const sizeOf = (rows: readonly LearningPageRow[]) =>
    rows.reduce((sum, { learning }) => sum + Buffer.byteLength(learning ?? ''), 0)
  const request = { only: {}, after: 0, rows: 100 }
  const whole = await page(scope, { ...request, maxBytes: GENEROUS })
  assert.equal(whole.length, 101)
  // The extra row that signals a next page does not count.
  const exact = sizeOf(whole.slice(0, 100))
  const fits = await page(scope, { ...request, maxBytes: exact })
  assert.ok(fits.every(({ learning }) => learning !== null))
  const tooLarge = await page(scope, { ...request, maxBytes: exact - 1 })
  assert.equal(tooLarge.length, 101)
  assert.ok(tooLarge.every(({ learning }) => learning === null))
})

test('each access path reads only its own index, in order', async () => {
  await fillBoth(ROWS + 1, MANY)
  const { workspace, instance } = tenant
  const whole = { root: workspace.root, organizations: null, instance: null }
  const organizations = workspace.organizations.map(({ id }) => id)
  const ids = workspace.organizations[0].repositories.map(({ repositoryId }) => repositoryId)
  const accessPaths: [string, Scope, LearningFilter][] = [
    ['learning_of_root', whole, {}],
    ['learning_of_root', whole, { createdSince: daysAgo(7) }],
    ['learning_of_instance', { root: instance.root, organizations: null, instance: instance.instance }, {}],
    ['learning_of_organization', { ...whole, organizations: organizations.slice(0, 1) }, {}],
    ['learning_of_organization', { ...whole, organizations }, { neverUsed: true }],
    ['learning_of_repository', whole, { repositories: ids.slice(0, 1) }],
    ['learning_of_repository', whole, { repositories: ids }],
    ['learning_of_author', whole, { authors: ['a3'] }],
    ['learning_of_author', whole, { authors: ['a3', 'a4', 'a5'], repositories: ids }],
    ['learning_of_file', whole, { files: ['src/3'] }],
    ['learning_of_file', whole, { files: ['src/3', 'src/4'], authors: ['a3'] }],
  ]
  for (const [index, scope, only] of accessPaths) {
    const scans = (await explain(scope, only)).filter((node) => node['Relation Name'] === 'learning')
    const title = `${index} ${JSON.stringify(only)}`
    assert.deepEqual(
      scans.map((node) => [node['Node Type'], node['Index Name']]),
      [['Index Scan', index]],
      title,
    )
  }
})

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Node[]
}

/** The plan with the server's role, scope and generic plan mode. */
async function explain(scope: Scope, only: LearningFilter): Promise<Node[]> {
  const nodes: Node[] = []
  const walk = (node: Node) => {
    nodes.push(node)
    node.Plans?.forEach(walk)
  }
  await readScoped(api, scope, async (tx) => {
    const explaining: Tx = {
      ...tx,
      async query(query, values) {
        if (!query.name.startsWith('learnings.')) return tx.query(query, values)
        const text = `explain (format json) ${query.text}`
        const rows = await tx.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
          { name: `explain-${query.name}`, text },
          values,
        )
        walk(rows[0]?.['QUERY PLAN'][0].Plan ?? assert.fail())
        return []
      },
    }
    await readLearningPage(scope, explaining, { only, after: 100, rows: 100, maxBytes: GENEROUS })
  })
  return nodes
}

// The schema `report`: who may read it, what it shows, and the queries of docs/sql.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { createUrls } from '../../test/database.ts'
import { openDatabase } from '../../test/fixture.ts'
import { createOwnEngines } from '../../test/proofs/own-engines.ts'
import { bootstrap, type DatabaseUrls } from './bootstrap.ts'
import { connect } from './connect.ts'
import { refuseUnguardedRole } from './guard.ts'
import { roleSettings } from './role-settings.ts'

const { database, superuser, use } = await openDatabase()
const reader = use(new pg.Pool({ connectionString: database.urls.report, max: 1 }))

const views = ['finding', 'learning', 'outcome', 'pull_request'].map((name) => `report.${name}`)
const page = readFileSync(new URL('../../../docs/sql.md', import.meta.url), 'utf8')
const queries = new Map(
  page.split('\n### ').flatMap((section) => {
    const [, sql] = /```sql\n([^]*?)```/.exec(section) ?? []
    return sql === undefined ? [] : [[section.slice(0, section.indexOf('\n')), sql]]
  }),
)

/** Values as psql prints them, rows joined by "|". */
async function readRows(text: string): Promise<string[]> {
  const types = { getTypeParser: () => (value: string) => value }
  const { rows } = await reader.query<(string | null)[]>({ text, rowMode: 'array', types })
  return rows.map((row) => row.map((value) => value ?? '').join('|'))
}

interface PlantedPullRequest {
  readonly tenant: Tenant
  readonly repository: string
  readonly number: number
  readonly status?: 'merged' | 'closed'
  readonly created: string
  readonly merged: string
  readonly reviewers?: readonly string[]
  readonly findings?: readonly PlantedFinding[]
}

interface PlantedFinding {
  readonly reviewer: string
  readonly severity: string
  readonly category?: string
  readonly accepted: boolean | null
  readonly file?: string
  readonly posted?: string
  readonly fixed?: string
}

interface Tenant {
  readonly root: string
  readonly organization: string
  readonly name: string
}

async function plantTenant(name: string, state: 'active' | 'moved'): Promise<Tenant> {
  const tenant = { root: randomUUID(), organization: randomUUID(), name }
  await superuser.query(`insert into root (id, kind, name) values ($1, 'organization', $2)`, [
    tenant.root,
    name,
  ])
  await superuser.query(
    `insert into organization (root_id, id, provider, host, provider_organization_id, name)
     values ($1, $2, 'github', 'github.com', '1', $3)`,
    [tenant.root, tenant.organization, name],
  )
  await superuser.query(
    `insert into repository (root_id, organization_id, id, provider, provider_repository_id, name)
     values ($1, $2, $3, 'github', 'id of api', 'api')`,
    [tenant.root, tenant.organization, randomUUID()],
  )
  await superuser.query('insert into metrics_head (root_id, position, state) values ($1, 0, $2)', [
    tenant.root,
    state,
  ])
  return tenant
}

async function plant({ tenant, findings = [], ...pullRequest }: PlantedPullRequest): Promise<void> {
  const { repository, number, status = 'merged', created, merged, reviewers = [] } = pullRequest
  const counted = status === 'merged' && findings.length > 0
  const key = randomUUID()
  const owner = [tenant.root, key, tenant.organization, `id of ${repository}`, merged.slice(0, 10), counted]
  await superuser.query(
    `insert into pull_request (root_id, pull_request_key, organization_id, repository_id, day, counted, organization_name,
       repository_name, number, status, created_at, merged_at, reviewers, provider, host, provider_organization_id, url, position, event_id,
       event_at, entry, review)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, case when $10 = 'merged' then $12::timestamptz end, $13, 'github', 'github.com',
       '1', 'u', $9, 'e', now(), case when $6 then '{}' end, '{}')`,
    [...owner, tenant.name, repository, number, status, created, merged, reviewers],
  )
  for (const [ordinal, finding] of findings.entries()) {
    const { reviewer, severity, category = null, accepted, file = null, posted = null, fixed } = finding
    const evidence =
      fixed &&
      JSON.stringify([
        { kind: 'reply', at: created },
        { kind: 'commit', at: fixed },
      ])
    await superuser.query(
      `insert into finding (root_id, pull_request_key, organization_id, repository_id, day, counted, ordinal, finding_id, url, reviewer,
         severity, category, accepted, file, posted_at, evidence)
       values ($1, $2, $3, $4, $5, $6, $7, $8, 'u', $9, $10, $11, $12, $13, $14, $15)`,
      [...owner, ordinal, `f${ordinal}`, reviewer, severity, category, accepted, file, posted, evidence],
    )
  }
  await superuser.query(
    `insert into outcome (root_id, pull_request_key, finding_id, event_id, organization_id, source, at)
     values ($1, $2, 'f0', 'e', $3, 'person', now())`,
    owner.slice(0, 3),
  )
}

async function plantLearning(
  { root, organization }: Tenant,
  id: string,
  { state = 'shared', uses = 0, updated = '2026-01-01' },
) {
  await superuser.query(
    `insert into learning (root_id, organization_id, id, repository_id, state, text, content_hash, redactor_version, source, position,
       created_at, updated_at, usage_count)
     values ($1, $2, $3, 'id of api', $4, 'secret guidance', sha256(uuid_send($3)), 1, 'api', case when $4 = 'shared' then 1 end,
       '2026-01-01', $5, $6)`,
    [root, organization, id, state, updated, uses],
  )
}

const acme = await plantTenant('Acme', 'active')
const beta = await plantTenant('Beta', 'active')
const moved = await plantTenant('Moved', 'moved')
const unused = randomUUID()

await plant({
  tenant: acme,
  repository: 'api',
  number: 1,
  created: '2026-01-05T00:00Z',
  merged: '2026-01-05T10:00Z',
  reviewers: ['coderabbit', 'copilot'],
  findings: [
    {
      reviewer: 'coderabbit',
      severity: 'critical',
      accepted: true,
      file: 'a.ts',
      posted: '2026-01-05T02:00Z',
      fixed: '2026-01-05T04:00Z',
    },
    {
      reviewer: 'copilot',
      severity: 'critical',
      accepted: false,
      file: 'a.ts',
      posted: '2026-01-05T02:00Z',
      // The evidence of a finding that was not accepted is no fix.
      fixed: '2026-01-05T03:00Z',
    },
    { reviewer: 'copilot', severity: 'minor', accepted: null, file: 'b.ts' },
  ],
})
await plant({
  tenant: acme,
  repository: 'api',
  number: 2,
  created: '2026-01-14T00:00Z',
  merged: '2026-01-14T20:00Z',
  reviewers: ['coderabbit'],
  findings: [
    {
      reviewer: 'coderabbit',
      severity: 'major',
      accepted: true,
      file: 'c.ts',
      posted: '2026-01-14T00:00Z',
      fixed: '2026-01-14T04:00Z',
    },
    { reviewer: 'coderabbit', severity: 'critical', accepted: null, file: 'c.ts' },
  ],
})
await plant({
  tenant: acme,
  repository: 'web',
  number: 3,
  created: '2026-02-02T00:00Z',
  merged: '2026-02-03T06:00Z',
})
await plant({
  tenant: acme,
  repository: 'web',
  number: 4,
  status: 'closed',
  created: '2026-02-02T00:00Z',
  merged: '2026-02-04T00:00Z',
  findings: [{ reviewer: 'coderabbit', severity: 'critical', accepted: false }],
})
await plant({
  tenant: beta,
  repository: 'core',
  number: 5,
  created: '2026-02-03T00:00Z',
  merged: '2026-02-03T10:00Z',
  findings: Array.from({ length: 25 }, (_, index) => ({
    reviewer: 'copilot',
    severity: 'minor',
    category: 'maintainability_and_code_quality',
    accepted: index >= 20 ? null : index === 0,
  })),
})
await plant({
  tenant: moved,
  repository: 'api',
  number: 6,
  created: '2026-02-03T00:00Z',
  merged: '2026-02-03T10:00Z',
  findings: [{ reviewer: 'copilot', severity: 'critical', accepted: false }],
})
await plantLearning(acme, unused, {})
await plantLearning(acme, randomUUID(), { uses: 2 })
await plantLearning(acme, randomUUID(), { state: 'pending' })
await plantLearning(beta, randomUUID(), { updated: new Date().toISOString() })

/** Rows of each query of the page. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'Acceptance by reviewer and month': [
    '2026-01-01|coderabbit|3|2|0|1|100.0',
    '2026-01-01|copilot|2|0|1|1|0.0',
    '2026-02-01|copilot|25|1|19|5|5.0',
  ],
  'What each severity is worth': [
    'coderabbit|critical|2|100.0|50.0',
    'coderabbit|major|1|100.0|0.0',
    'copilot|critical|1|0.0|0.0',
    'copilot|minor|26|5.0|23.1',
  ],
  'Categories that nobody acts on': ['Beta|copilot|maintainability_and_code_quality|20|1|5'],
  'Time from comment to fix': ['coderabbit|2|3.0|3.8'],
  'Repositories with the most critical findings that were not fixed': ['Acme|api|1|1'],
  'Files that two reviewers commented on': ['coderabbit|copilot|1|1'],
  'Merged without any review': ['Acme|web|1|1', 'Acme|api|2|0', 'Beta|core|1|0'],
  'Learnings that were never used': [`Acme|api||${unused}|2026-01-01`],
  'What an accepted finding costs': [
    '2026-01-01|coderabbit|3|1.5|240.00',
    '2026-01-01|copilot|2||',
    '2026-02-01|copilot|25|25.0|390.00',
  ],
  'Week by week': ['2026-01-05|1|3|1|10.0', '2026-01-12|1|2|1|20.0', '2026-02-02|2|25|1|20.0'],
}

test('docs/sql.md has exactly the queries below', () => {
  assert.deepEqual([...queries.keys()], Object.keys(expected))
  assert.equal(page.split('```sql').length - 1, queries.size)
})

for (const [title, sql] of queries) {
  test(`query: ${title}`, async () => {
    assert.deepEqual(await readRows(sql), expected[title])
  })
}

test('every column of a view has a comment, in its order, and docs/sql.md lists it', async () => {
  const { rows } = await superuser.query<{ view: string; columns: string[]; comment: string | null }>(
    `select c.oid::regclass::text as view, obj_description(c.oid, 'pg_class') as comment,
       array_agg(format('| \`%s\` | %s |', a.attname, col_description(c.oid, a.attnum)) order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'report'::regnamespace group by c.oid order by 1`,
  )
  assert.deepEqual(
    rows.map(({ view }) => view),
    views,
  )
  for (const { view, columns, comment } of rows) {
    assert.ok(comment, view)
    const text = [
      `### \`${view}\``,
      '',
      comment,
      '',
      '| Column | Meaning |',
      '|---|---|',
      ...columns,
      '',
    ].join('\n')
    assert.ok(page.includes(text), text)
  }
})

test('the views show every tenant that is active in the store, without the text of a Learning', async () => {
  const count = async (view: string) => (await readRows(`select count(*) from ${view}`))[0]
  assert.deepEqual(await Promise.all(views.map(count)), ['31', '4', '5', '5'])
  assert.deepEqual(await readRows('select distinct tenant from report.finding order by 1'), ['Acme', 'Beta'])
  const learnings = await readRows('select to_jsonb(l) from report.learning l')
  assert.doesNotMatch(learnings.join(), /secret guidance/)
})

test('scholiast_report reads the four views, and no other relation, sequence or function of the owner', async () => {
  const { rows } = await superuser.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'
       and (c.relkind in ('r', 'p', 'v', 'm', 'f') and (
           has_table_privilege('scholiast_report', c.oid, 'select, insert, update, delete, truncate, references, trigger, maintain')
           or has_any_column_privilege('scholiast_report', c.oid, 'select, insert, update, references'))
         or c.relkind = 'S' and has_sequence_privilege('scholiast_report', c.oid, 'usage, select, update'))
     order by 1`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    views,
  )
  const { rows: writable } = await superuser.query(
    `select from unnest($1::regclass[]) v where has_table_privilege('scholiast_report', v, 'insert, update, delete, truncate')`,
    [views],
  )
  assert.deepEqual(writable, [])
  const { rows: functions } = await superuser.query(
    `select oid::regprocedure from pg_proc
     where prosecdef and pronamespace in ('public'::regnamespace, 'report'::regnamespace)
       and has_function_privilege('scholiast_report', oid, 'execute')`,
  )
  assert.deepEqual(functions, [])
  const { rows: memberships } = await superuser.query(
    `select from pg_auth_members where member = 'scholiast_report'::regrole or roleid = 'scholiast_report'::regrole`,
  )
  assert.deepEqual(memberships, [])
  for (const text of [
    'select from finding',
    'select from learning',
    'select from root',
    'create table report.own ()',
  ])
    await assert.rejects(reader.query(`set transaction_read_only = off; ${text}`), { code: '42501' }, text)
})

test('no other role reads the views, and a process refuses to start as one that can', async () => {
  for (const role of ['auth', 'api', 'worker'] as const) {
    const pool = use(connect({ url: database.urls[role], name: 'test', connections: 1 }))
    for (const view of views)
      await assert.rejects(pool.query(`select from ${view}`), { code: '42501' }, `${role} ${view}`)
    await refuseUnguardedRole(pool)
    await superuser.query(`grant usage on schema report to scholiast_${role}`)
    await assert.rejects(refuseUnguardedRole(pool), /it can read the views of the schema report/, role)
    await superuser.query(`revoke usage on schema report from scholiast_${role}`)
  }
})

test('a session of the role is read-only and limited in time', async () => {
  for (const [setting, value] of Object.entries(roleSettings.report)) {
    const { rows } = await reader.query('select setting as value from pg_settings where lower(name) = $1', [
      setting,
    ])
    assert.deepEqual(rows, [{ value }], setting)
  }
  await assert.rejects(reader.query('create temp table own ()'), { code: '25006' })
})

// Roles belong to a server, so it has one of its own.
test('the role cannot log in before the bootstrap gets its URL, and keeps the right afterwards', async (context) => {
  const engines = await createOwnEngines()
  context.after(() => engines.remove())
  const { report, ...urls } = createUrls(engines.postgres.url, 'scholiast')
  const server = new pg.Client({ connectionString: engines.postgres.url })
  await server.connect()
  const canLogIn = async (given: DatabaseUrls) => {
    await bootstrap(engines.postgres.url, given)
    const { rows } = await server.query<{ rolcanlogin: boolean }>(
      `select rolcanlogin from pg_roles where rolname = 'scholiast_report'`,
    )
    return rows[0]?.rolcanlogin
  }
  assert.equal(await canLogIn(urls), false)
  assert.equal(await canLogIn({ ...urls, report }), true)
  assert.equal(await canLogIn(urls), true)
  await server.end()
})

test('a query without names of tenants and pull requests does not read them', async () => {
  const plan = (await readRows('explain select reviewer, accepted from report.finding')).join('\n')
  assert.match(plan, /on finding/)
  assert.doesNotMatch(plan, /on (?:pull_request|root)/)
})

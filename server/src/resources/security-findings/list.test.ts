import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, type TestResponse } from '../../../test/call.ts'
import { fuzzedText, parseCsv, seededNumbers, startsFormula } from '../../../test/csv.ts'
import { openTenant } from '../../../test/fixture.ts'
import { type PlantedFinding, plantFindings } from '../../../test/planted/findings.ts'
import { checkSarif, type SarifLog } from '../../../test/security/sarif.ts'
import type { TestOrganization } from '../../../test/tenant.ts'
import { inTransaction } from '../../db/transaction.ts'
import { findingStates, type SecurityFinding, securityFindingFields } from './schema.ts'
import { readAllFindings } from './sql.ts'

const PATH = '/v1/security/scans/code'

const { database, superuser, tenant, use } = await openTenant({ organizations: 3 })
const service = use(startService(database, { LIMIT_SECURITY: 'off' }))
const home = tenant.workspace.organizations[0]
const key = (await tenant.createKey('user')).value

interface Page {
  readonly data: readonly SecurityFinding[]
  readonly next_cursor: string | null
}
interface Holder {
  readonly as: string
  readonly sees: readonly TestOrganization[]
  readonly org_id?: string
}
type Query = Readonly<Record<string, string>>

function request(query: Query, as = key): Promise<TestResponse> {
  return service.call(`${PATH}?${new URLSearchParams(query).toString()}`, { key: as })
}

async function read(query: Query, as = key): Promise<Page> {
  const { status, body, text } = await request(query, as)
  assert.equal(status, 200, text)
  return body as unknown as Page
}

async function readPages(query: Query, as = key): Promise<SecurityFinding[]> {
  const found: SecurityFinding[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Page = await read({ ...query, ...(cursor !== null && { cursor }) }, as)
    found.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null) return found
  }
}

async function readSarif(query: Query, as = key): Promise<SarifLog> {
  const { status, text } = await request({ ...query, format: 'sarif' }, as)
  assert.equal(status, 200, text)
  return JSON.parse(text) as SarifLog
}

const idsOf = (findings: readonly { readonly id: string }[]) => findings.map(({ id }) => id)
const idsIn = (log: SarifLog) => log.runs.flatMap(({ results }) => results.map((one) => one.correlationGuid))

/** Inserts the given number of findings of one repository with one statement. */
async function plantMany(repository: string, count: number, description: string): Promise<void> {
  const [id] = await plantFindings(superuser, home, [{ repository_id: repository, description }])
  await superuser.query(
    `with head as (
       update security_head set position = position + $3 where root_id = $1 returning position - $3 as position
     )
     insert into security_finding (root_id, organization_id, instance_id, id, provider, host, provider_organization_id,
       organization_name, repository_id, repository_name, scan_id, severity, state, cwe, title, description, file_path,
       start_line, end_line, rule_id, tool, fingerprint, first_seen_at, last_seen_at, position, lanes, redactor_version)
     select f.root_id, organization_id, instance_id, gen_random_uuid(), provider, host, provider_organization_id,
       organization_name, repository_id, repository_name, scan_id, severity, state, cwe, title, description, file_path,
       n, n, rule_id, tool, n::text, first_seen_at, last_seen_at, head.position + n, lanes, redactor_version
     from head, security_finding f, generate_series(1, $3::int) n where f.root_id = $1 and f.id = $2`,
    [home.root, id, count - 1],
  )
}

test('every combination of filters returns the rows of a full scan, in pages of any size and as a file', async () => {
  const organizations = [...tenant.workspace.organizations, ...tenant.instance.organizations]
  for (let round = 0; round < 12; round++) {
    for (const [index, organization] of organizations.entries()) {
      const repository = organization.repositories[round % 2] ?? assert.fail()
      await plantFindings(superuser, organization, [
        {
          // The same ids at two providers and in two organizations.
          repository_id: round % 3 === 0 ? 'shared' : repository.repositoryId,
          scan_id: `scan-${(round + index) % 3}`,
          state: findingStates[round % 3] ?? 'open',
          fingerprint: `${round}`,
        },
      ])
    }
  }
  const second = tenant.workspace.organizations[1] ?? assert.fail()
  const { value: whole } = await tenant.createKey('workspace')
  const holders: Holder[] = [
    { as: key, sees: [home] },
    { as: whole, sees: tenant.workspace.organizations },
    { as: (await tenant.createKey('instance')).value, sees: tenant.instance.organizations },
  ]
  const narrow = tenant.instance.organizations[0]
  const authorized: Holder = {
    as: (await tenant.createKey('instance', { authorized: [narrow.id] })).value,
    sees: [narrow],
  }
  const selected: Holder = { as: whole, sees: [second], org_id: second.orgId }
  let compared = 0
  for (const { as, sees, org_id } of [...holders, authorized, selected]) {
    for (const repo_id of [undefined, 'shared', home.repositories[0]?.repositoryId, 'nobody']) {
      for (const scan_id of [undefined, 'scan-1', 'nobody']) {
        for (const state of [undefined, 'fixed', 'dismissed', 'all']) {
          const { rows } = await superuser.query<{ id: string }>(
            `select id from security_finding where organization_id = any ($1) and ($2::text is null or repository_id = $2)
             and ($3::text is null or scan_id = $3) and ($4 = 'all' or state = $4) order by position`,
            [sees.map(({ id }) => id), repo_id, scan_id, state ?? 'open'],
          )
          const given = { repo_id, scan_id, state, org_id }
          const query = Object.fromEntries(
            Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
          )
          const about = JSON.stringify(query)
          assert.deepEqual(idsOf(await readPages({ ...query, limit: '3' }, as)), idsOf(rows), about)
          assert.deepEqual(idsIn(await readSarif(query, as)).sort(), idsOf(rows).sort(), about)
          compared += rows.length
        }
      }
    }
  }
  assert.ok(compared > 400, `only ${compared} rows were compared`)
})

test('findings of an inactive organization are not returned', async () => {
  const third = tenant.workspace.organizations[2] ?? assert.fail()
  const [id] = await plantFindings(superuser, third, [{ title: 'of an organization that ends' }])
  const { value: whole } = await tenant.createKey('workspace')
  const has = async () => [
    idsOf(await readPages({ limit: '1000' }, whole)).includes(id ?? ''),
    idsIn(await readSarif({}, whole)).includes(id ?? ''),
  ]
  assert.deepEqual(await has(), [true, true])
  await superuser.query('update organization set active = false where id = $1', [third.id])
  assert.deepEqual(await has(), [false, false])
})

test('a rewritten finding moves to the end and is returned again with its new values', async () => {
  const repo_id = 'moving'
  const planted = ['a', 'b', 'c'].map((title) => ({ repository_id: repo_id, title, fingerprint: title }))
  await plantFindings(superuser, home, planted)
  const first = await read({ repo_id, state: 'all', limit: '1' })
  await superuser.query(
    `with head as (update security_head set position = position + 1 where root_id = $1 returning position)
     update security_finding set position = head.position, state = 'fixed' from head
     where repository_id = $2 and title = 'a'`,
    [home.root, repo_id],
  )
  const rest = await readPages({ repo_id, state: 'all', cursor: first.next_cursor ?? '' })
  assert.deepEqual(
    [...first.data, ...rest].map(({ title, state }) => [title, state]),
    [
      ['a', 'open'],
      ['b', 'open'],
      ['c', 'open'],
      ['a', 'fixed'],
    ],
  )
})

test('a file is one snapshot and has no findings that are written while it is read', async () => {
  const repository = 'moment'
  const planted = Array.from(
    { length: 1200 },
    (_, n): PlantedFinding => ({ repository_id: repository, title: `${n}` }),
  )
  await plantFindings(superuser, home, planted)
  const scope = { root: home.root, organizations: [home.id], instance: null }
  const only = { repositories: [repository], scan: null, states: ['open'] as const }
  const titles: string[] = []
  await inTransaction(service.apiPool, scope, async (tx) => {
    for await (const rows of readAllFindings(scope, tx, only, { most: 50_001, order: 'position' })) {
      if (titles.length === 0) {
        await superuser.query(
          `update security_finding set state = 'fixed', title = 'later' where repository_id = $1`,
          [repository],
        )
        await plantFindings(superuser, home, [{ repository_id: repository, title: 'new' }])
      }
      titles.push(...rows.map(({ title }) => title))
    }
  })
  assert.deepEqual(
    titles,
    planted.map(({ title }) => title),
  )
  assert.equal((await read({ repo_id: repository })).data.length, 1)
})

test('a file has up to 50,000 findings; one more is 413 before the first byte, and pages still work [P6-3]', async () => {
  await plantMany('count', 50_000, 'x')
  for (const format of ['csv', 'sarif']) {
    const { status, text, headers } = await request({ repo_id: 'count', format })
    // SARIF has more bytes per finding: 50,000 exceed 16 MiB.
    assert.equal(status, format === 'csv' ? 200 : 413, format)
    if (format === 'csv') {
      assert.equal(text.split('\r\n').length - 2, 50_000)
      assert.equal(headers['content-length'], String(Buffer.byteLength(text)))
    }
  }
  await plantFindings(superuser, home, [{ repository_id: 'count', title: 'one more' }])
  for (const format of ['csv', 'sarif']) {
    const { status, body, headers } = await request({ repo_id: 'count', format })
    assert.deepEqual([status, body.error?.code], [413, 'RESPONSE_TOO_LARGE'])
    assert.match(headers['content-type'] ?? '', /^application\/json/)
  }
  assert.equal((await readPages({ repo_id: 'count', limit: '1000' })).length, 50_001)
})

test('a file of up to 16 MiB is returned; a larger file or page is 413 [P6-3]', async () => {
  const MIB = 1024 * 1024
  await plantMany('fits', 1000, 'é'.repeat(7 * 1024))
  await plantMany('too much', 1000, 'é'.repeat(9 * 1024))
  for (const format of ['csv', 'sarif', 'json']) {
    const form: Query = format === 'json' ? { limit: '1000' } : { format }
    const { status, text } = await request({ repo_id: 'fits', ...form })
    assert.equal(status, 200)
    assert.ok(Buffer.byteLength(text) > 13 * MIB && Buffer.byteLength(text) <= 16 * MIB)
    const refused = await request({ repo_id: 'too much', ...form })
    assert.deepEqual([refused.status, refused.body.error?.code], [413, 'RESPONSE_TOO_LARGE'], format)
  }
})

test('concurrent files need no second connection each and do not deadlock', async () => {
  await plantFindings(superuser, home, [{ repository_id: 'parallel' }])
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      request({ repo_id: 'parallel', format: n % 2 === 0 ? 'csv' : 'sarif' }),
    ),
  )
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
})

test('100,000 fuzzed cells: no CSV cell starts a formula, and each equals the JSON value', async (t) => {
  const organization = tenant.alone.organizations[0]
  const { value: as } = await tenant.createKey('user', { of: 'alone' })
  const random = seededNumbers(23)
  const fields = ['repository_name', 'scan_id', 'cwe', 'title', 'description', 'file_path'] as const
  const cell = () => fuzzedText(random)
  for (let from = 0; from < 17_000; from += 1000) {
    const planted = Array.from({ length: 1000 }, () =>
      Object.fromEntries(fields.map((field) => [field, cell()])),
    )
    await plantFindings(superuser, organization, planted)
  }
  const { text } = await request({ format: 'csv' }, as)
  const [header, ...lines] = parseCsv(text)
  assert.deepEqual(header, securityFindingFields)
  const records = await readPages({ limit: '1000' }, as)
  assert.equal(lines.length, 17_000)
  let [wrong, guarded] = [0, 0]
  for (const [index, record] of records.entries()) {
    for (const [column, field] of securityFindingFields.entries()) {
      const shown = lines[index]?.[column] ?? assert.fail()
      const value = String(record[field] ?? '')
      if (startsFormula(shown)) wrong += 1
      if (startsFormula(value)) guarded += 1
      assert.equal(shown, startsFormula(value) ? `'${value}` : value)
    }
  }
  assert.equal(wrong, 0)
  assert.ok(guarded > 10_000, `only ${guarded} cells were dangerous`)
  assert.deepEqual(checkSarif(await readSarif({}, as)), [])
  t.diagnostic(`${17_000 * fields.length} fuzzed cells, ${guarded} would have started a formula, ${wrong} do`)
})

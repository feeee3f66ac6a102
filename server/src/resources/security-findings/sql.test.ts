import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTenant } from '../../../test/fixture.ts'
import { plantFindings } from '../../../test/planted/findings.ts'
import type { Scope } from '../../access/scope.ts'
import { connect, type Statement } from '../../db/connect.ts'
import { createTx, setScope, type Tx } from '../../db/transaction.ts'
import { type FindingFilter, readAllFindings, readFindingPage } from './sql.ts'

const { database, superuser, tenant, use } = await openTenant()
const api = use(connect({ url: database.urls.api, name: 'test', connections: 1 }))
// One organization has nearly all rows: a plan for it would be wrong for the others.
const [large, small] = tenant.workspace.organizations
for (let batch = 0; batch < 10; batch++) {
  const planted = Array.from({ length: 1000 }, (_, n) => ({
    repository_id: `r${n % 10}`,
    fingerprint: `${batch} ${n}`,
    state: n % 3 === 0 ? ('fixed' as const) : ('open' as const),
  }))
  await plantFindings(superuser, large, planted)
}
if (small) await plantFindings(superuser, small, [{}, {}])
await superuser.query('vacuum analyze')

/** The statement that a read executes. */
async function statementOf(read: (tx: Tx) => Promise<unknown>): Promise<Statement> {
  const sent: Statement[] = []
  const recording = createTx({
    query: (statement) => {
      sent.push(statement)
      return Promise.resolve([])
    },
    streamRows: () => Promise.resolve(),
  })
  await read(recording)
  return sent[0] ?? assert.fail('no statement was sent')
}

/** The generic plan, as the server uses it. */
async function planOf({ root }: Scope, { text }: Statement): Promise<string> {
  const client = await api.connect()
  try {
    await client.query('begin')
    await client.query(setScope.text, [root, '', ''])
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan, costs off) ${text}`)
    await client.query('rollback')
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    client.release()
  }
}

test('each access path scans its own index in the generic plan', async () => {
  const { root, organizations } = tenant.workspace
  const [{ id }] = organizations
  const everything: FindingFilter = { repositories: null, scan: null, states: ['open', 'fixed', 'dismissed'] }
  const ofRepository: FindingFilter = { ...everything, repositories: ['r1'] }
  const whole: Scope = { root, organizations: null, instance: null }
  const accessPaths: [string, Scope, FindingFilter][] = [
    ['security_finding_of_root', whole, everything],
    ['security_finding_of_organization', { ...whole, organizations: [id] }, everything],
    ['security_finding_of_instance', { ...whole, instance: tenant.instance.instance }, everything],
    ['security_finding_of_repository', whole, ofRepository],
    ['security_finding_of_repository', { ...whole, organizations: [id] }, { ...ofRepository, scan: 's' }],
  ]
  for (const [index, scope, only] of accessPaths) {
    const page = { only, after: 0, rows: 100, maxBytes: 1e7 }
    const statements = [
      await statementOf((tx) => readFindingPage(scope, tx, page)),
      await statementOf((tx) => readAllFindings(scope, tx, only, { most: 100, order: 'place' }).next()),
    ]
    for (const statement of statements) {
      const plan = await planOf(scope, statement)
      assert.match(plan, new RegExp(`Index Scan using ${index} on`), `${statement.name}\n${plan}`)
      assert.doesNotMatch(plan, /Seq Scan on security_finding/)
    }
  }
})

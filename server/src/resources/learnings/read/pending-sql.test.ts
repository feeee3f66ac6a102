import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTenant } from '../../../../test/fixture.ts'
import type { Tenant } from '../../../../test/tenant.ts'
import type { Scope } from '../../../access/scope.ts'
import { connect } from '../../../db/connect.ts'
import { readScoped } from '../../../db/transaction.ts'
import { type PendingLearningRow, readPendingLearnings, selectPending } from './pending-sql.ts'

const ROWS = 4000

const { database, superuser, tenant, use } = await openTenant({ organizations: 2 })
const api = use(connect({ url: database.urls.api, name: 'test', connections: 2 }))
const { root, organizations } = tenant.workspace
// Several proposals of one microsecond and many of one millisecond, in random physical order.
await superuser.query(
  `insert into learning (root_id, organization_id, id, repository_id, state, text, content_hash, redactor_version, source,
     position, created_at, updated_at)
   select $1, ($2::uuid[])[1 + n % 2], gen_random_uuid(), 'r' || n % 3,
     case when n % 4 > 0 then 'pending' when n % 8 > 0 then 'shared' else 'private' end, 'text ' || n,
     sha256(n::text::bytea), 1, (array['chat', 'review', 'agent'])[1 + n % 3], case when n % 8 = 4 then n end,
     timestamptz '2026-03-01 00:00:00Z' + n / 5 * interval '1 microsecond', now()
   from generate_series(1, $3::int) n order by random()`,
  [root, organizations.map(({ id }) => id), ROWS],
)
await superuser.query('vacuum analyze learning')

function getScope(): {
  readonly scope: Scope
  readonly organization: Tenant['alone']['organizations'][0]['id']
} {
  const organization = organizations[0].id
  return { scope: { root, organizations: [organization], instance: null }, organization }
}

test('pages of any filter are the naive statement cut into pieces, in the order of time and id', async () => {
  const { scope, organization } = getScope()
  for (const repositories of [null, ['r1'], ['r0', 'r2']])
    for (const source of [null, 'chat', 'connector']) {
      const { rows: expected } = await superuser.query<{ id: string }>(
        `select id from learning where organization_id = $1 and state = 'pending'
           and ($2::text[] is null or repository_id = any ($2)) and ($3::text is null or source = $3)
         order by created_at, id`,
        [organization, repositories, source],
      )
      const found: PendingLearningRow[] = []
      for (let page: PendingLearningRow[] | null = null; page === null || page.length > 0; ) {
        const last = found.at(-1)
        const next = last === undefined ? null : { proposedAt: last.proposed_at, id: last.id }
        const query = { organization, repositories, source, after: next, limit: 97 }
        page = await readScoped(api, scope, (tx) => readPendingLearnings(scope, tx, query))
        found.push(...page)
      }
      assert.deepEqual(
        found.map(({ id }) => id),
        expected.map(({ id }) => id),
      )
    }
})

test('a page reads only pending Learnings of the organization, from its first row on', async () => {
  const { scope, organization } = getScope()
  const plan = await readScoped(api, scope, (tx) =>
    tx.query<{ 'QUERY PLAN': string }>({ name: 'explain-pending', text: `explain ${selectPending.text}` }, [
      scope.root,
      organization,
      null,
      null,
      '2026-03-01 00:00:00.0001Z',
      organization,
      101,
    ]),
  )
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(text, /Index Scan using learning_waiting on learning/)
  assert.match(text, /Index Cond: .*state = 'pending'.*created_at >= /s)
  assert.match(text, /Presorted Key: learning.created_at/)
})

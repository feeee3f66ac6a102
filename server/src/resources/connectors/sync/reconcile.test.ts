import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../../../fake-forge/random.ts'
import { startService } from '../../../../test/call.ts'
import { tomorrowNoon } from '../../../../test/connectors/clock.ts'
import { MemoryForge } from '../../../../test/connectors/memory-forge.ts'
import {
  connectOrganization,
  createTestSync,
  runUntilIdle,
  type SentEvent,
} from '../../../../test/connectors/test-sync.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { connect } from '../../../db/connect.ts'
import { DAY_MS, HOUR_MS } from '../../../time.ts'
import {
  CredentialRejectedError,
  ProviderUnavailableError,
  RateLimitedError,
} from '../git-providers/provider-client.ts'
import { runRound } from './loop.ts'

const HISTORIES = 6
const STEPS = 25

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database, limitsOff))
const pool = use(connect({ url: database.urls.worker, name: 'test', connections: 4 }))

/** Random changes; of their hooks 30 % are lost, others double. Requests fail. Returns what was sent and what is true. */
async function runHistory(seed: number, sweep: boolean): Promise<{ sent: string[]; expected: string[] }> {
  const numbers = new Random(seed)
  const random = () => numbers.next()
  let clock = tomorrowNoon()
  const forge = new MemoryForge(tenant.workspace.organizations[0].orgId, () => new Date(clock))
  const repository = forge.addRepository('700')
  forge.addMember('1')
  const events: SentEvent[] = []
  const sync = createTestSync(pool, forge, events)
  const { id } = await connectOrganization(service, tenant, 'hooks')
  await runUntilIdle(sync)
  for (let step = 0; step < STEPS; step++) {
    clock += Math.ceil(random() * 60_000)
    const number = 1 + Math.floor(random() * 5)
    const at = forge.now().toISOString()
    const isFinished = forge.pullRequests.get(`700/${number}`)?.state === 'merged'
    const url = `https://github.com/acme/r700/pull/${number}?${Math.floor(random() * 3)}`
    forge.write(
      repository,
      number,
      random() < 0.4 || isFinished ? { state: 'merged', mergedAt: at, closedAt: at, url } : { url },
    )
    const copies = random() < 0.3 ? 0 : random() < 0.3 ? 2 : 1
    for (let copy = 0; copy < copies; copy++)
      await superuser.query(
        `insert into connector_pull_request as p (root_id, organization_id, connector_id, repository_id, number, dirty_since, due_at, marks)
         select root_id, organization_id, id, '700', $2, $3, $3, 1 from connector where id = $1
         on conflict (root_id, connector_id, repository_id, number) do update
           set dirty_since = coalesce(p.dirty_since, $3), due_at = $3, marks = p.marks + 1`,
        [id, number, at],
      )
    forge.beforeRequest = () => {
      const fate = random()
      if (fate < 0.1) throw new ProviderUnavailableError('closed')
      if (fate < 0.15) throw new RateLimitedError(new Date(clock + 60_000))
      if (fate < 0.2) throw new CredentialRejectedError('expired')
    }
    await runRound(sync)
  }
  forge.beforeRequest = () => {}
  clock += HOUR_MS
  if (sweep) clock += DAY_MS
  await runUntilIdle(sync)
  await superuser.query('delete from connector')
  const stored = new Map<unknown, SentEvent>()
  for (const event of events.filter(({ type }) => type === 'pull_request.finalized')) {
    const earlier = stored.get(event.payload['number'])
    if (earlier === undefined || earlier.occurred_at < event.occurred_at)
      stored.set(event.payload['number'], event)
  }
  const finished = [...forge.pullRequests.values()].filter(({ state }) => state !== 'open')
  return {
    sent: [...stored.values()]
      .map(({ payload }) => `${String(payload['url'])} ${String(payload['merged_at'])}`)
      .sort(),
    expected: finished.map(({ url, mergedAt }) => `${url} ${mergedAt}`).sort(),
  }
}

test('with lost and duplicate hooks and failing requests, the store equals the Git provider after one sweep', async () => {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { sent, expected } = await runHistory(seed, true)
    assert.deepEqual(sent, expected, `seed ${seed}`)
  }
})

test('without the sweep, lost hooks are missed', async () => {
  let different = 0
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { sent, expected } = await runHistory(seed, false)
    if (JSON.stringify(sent) !== JSON.stringify(expected)) different += 1
  }
  assert.ok(different > 0)
})

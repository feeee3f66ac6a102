import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, test } from 'node:test'
import { startService } from '../../../../test/call.ts'
import { createAlert } from '../../../../test/connectors/alert.ts'
import { tomorrowNoon } from '../../../../test/connectors/clock.ts'
import { MemoryForge } from '../../../../test/connectors/memory-forge.ts'
import { loadParserCorpus, toSnapshot } from '../../../../test/connectors/parser-corpus.ts'
import {
  connectOrganization,
  createTestSender,
  createTestSync,
  runUntilIdle,
  type SentEvent,
} from '../../../../test/connectors/test-sync.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { describeStall, measureStall } from '../../../../test/security/stall.ts'
import { rootScope } from '../../../access/scope.ts'
import { connect } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import type { ConnectorId } from '../../../ids.ts'
import { DAY_MS, HOUR_MS } from '../../../time.ts'
import {
  CredentialRejectedError,
  NotFoundError,
  ProviderUnavailableError,
  RateLimitedError,
  RepositoryRefusedError,
} from '../git-providers/provider-client.ts'
import { markInventoryDue, markReadersDue } from '../hooks/sql.ts'
import { createThreadParser } from '../parsers/thread/run.ts'
import type { RepositoryRef, ReviewThread } from '../snapshot.ts'
import type { SyncContext } from './context.ts'
import { TooManyItemsError } from './errors.ts'
import { collect } from './inventory.ts'
import { runRound } from './loop.ts'

let forge: MemoryForge
let repository: RepositoryRef
let sent: SentEvent[]
let sync: SyncContext
let connector: { readonly id: ConnectorId; readonly key: string }
let clock: number

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database, limitsOff))
const pool = use(connect({ url: database.urls.worker, name: 'test', connections: 4 }))

beforeEach(async () => {
  clock = tomorrowNoon()
  forge = new MemoryForge(tenant.workspace.organizations[0].orgId, () => new Date(clock))
  repository = forge.addRepository('700')
  forge.addMember('1')
  sent = []
  sync = createTestSync(pool, forge, sent)
  connector = await connectOrganization(service, tenant, 'polling')
})
afterEach(async () => {
  await superuser.query('delete from connector')
  await superuser.query(`update organization set connector_members = '{}'`)
})

const wait = (ms: number) => {
  clock += ms
}
/** Leases follow the clock of the database. */
const ageLeases = async (minutes: number) => {
  for (const table of ['connector', 'connector_repository', 'connector_pull_request'])
    await superuser.query(`update ${table} set lease_until = lease_until - make_interval(mins => $1)`, [
      minutes,
    ])
}
const isFinalized = ({ type }: SentEvent) => type === 'pull_request.finalized'
const merge = (number: number) => {
  const mergedAt = forge.now().toISOString()
  return forge.write(repository, number, {
    state: 'merged',
    mergedAt,
    closedAt: mergedAt,
    mergeSha: 'a'.repeat(40),
  })
}

async function readConnector(): Promise<Record<string, unknown> & { backfill: object }> {
  const { body } = await service.call('/v1/connectors', { key: connector.key })
  const [found] = body.data as unknown as (Record<string, unknown> & { backfill: object })[]
  return found ?? assert.fail('no connector')
}

test('the inventory is sent, earlier pull requests are read, and only finished ones are sent', async () => {
  for (const number of [1, 2, 3, 4, 5, 6, 7]) forge.write(repository, number, {})
  for (const number of [2, 4, 7]) merge(number)
  await runUntilIdle(sync)
  const lists = sent
    .filter(({ type }) => type === 'inventory.changed')
    .flatMap(({ payload }) => Object.keys(payload))
  assert.deepEqual(lists, ['organizations', 'repositories', 'accounts', 'memberships', 'repository_access'])
  assert.deepEqual(
    sent.filter(isFinalized).map(({ payload }) => payload['number']),
    [2, 4, 7],
  )
  const { status, error, repositories, backfill, lag_seconds } = await readConnector()
  assert.deepEqual(
    { status, error, repositories, backfill, lag_seconds },
    {
      status: 'active',
      error: null,
      repositories: 1,
      backfill: { done: 7, total: 7, seconds_left: 0 },
      lag_seconds: 0,
    },
  )
})

test('polls take at most a quarter of the rate limit', async () => {
  await runUntilIdle(sync)
  const setLimit = (points: number) =>
    superuser.query(
      `insert into connector_budget (root_id, organization_id, connector_id, resource, limit_points, calls, busy_ms, refilled_at)
       select root_id, organization_id, id, 'graphql', $2, 1, 1, now() from connector where id = $1
       on conflict (root_id, connector_id, resource) do update set limit_points = excluded.limit_points`,
      [connector.id, points],
    )
  const findInterval = async () => {
    const { rows } = await superuser.query<{ due: Date }>(
      'select poll_due_at as due from connector_repository',
    )
    return (rows[0]?.due.getTime() ?? 0) - clock
  }
  await setLimit(5000)
  wait(60_000)
  await runUntilIdle(sync)
  assert.equal(await findInterval(), 60_000)
  await setLimit(40)
  wait(60_000)
  await runUntilIdle(sync)
  assert.equal(await findInterval(), 6 * 60_000)
})

test('an unchanged pull request is sent once; a state that returns is sent again, with other ids and a later time', async () => {
  merge(1)
  await runUntilIdle(sync)
  for (const url of ['https://github.com/acme/r700/pull/one', forge.pullRequests.get('700/1')?.url ?? '']) {
    wait(2 * 60_000)
    forge.write(repository, 1, { url })
    await runUntilIdle(sync)
    wait(2 * 60_000)
    forge.write(repository, 1, {})
    await runUntilIdle(sync)
  }
  const events = sent.filter(isFinalized)
  assert.equal(events.length, 3)
  assert.deepEqual(events[0]?.payload, events[2]?.payload)
  assert.equal(new Set(events.map(({ id }) => id)).size, 3)
  const times = events.map(({ occurred_at }) => occurred_at)
  assert.deepEqual(times, times.toSorted())
  assert.equal(new Set(times).size, 3)
})

test('two reads in the same millisecond of the provider’s clock have different times', async () => {
  merge(1)
  await runUntilIdle(sync)
  forge.write(repository, 1, { url: 'https://github.com/acme/r700/pull/other' })
  await superuser.query(
    'update connector_pull_request set dirty_since = now(), due_at = now(), marks = marks + 1',
  )
  await runUntilIdle(sync)
  const [first, second] = sent.filter(isFinalized)
  assert.ok(first && second && first.occurred_at < second.occurred_at)
})

test('a mark that is set while its pull request is read leads to another read', async () => {
  merge(1)
  await runUntilIdle(sync)
  wait(2 * 60_000)
  forge.write(repository, 1, { url: 'https://github.com/acme/r700/pull/second' })
  let changes = 0
  const racing = createTestSync(pool, forge, sent, {
    detectOutcomes: async () => {
      if (changes++ > 0) return []
      forge.write(repository, 1, { url: 'https://github.com/acme/r700/pull/third' })
      await superuser.query('update connector_pull_request set marks = marks + 1')
      return []
    },
  })
  await runUntilIdle(racing)
  assert.deepEqual(
    sent.filter(isFinalized).map(({ payload }) => String(payload['url']).split('/').at(-1)),
    ['1', 'second', 'third'],
  )
})

test('what a killed worker had taken is read by another one, and sent with a later time', async () => {
  merge(1)
  const store = createTestSync(pool, forge, sent)
  const killed: SyncContext = {
    ...store,
    sendEvents: async (synced, events) => {
      await store.sendEvents(synced, events)
      if (events.some(({ type }) => type === 'pull_request.finalized')) await new Promise(() => {})
    },
  }
  void runUntilIdle(killed)
  while (sent.filter(isFinalized).length === 0) await new Promise((resolve) => setImmediate(resolve))
  await runUntilIdle(sync)
  assert.equal(sent.filter(isFinalized).length, 1, 'the lease is respected')
  wait(20 * 60_000)
  await runUntilIdle(sync)
  assert.equal(sent.filter(isFinalized).length, 1, 'also by a worker whose clock is ahead')
  await ageLeases(11)
  await runUntilIdle(sync)
  const [first, second] = sent.filter(isFinalized)
  assert.deepEqual(first?.payload, second?.payload)
  assert.ok(first && second && first.occurred_at < second.occurred_at)
})

test('the backfill continues where a killed worker stopped', async () => {
  for (let number = 1; number <= 20; number++) merge(number)
  let pages = 0
  forge.beforeRequest = (name) => {
    if (name === 'created' && ++pages % 2 === 0) throw new ProviderUnavailableError('closed')
  }
  for (let attempt = 0; attempt < 40; attempt++) {
    const worker = createTestSync(pool, forge, sent)
    await runRound(worker)
    wait(16 * 60_000)
  }
  const numbers = sent.filter(isFinalized).map(({ payload }) => Number(payload['number']))
  assert.deepEqual(
    numbers,
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
  assert.deepEqual((await readConnector()).backfill, { done: 20, total: 20, seconds_left: 0 })
})

test('the nightly sweep finds a change that does not touch the time of the update, polling does not', async () => {
  merge(1)
  wait(1000)
  await runUntilIdle(sync)
  const known = forge.pullRequests.get('700/1')
  assert.ok(known)
  wait(2 * 60_000)
  forge.pullRequests.set('700/1', { ...known, url: 'https://github.com/acme/r700/pull/quiet' })
  await runUntilIdle(sync)
  assert.equal(sent.filter(isFinalized).length, 1)
  wait(DAY_MS)
  await runUntilIdle(sync)
  assert.equal(sent.filter(isFinalized).length, 2)
})

test('errors are explained, and a connector recovers without help', async () => {
  const expectations: [Error, RegExp, string][] = [
    [new CredentialRejectedError('no'), /rejects the credential/, 'failing'],
    [
      new RateLimitedError(new Date(clock + HOUR_MS)),
      /rate limit of github\.com is reached until/,
      'pending',
    ],
    [new NotFoundError('no'), /does not show the organization/, 'failing'],
    [new TypeError('secret-text'), /only the operator can see/, 'failing'],
  ]
  for (const [error, words, status] of expectations) {
    await superuser.query(`update connector set status = 'pending', retry_at = null, lease_until = null`)
    forge.beforeRequest = () => {
      throw error
    }
    await runRound(sync)
    const shown = await readConnector()
    assert.match(String(shown['error']), words)
    assert.equal(shown['status'], status)
    const requests = forge.requests.length
    await runRound(sync)
    assert.equal(forge.requests.length, requests, 'it rests')
  }
  forge.beforeRequest = () => {}
  wait(2 * HOUR_MS)
  await runUntilIdle(sync)
  const { status, error } = await readConnector()
  assert.deepEqual([status, error], ['active', null])
})

test('a pull request that fails does not stop others, and its text is not logged', async () => {
  const logged: unknown[] = []
  const log = {
    ...sync.log,
    error: (...values: unknown[]) => logged.push(values),
  } as unknown as SyncContext['log']
  merge(1)
  merge(2)
  const failing = createTestSync(pool, forge, sent, {
    log,
    async parseComments(snapshot, ownBots) {
      if (snapshot.number === 1) throw new Error('text of a comment')
      return sync.parseComments(snapshot, ownBots)
    },
  })
  await runUntilIdle(failing)
  assert.deepEqual(
    sent.filter(isFinalized).map(({ payload }) => payload['number']),
    [2],
  )
  assert.ok(logged.length > 0 && !JSON.stringify(logged).includes('text of a comment'))
  wait(HOUR_MS)
  await runUntilIdle(sync)
  assert.equal(sent.filter(isFinalized).length, 2)
})

const numbersOf = (events: readonly SentEvent[]) =>
  events.filter(isFinalized).map(({ payload }) => payload['number'])

test('a pull request that the Git provider cannot return waits longer each time, and stops nothing else', async () => {
  await runUntilIdle(sync)
  merge(1)
  wait(1000)
  merge(2)
  forge.beforeRequest = (_, target) => {
    if (target === '700/1') throw new ProviderUnavailableError('too large')
  }
  const countReads = async (ms: number) => {
    const attempts = forge.requests.filter((name) => name === 'read').length
    wait(ms)
    await runUntilIdle(sync)
    return forge.requests.filter((name) => name === 'read').length - attempts
  }
  assert.equal(await countReads(HOUR_MS), 2)
  assert.deepEqual(numbersOf(sent), [2])
  const { status, error } = await readConnector()
  assert.deepEqual([status, error], ['active', null])
  // After 1, 2 and 4 minutes.
  const reads: number[] = []
  for (let minute = 1; minute <= 7; minute++) reads.push(await countReads(60_000))
  assert.deepEqual(reads, [1, 0, 1, 0, 0, 0, 1])
  forge.beforeRequest = () => {}
  await countReads(HOUR_MS)
  assert.deepEqual(numbersOf(sent), [2, 1])
})

test('a pull request whose read ends its worker five times rests for a day, and the others are read', async () => {
  await runUntilIdle(sync)
  merge(1)
  const countReads = () => forge.requests.filter((name) => name === 'read').length
  wait(HOUR_MS)
  for (let attempt = 1; attempt <= 5; attempt++) {
    const earlier = countReads()
    void runUntilIdle(createTestSync(pool, forge, sent, { parseComments: () => new Promise(() => {}) }))
    while (countReads() === earlier) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(countReads(), earlier + 1)
    await ageLeases(11)
  }
  merge(2)
  wait(HOUR_MS)
  await runUntilIdle(sync)
  assert.deepEqual(numbersOf(sent), [2])
  wait(DAY_MS)
  await runUntilIdle(sync)
  assert.deepEqual(numbersOf(sent), [2, 1])
  const { rows } = await superuser.query<{ failures: number }>('select failures from connector_pull_request')
  assert.deepEqual(rows, [{ failures: 0 }, { failures: 0 }])
})

test('a pull request that failed before is read after the others', async () => {
  await runUntilIdle(sync)
  merge(1)
  merge(2)
  wait(HOUR_MS)
  await runUntilIdle(sync)
  assert.deepEqual(numbersOf(sent), [1, 2])
  await superuser.query(
    `update connector_pull_request set dirty_since = $1, due_at = $1, digest = null, failures = (number = 1)::int`,
    [sync.now()],
  )
  await runUntilIdle(sync)
  assert.deepEqual(numbersOf(sent), [1, 2, 2, 1])
})

test('long comments of strangers do not block the worker, and those that are left out are shown', async () => {
  const [template] = toSnapshot({ bot: 'codex', location: 'comment', body: '' }).comments
  assert.ok(template)
  const user = { id: '99', login: 'stranger', isBot: false }
  const comments = Array.from({ length: 40 }, (_, index) => ({
    ...template,
    id: String(index),
    user,
    body: 'a\n\n'.repeat(21_845),
  }))
  await runUntilIdle(sync)
  forge.write(repository, 1, { comments, omittedComments: 3 })
  wait(HOUR_MS)
  const patient = createTestSync(pool, forge, sent, { parseComments: createThreadParser(120_000) })
  const stall = await measureStall(() => runUntilIdle(patient))
  assert.ok(stall.tookMs > 500, describeStall(stall))
  assert.ok(stall.longestMs < stall.tookMs / 3, describeStall(stall))
  assert.match(String((await readConnector())['error']), /not read, or not whole: 3\./)
  forge.write(repository, 1, { comments: [], omittedComments: 0 })
  wait(HOUR_MS)
  await runUntilIdle(sync)
  assert.equal((await readConnector())['error'], null)
})

test('a finding whose comment is deleted before the merge counts as unknown, and one that is posted again counts once', async () => {
  const corpus = loadParserCorpus()
  const toThread = (bot: string, number: number): ReviewThread => {
    const item = corpus.find((one) => one.bot === bot && one.location === 'thread')
    const [thread] = toSnapshot(item ?? assert.fail(bot)).threads
    const [comment] = thread?.comments ?? []
    assert.ok(thread && comment)
    const url = `https://github.com/acme/r700/pull/1#discussion_r${number}`
    const lines = { originalStartLine: number, originalEndLine: number }
    return {
      ...thread,
      ...lines,
      id: `thread-${number}`,
      comments: [{ ...comment, id: String(number), url }],
    }
  }
  const decided = createTestSync(pool, forge, sent, {
    detectOutcomes: async (_, __, ___, { findings }) =>
      findings.map(({ id: findingId }) => {
        return { findingId, accepted: true, source: 'detector', rule: 'evidence', evidence: [] }
      }),
  })
  const runLater = async () => {
    wait(HOUR_MS)
    await runUntilIdle(decided)
  }
  await runLater()
  forge.write(repository, 1, {
    threads: [toThread('codex', 1), toThread('gemini', 2), toThread('bugbot', 3)],
  })
  await runLater()
  forge.write(repository, 1, { threads: [toThread('gemini', 40), toThread('bugbot', 3)] })
  await runLater()
  merge(1)
  await runLater()
  await runLater()
  type Finding = { readonly id: string; readonly url: string; readonly reviewer: string }
  const [finalized, ...others] = sent.filter(isFinalized)
  assert.deepEqual(others, [], 'what it says does not change')
  const findings = (finalized?.payload['findings'] ?? []) as readonly Finding[]
  assert.deepEqual(findings.map(({ reviewer, url }) => `${reviewer} ${url.split('_r')[1]}`).toSorted(), [
    'bugbot 3',
    'codex 1',
    'gemini 40',
  ])
  const reviewers = (finalized?.payload['reviewers'] ?? []) as readonly string[]
  assert.deepEqual(reviewers.toSorted(), ['bugbot', 'codex', 'gemini'])
  const outcomes = sent.filter(({ type }) => type === 'finding.outcome')
  assert.deepEqual(
    new Set(outcomes.map(({ payload }) => payload['finding_id'])),
    new Set(findings.filter(({ reviewer }) => reviewer !== 'codex').map(({ id }) => id)),
  )
})

test('comments that take too long to parse fail that pull request only', async () => {
  await runUntilIdle(sync)
  const [template] = toSnapshot({ bot: 'codex', location: 'comment', body: '' }).comments
  assert.ok(template)
  const comments = [{ ...template, user: forge.addMember('2'), body: 'a\n\n'.repeat(300_000) }]
  forge.write(repository, 1, { comments })
  merge(1)
  merge(2)
  wait(HOUR_MS)
  const parse = createThreadParser(1)
  await runUntilIdle(
    createTestSync(pool, forge, sent, {
      parseComments: (snapshot, ownBots) =>
        snapshot.number === 1 ? parse(snapshot, ownBots) : sync.parseComments(snapshot, ownBots),
    }),
  )
  assert.deepEqual(numbersOf(sent), [2])
  assert.equal((await readConnector())['error'], null)
})

test('an outage of the Git provider is not counted against a pull request', async () => {
  await runUntilIdle(sync)
  merge(1)
  wait(HOUR_MS - 60_000)
  await runUntilIdle(createTestSync(pool, forge, sent, { sendEvents: () => Promise.resolve() }))
  forge.write(repository, 1, { url: 'https://github.com/acme/r700/pull/one' })
  wait(60_000)
  forge.beforeRequest = (name) => {
    if (name === 'read' || name === 'connection') throw new ProviderUnavailableError('closed')
  }
  for (let round = 0; round < 20; round++) {
    await runRound(sync)
    wait(60_000)
  }
  assert.match(String((await readConnector())['error']), /cannot be reached/)
  forge.beforeRequest = () => {}
  wait(16 * 60_000)
  await runUntilIdle(sync)
  assert.deepEqual(numbersOf(sent), [1])
})

test('a task of a repository that fails stops neither its other tasks nor other repositories', async () => {
  const other = forge.addRepository('701')
  for (const one of [repository, other])
    forge.write(one, 1, { state: 'closed', closedAt: forge.now().toISOString() })
  const failures: [string, Error][] = [
    ['updated', new ProviderUnavailableError('too large')],
    ['updated', new RepositoryRefusedError('off')],
    ['access', new TypeError('a defect')],
    ['alerts', new ProviderUnavailableError('closed')],
    ['created', new ProviderUnavailableError('closed')],
  ]
  for (const [failing, error] of failures) {
    await superuser.query('delete from connector')
    connector = await connectOrganization(service, tenant, 'polling')
    sent.length = 0
    const done = new Set<string>()
    forge.beforeRequest = (name, target) => {
      if (name === failing && target === '700') throw error
      if (target !== '') done.add(`${name} ${target}`)
    }
    for (let round = 0; round < 3; round++) {
      await runUntilIdle(sync)
      wait(HOUR_MS / 2)
    }
    const expected = ['updated', 'access', 'alerts', 'created'].flatMap((name) => [
      `${name} 700`,
      `${name} 701`,
    ])
    const found = expected.filter((task) => done.has(task))
    assert.deepEqual(
      found,
      expected.filter((task) => task !== `${failing} 700`),
      failing,
    )
    const shown = await readConnector()
    assert.notEqual(shown['status'], 'failing')
    if (error instanceof RepositoryRefusedError) assert.match(String(shown['error']), /some projects/)
    else assert.equal(shown['error'], null)
  }
})

test('while the event queue is unavailable, nothing is counted against pull requests and the backfill waits', async () => {
  for (const number of [1, 2, 3, 4]) merge(number)
  let isAvailable = true
  const queued = createTestSync(pool, forge, sent, {
    sendEvents: createTestSender(sent, forge.now, () => {
      if (!isAvailable) refuse('OVERLOADED', 'The event queue is full or unavailable.')
    }),
  })
  // The inventory is sent first.
  await runRound(queued)
  isAvailable = false
  for (let minute = 0; minute < 30; minute++) {
    await runRound(queued)
    wait(60_000)
  }
  const { error, backfill } = await readConnector()
  assert.match(String(error), /event queue/)
  assert.deepEqual((backfill as { done: number }).done, 0)
  isAvailable = true
  wait(60_000)
  await runUntilIdle(queued)
  assert.deepEqual(numbersOf(sent), [1, 2, 3, 4])
  assert.deepEqual((await readConnector())['error'], null)
})

test('a pull request is reported although the Git provider rejects a write, which is retried', async () => {
  merge(1)
  await runUntilIdle(sync)
  sent.length = 0
  wait(HOUR_MS)
  forge.write(repository, 1, { url: 'https://github.com/acme/r700/pull/one' })
  let attempts = 0
  const writing = createTestSync(pool, forge, sent, {
    writeBack: async () => {
      if (++attempts < 3) throw new ProviderUnavailableError('POST failed')
    },
  })
  await runUntilIdle(writing)
  assert.deepEqual([numbersOf(sent), attempts], [[1], 1])
  for (let round = 0; round < 5; round++) {
    wait(20 * 60_000)
    await runUntilIdle(writing)
  }
  assert.deepEqual([numbersOf(sent), attempts], [[1], 3])
})

test('a repository that is gone rests, and the others are read', async () => {
  const other = forge.addRepository('701')
  await runUntilIdle(sync)
  forge.repositories.delete('700')
  forge.beforeRequest = (name) => {
    if (name === 'updated' && forge.requests.length % 2 === 0) throw new NotFoundError('gone')
  }
  wait(2 * HOUR_MS)
  forge.write(other, 1, { state: 'closed', closedAt: forge.now().toISOString() })
  for (let round = 0; round < 5; round++) {
    await runUntilIdle(sync)
    wait(2 * HOUR_MS)
  }
  assert.equal(sent.filter(isFinalized).length, 1)
  const gone = sent.findLast(({ payload }) => 'repositories' in payload)?.payload['repositories'] as {
    id: string
    active: boolean
  }[]
  assert.deepEqual(
    gone.map(({ id, active }) => [id, active]),
    [
      ['701', true],
      ['700', false],
    ],
  )
})

test('an organization with more members than a worker may hold is reported as failing', async () => {
  async function* count(to: number) {
    for (let number = 0; number < to; number++) yield number
  }
  assert.equal((await collect(count(3), 3)).length, 3)
  await assert.rejects(collect(count(4), 3), TooManyItemsError)
  forge.beforeRequest = (name) => {
    if (name === 'members') throw new TooManyItemsError()
  }
  await runRound(sync)
  const { status, error } = await readConnector()
  assert.equal(status, 'failing')
  assert.match(String(error), /more than 100,000 repositories or members/)
})

test('a pull request of a repository that left does not stop others, and is read when it returns', async () => {
  const other = forge.addRepository('701')
  await runUntilIdle(sync)
  wait(HOUR_MS)
  const at = forge.now().toISOString()
  forge.write(repository, 1, { state: 'merged', mergedAt: at, closedAt: at })
  wait(1000)
  forge.write(other, 2, { state: 'merged', mergedAt: at, closedAt: at })
  forge.beforeRequest = (name) => {
    // The first of the two is read first.
    if (name !== 'read' || !forge.repositories.delete('700')) return
    throw new NotFoundError('gone')
  }
  await runUntilIdle(sync)
  const numbers = () => sent.filter(isFinalized).map(({ payload }) => payload['number'])
  assert.deepEqual(numbers(), [2])
  wait(2 * HOUR_MS)
  await runUntilIdle(sync)
  assert.deepEqual(numbers(), [2])
  forge.repositories.set('700', repository)
  forge.beforeRequest = () => {}
  wait(2 * HOUR_MS)
  await runUntilIdle(sync)
  assert.deepEqual(numbers(), [2, 1])
})

test('a credential of another organization reports nothing', async () => {
  const foreign = new MemoryForge('another', () => new Date(clock))
  foreign.addRepository('1')
  await runUntilIdle(createTestSync(pool, foreign, sent))
  assert.deepEqual(sent, [])
  assert.match(String((await readConnector())['error']), /another organization/)
})

function listMemberships() {
  const memberships = sent.flatMap(
    ({ payload }) => (payload['memberships'] ?? []) as { account_id: string; active: boolean }[],
  )
  return memberships.map(({ account_id, active }) => [account_id, active])
}

test('members who left are reported, others stay', async () => {
  forge.addMember('2')
  await runUntilIdle(sync)
  forge.members.delete('2')
  wait(2 * HOUR_MS)
  await runUntilIdle(sync)
  assert.deepEqual(listMemberships(), [
    ['1', true],
    ['2', true],
    ['1', true],
    ['2', false],
  ])
})

test('members who left while the organization had no connector are reported by the next one', async () => {
  forge.addMember('2')
  await runUntilIdle(sync)
  const { status } = await service.call(`/v1/connectors/${connector.id}`, {
    method: 'DELETE',
    key: connector.key,
  })
  assert.equal(status, 204)
  forge.members.delete('2')
  sent.length = 0
  await connectOrganization(service, tenant, 'polling')
  await runUntilIdle(sync)
  assert.deepEqual(listMemberships(), [
    ['1', true],
    ['2', false],
  ])
})

test('a reader that the provider lists again and again is held and reported once', async () => {
  const client = forge.createClient()
  const createClient = () => ({
    ...client,
    async *listAccess(ref: RepositoryRef) {
      for (let time = 0; time < 1000; time++) yield* client.listAccess(ref)
    },
  })
  await runUntilIdle({ ...sync, createClient })
  const reported = sent.flatMap(({ payload }) => payload['repository_access'] ?? [])
  assert.equal((reported as object[]).length, 1)
})

test('what a hook reports while it is read leads to another read of members and readers', async () => {
  const scope = rootScope(tenant.workspace.root)
  const count = (name: string) => forge.requests.filter((request) => request === name).length
  let [members, access] = [0, 0]
  forge.beforeRequest = async (name) => {
    if (name === 'members' && members++ === 0)
      await inTransaction(pool, scope, (tx) => markInventoryDue(scope, tx, connector.id, forge.now()))
    if (name === 'access' && access++ === 0)
      await inTransaction(pool, scope, (tx) => markReadersDue(scope, tx, connector.id, null, forge.now()))
  }
  await runUntilIdle(sync)
  assert.deepEqual([count('members'), count('access')], [2, 2])
  wait(HOUR_MS)
  await runUntilIdle(sync)
  assert.deepEqual([count('members'), count('access')], [3, 2])
})

test('a worker whose lease was taken by another one reports nothing', async () => {
  const takeOver = (table: string) =>
    superuser.query(`update ${table} set lease_owner = $1 where lease_owner is not null`, [randomUUID()])
  forge.beforeRequest = async (name) => {
    if (name === 'members') await takeOver('connector')
  }
  await runRound(sync)
  assert.deepEqual(sent, [])
  forge.beforeRequest = () => {}
  await ageLeases(11)
  await runRound(sync)
  assert.ok(sent.length > 0)
  sent.length = 0
  forge.alerts.set('700', [createAlert(1)])
  forge.beforeRequest = async (name) => {
    if (name === 'access' || name === 'alerts') await takeOver('connector_repository')
  }
  for (let round = 0; round < 5; round++) {
    await runRound(sync)
    await superuser.query('update connector_repository set lease_until = null')
  }
  assert.deepEqual(sent, [])
  forge.beforeRequest = () => {}
  wait(11 * 60_000)
  await ageLeases(11)
  await runUntilIdle(sync)
  assert.deepEqual(
    new Set(sent.map(({ type }) => type)),
    new Set(['inventory.changed', 'security_scan.completed']),
  )
})

test('a page of the backfill that takes long is not taken by another worker', async () => {
  for (const number of [1, 2, 3]) merge(number)
  const other = createTestSync(pool, forge, sent)
  const pages = () => forge.requests.filter((name) => name === 'created').length
  let detected = 0
  const slow = createTestSync(pool, forge, sent, {
    detectOutcomes: async () => {
      wait(6 * 60_000)
      await ageLeases(6)
      if (++detected === 3) await runRound(other)
      return []
    },
  })
  await runRound(slow)
  await runRound(slow)
  assert.deepEqual([detected, pages()], [3, 1])
})

test('a custom bot is read under its name, and nothing that it does counts as a person’s [P14-connectors-1]', async () => {
  await superuser.query('delete from connector')
  const account = forge.addMember('2')
  forge.permissions.set('2', 'write')
  const [thread] = toSnapshot({ bot: 'codex', location: 'thread', body: '**High** Await the insert' }).threads
  const [finding] = thread?.comments ?? []
  assert.ok(thread && finding)
  const reply = { ...finding, id: '1002', user: account, body: '/scholiast remember Always await inserts.' }
  const at = forge.now().toISOString()
  const approval = {
    id: '2001',
    url: finding.url,
    user: account,
    body: '',
    commit: 'd'.repeat(40),
    submittedAt: at,
  }
  forge.write(repository, 1, {
    threads: [{ ...thread, comments: [{ ...finding, user: account }, reply] }],
    reviews: [{ ...approval, state: 'approved' }],
  })
  merge(1)
  const readWith = async (bots: readonly object[]) => {
    await connectOrganization(service, tenant, 'polling', { bots })
    sent.length = 0
    await runUntilIdle(sync)
    await superuser.query('delete from connector')
    const payload = sent.find(isFinalized)?.payload ?? assert.fail('nothing was sent')
    return {
      findings: (payload['findings'] as { reviewer: string; severity: string }[]).map(
        ({ reviewer, severity }) => [reviewer, severity],
      ),
      reviewers: payload['reviewers'] ?? [],
      isReviewedByPerson: payload['first_human_review_at'] !== null,
      proposals: sent.filter(({ type }) => type === 'learning.proposed').length,
      members: sent.flatMap((one) => (one.payload['accounts'] ?? []) as object[]).length,
    }
  }
  assert.deepEqual(await readWith([{ account_id: '2', reviewer: 'acme-review' }]), {
    findings: [['acme-review', 'major']],
    reviewers: ['acme-review'],
    isReviewedByPerson: false,
    proposals: 0,
    members: 1,
  })
  assert.deepEqual(await readWith([]), {
    findings: [],
    reviewers: [],
    isReviewedByPerson: true,
    proposals: 1,
    members: 2,
  })
})

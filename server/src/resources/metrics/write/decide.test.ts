import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { deliveryArbitrary, expectPullRequests } from '../../../../test/metrics/review-histories.ts'
import { createEventGenerator } from '../../../../test/pull-requests.ts'
import type { OrganizationId } from '../../../ids.ts'
import { toKeyString } from '../../../metrics-store/write/pull-request-sql.ts'
import type { ChangeRow } from '../review-comments/sql.ts'
import {
  countPositions,
  groupByPullRequest,
  type PullRequestGroup,
  planWrites,
  type ReviewWritePlan,
  toRepositoryKey,
  type WrittenRow,
} from './decide.ts'
import type { Evidence } from './finding-details.ts'
import type { OutcomeSource, SourceOutcome } from './outcome.ts'
import { parseDetails, parseFindings, type StoredFinding } from './pull-request.ts'
import type { FinalizedEvent, OutcomeEvent, ReviewEvent } from './review-payload.ts'
import type { OutcomeRow } from './sql.ts'

const hosted = { provider: 'github', host: 'github.com' }
const organizations = [
  { ...hosted, id: '1', name: 'One' },
  { ...hosted, id: '2', name: 'Two' },
] as const
const uuids = new Map(organizations.map(({ id }) => [id as string, randomUUID() as string as OrganizationId]))

function getUuid(id: string): OrganizationId {
  return uuids.get(id) ?? assert.fail('an unknown organization')
}

/** A store in memory, in which each batch is decided on what the batches before it have left. */
function createMemory() {
  const rows = new Map<string, WrittenRow>()
  const history: OutcomeRow[] = []
  const changes: ChangeRow[] = []
  let position = 0

  function know(groups: readonly PullRequestGroup[]) {
    const currentOutcomes = new Map<string, Map<string, Map<OutcomeSource, SourceOutcome>>>()
    for (const outcome of history) {
      const findings =
        currentOutcomes.get(toKeyString(outcome)) ?? new Map<string, Map<OutcomeSource, SourceOutcome>>()
      currentOutcomes.set(toKeyString(outcome), findings)
      const sources = findings.get(outcome.finding_id) ?? new Map<OutcomeSource, SourceOutcome>()
      findings.set(outcome.finding_id, sources)
      const present = sources.get(outcome.source)
      const later =
        present === undefined || `${outcome.at} ${outcome.event_id}` > `${present.at} ${present.event_id}`
      const evidence = JSON.parse(outcome.evidence ?? '[]') as Evidence[]
      if (later) sources.set(outcome.source, { ...outcome, evidence })
    }
    const isKnown = (group: PullRequestGroup, id: string, finding: string) =>
      history.some(
        (row) => toKeyString(row) === group.keyString && row.event_id === id && row.finding_id === finding,
      )
    const events = groups.flatMap((group) =>
      group.outcomes.flatMap(({ event }) =>
        isKnown(group, event.id, event.payload.finding_id) ? [event] : [],
      ),
    )
    return { rows, currentOutcomes, duplicates: new Set(events) }
  }

  function store(
    events: readonly ReviewEvent[],
    allowed: readonly OrganizationId[] | null = null,
  ): ReviewWritePlan {
    const resolved = events.map((event) => {
      const { organization } = event.payload
      const found = {
        ...organization,
        name: 'Inventory',
        organization_id: getUuid(organization.id),
        instance_id: null,
      }
      return { event, organization: found }
    })
    const groups = groupByPullRequest(resolved)
    const plan = planWrites(groups, know(groups), {
      basePosition: position,
      organizations: allowed,
      repositoryNames: new Map([[toRepositoryKey(getUuid('1'), 'r'), 'In the inventory']]),
    })
    const positions = [...plan.created, ...plan.changed, ...plan.changes].map((row) => row.position)
    position += countPositions(groups)
    assert.ok(positions.every((taken) => taken <= position))
    for (const row of plan.created) assert.ok(!rows.has(toKeyString(row)))
    for (const row of plan.changed) assert.ok(rows.has(toKeyString(row)))
    for (const row of [...plan.created, ...plan.changed]) rows.set(toKeyString(row), row)
    history.push(...plan.outcomes)
    changes.push(...plan.changes)
    return plan
  }

  return { rows, history, changes, store }
}

type Memory = ReturnType<typeof createMemory>

interface CopiedPullRequest {
  readonly url: string
  readonly day: string
  readonly outcomes: Map<string, boolean | null>
}

/** Keeps a copy by the change feed alone, as a caller of one organization, or of all of them, would. */
function createFollower({ rows, changes }: Memory, organization: OrganizationId | null, countedFrom = '') {
  const copy = new Map<string, CopiedPullRequest>()
  let last = 0
  const isSeen = (row: { organization_id: string; position: number }) =>
    row.position > last && (organization === null || row.organization_id === organization)

  function follow(): void {
    const written = [...rows.values()].filter((row) => isEntry(row) && isSeen(row))
    const news = changes.filter(isSeen)
    const inOrder = [...written, ...news].sort((a, b) => a.position - b.position)
    for (const item of inOrder) {
      if ('findings' in item) copy.set(toKeyString(item), toCopy(item))
      else apply(toKeyString(item), JSON.parse(item.entry) as PublishedChange)
      last = item.position
    }
  }

  function apply(key: string, { kind, finding_id, accepted }: PublishedChange): void {
    if (kind === 'removed') copy.delete(key)
    else copy.get(key)?.outcomes.set(finding_id, accepted)
  }

  const isEntry = (row: WrittenRow) => row.entry !== null && row.day >= countedFrom
  const toCopy = ({ url, day, findings }: WrittenRow) => {
    return { url, day, outcomes: toOutcomes(parseFindings(findings)) }
  }
  const visible = () =>
    [...rows.values()]
      .filter((row) => isEntry(row) && (organization === null || row.organization_id === organization))
      .map((row) => [toKeyString(row), toCopy(row)] as const)
  return { follow, copy, visible: () => new Map(visible()) }
}

interface PublishedChange {
  readonly position: number
  readonly kind: 'outcome' | 'removed'
  readonly pr_url: string
  readonly finding_id: string
  readonly accepted: boolean | null
}

function toOutcomes(findings: readonly StoredFinding[]): Map<string, boolean | null> {
  return new Map(findings.map(({ finding_id, accepted }) => [finding_id, accepted]))
}

test('the final state does not depend on the order, repetition or batching of events', () => {
  fc.assert(
    fc.property(deliveryArbitrary(organizations), (batches) => {
      const memory = createMemory()
      for (const batch of batches) memory.store(batch)
      const stored = [...memory.rows.values()].map((row) => {
        const { event_id, provider_organization_id, status, day } = row
        assert.equal(row.organization_id, getUuid(provider_organization_id))
        const entry: unknown = row.entry === null ? null : JSON.parse(row.entry)
        const findings: unknown = JSON.parse(row.findings)
        const review: unknown = JSON.parse(row.review)
        const expected = { event_id, provider_organization_id, status, day, findings, entry, review }
        return [row.number, expected] as const
      })
      assert.deepEqual(new Map(stored), expectPullRequests(batches.flat()))
      const outcomes = batches.flat().filter(({ type }) => type === 'finding.outcome')
      assert.equal(memory.history.length, new Set(outcomes).size)
    }),
    { numRuns: 2000 },
  )
})

test('a copy that applies all changes is exact for every reader', () => {
  fc.assert(
    fc.property(deliveryArbitrary(organizations), fc.infiniteStream(fc.boolean()), (batches, polls) => {
      const memory = createMemory()
      const followers = [null, ...uuids.values()].map((organization) => createFollower(memory, organization))
      followers.push(createFollower(memory, null, '2025-06-01'))
      for (const batch of batches) {
        memory.store(batch)
        for (const { follow, copy, visible } of followers) {
          if (polls.next().value !== true) continue
          follow()
          assert.deepEqual(copy, visible())
        }
      }
    }),
    { numRuns: 2000 },
  )
})

test('positions are unique and increase', () => {
  fc.assert(
    fc.property(deliveryArbitrary(organizations), (batches) => {
      const memory = createMemory()
      let last = 0
      for (const batch of batches) {
        const rowsBefore = new Map(memory.rows)
        const { created, changed, changes } = memory.store(batch)
        const moved = changed.filter((row) => row.position !== rowsBefore.get(toKeyString(row))?.position)
        const positions = [...created, ...moved, ...changes]
          .map(({ position }) => position)
          .sort((a, b) => a - b)
        assert.equal(new Set(positions).size, positions.length)
        assert.ok(positions.every((taken) => taken > last))
        last = positions.at(-1) ?? last
        for (const { position, entry } of changes)
          assert.equal((JSON.parse(entry) as PublishedChange).position, position)
      }
    }),
  )
})

const reviewer = createEventGenerator({ end: new Date('2026-06-01T00:00:00Z') })
const [one, two] = organizations
const toWorkplace = (organization: (typeof organizations)[number]) => ({
  ...hosted,
  organization: { id: organization.id, name: organization.name },
  repositories: [{ id: 'r', name: 'repository' }],
  authors: [],
})

/** A pull request of organization one with two findings, stored. */
function storePullRequest(fields: Partial<FinalizedEvent['payload']> = {}) {
  const memory = createMemory()
  const [f, g] = reviewer
    .finalized(toWorkplace(one))
    .payload.findings.concat(reviewer.finalized(toWorkplace(one)).payload.findings)
  assert.ok(f && g)
  const event = reviewer.finalized(toWorkplace(one), { findings: [f, g], ...fields })
  memory.store([event])
  const row = () => memory.rows.values().next().value ?? assert.fail('nothing is stored')
  const later = (minutes: number) => new Date(Date.parse(event.occurred_at) + minutes * 60_000).toISOString()
  const again = (minutes: number, changed: Partial<FinalizedEvent['payload']> = {}) =>
    reviewer.finalized(toWorkplace(one), { ...event.payload, ...changed, occurred_at: later(minutes) })
  const outcome = (
    minutes: number,
    accepted: boolean | null,
    finding_id = f.id,
    reason: Partial<OutcomeEvent['payload']> = {},
  ) =>
    reviewer.outcome(event, {
      occurred_at: later(minutes),
      accepted,
      finding_id,
      source: 'detector',
      ...reason,
    })
  return { memory, event, row, again, outcome, findings: [f, g] as const }
}

function parseChanges({ changes }: ReviewWritePlan): PublishedChange[] {
  return changes.map(({ entry }) => JSON.parse(entry) as PublishedChange)
}

test('an outcome updates entry and findings in place and is a change with its own position', () => {
  const { memory, row, outcome, findings, event } = storePullRequest()
  const before = row()
  const plan = memory.store([outcome(1, true)])
  assert.deepEqual(
    { ...row(), findings: null, details: null, entry: null, review: null, tally: null },
    { ...before, findings: null, details: null, entry: null, review: null, tally: null },
    'nothing else is touched',
  )
  assert.match(row().review, /"total":\{"posted":2,"accepted":1\}/)
  assert.match(row().entry ?? '', /"accepted":true.*"accepted":null/)
  const { position, ...change } = parseChanges(plan)[0] ?? assert.fail('no change was recorded')
  assert.ok(position > before.position)
  assert.deepEqual(change, {
    kind: 'outcome',
    pr_url: event.payload.url,
    organization_id: one.id,
    repository_id: 'r',
    finding_id: findings[0].id,
    accepted: true,
    at: plan.outcomes[0]?.at,
  })
})

test('an outcome that changes nothing is stored but is not a change', () => {
  const { memory, outcome } = storePullRequest()
  const countWrites = (event: ReviewEvent) => {
    const { changed, changes, outcomes } = memory.store([event])
    return [changed.length, changes.length, outcomes.length]
  }
  assert.deepEqual(countWrites(outcome(1, null)), [0, 0, 1], 'unknown, as it was')
  assert.deepEqual(countWrites(outcome(3, true)), [1, 1, 1])
  assert.deepEqual(countWrites(outcome(4, true)), [0, 0, 1], 'the same again')
  assert.deepEqual(countWrites(outcome(2, false)), [0, 0, 1], 'older than the one in force')
  assert.deepEqual(countWrites(outcome(9, true, 'unheard of')), [0, 0, 1], 'of a finding nobody knows')
  assert.deepEqual(
    countWrites({ ...outcome(9, false), payload: { ...outcome(9, false).payload, number: 77 } }),
    [0, 0, 1],
  )
})

test('an outcome with a stored event id is ignored, even with different content', () => {
  const { memory, outcome } = storePullRequest()
  const first = outcome(1, true)
  memory.store([first])
  const { changed, changes, outcomes } = memory.store([{ ...outcome(5, false), id: first.id }])
  assert.deepEqual([changed, changes, outcomes], [[], [], []])
})

test('several outcomes of a finding in a batch are all stored but are one change', () => {
  const { memory, outcome } = storePullRequest()
  const plan = memory.store([outcome(3, null), outcome(1, true), outcome(2, false)])
  assert.deepEqual(
    plan.outcomes.map(({ accepted_before, accepted }) => [accepted_before, accepted]),
    [
      [null, true],
      [true, false],
      [false, null],
    ],
  )
  assert.equal(plan.changes.length, 0, 'null it was and null it is')
})

test('a duplicate event, the same time or an earlier time does not rewrite a pull request', () => {
  const { memory, event, again } = storePullRequest()
  for (const repeated of [event, again(0), again(-1)]) {
    const { changed, changes } = memory.store([repeated])
    assert.deepEqual([changed, changes], [[], []])
  }
  // bus/queue/event-ids.ts leaves out reused ids for 30 days; after that the time decides.
  assert.equal(memory.store([{ ...again(1), id: event.id }]).changed.length, 1)
  const twins = [again(5, { url: 'https://x.example.com/1' }), again(5, { url: 'https://x.example.com/2' })]
  memory.store(twins)
  assert.equal(memory.rows.values().next().value?.url, 'https://x.example.com/1', 'the first of equals')
})

test('a rewritten pull request moves to the end with the outcomes of its findings, including earlier removed ones', () => {
  const { memory, row, again, outcome, findings, event } = storePullRequest()
  memory.store([outcome(1, true)])
  memory.store([again(2, { findings: [findings[1]] })])
  const { changes } = memory.store([outcome(3, false)])
  assert.deepEqual(changes, [], 'nobody sees it')
  const before = row().position
  const plan = memory.store([again(4, { merged_at: '2025-03-01T00:00:00.000Z' })])
  assert.ok(row().position > before)
  assert.equal(row().day, '2025-03-01')
  assert.notEqual(row().day, event.payload.merged_at?.slice(0, 10))
  assert.deepEqual(
    parseChanges(plan).map(({ kind }) => kind),
    ['removed'],
    'of another day',
  )
  assert.equal(toOutcomes(parseFindings(row().findings)).get(findings[0].id), false)
})

test('a closed pull request or one without findings has no entry; a previous entry is reported as removed', () => {
  for (const gone of [{ status: 'closed' as const }, { findings: [] }]) {
    const { memory, row, again, event } = storePullRequest()
    const plan = memory.store([again(1, gone)])
    assert.equal(row().entry, null)
    const { position, ...change } = parseChanges(plan)[0] ?? assert.fail('no change was recorded')
    assert.ok(position < row().position)
    const { url } = event.payload
    const at = row().event_at
    assert.deepEqual(change, { kind: 'removed', pr_url: url, organization_id: '1', repository_id: 'r', at })
    assert.deepEqual(memory.store([again(2, gone)]).changes, [], 'once')
    assert.deepEqual(memory.store([again(3)]).changes, [], 'and it comes back as it first came')
  }
})

test('outcomes update the findings of a closed pull request without a change', () => {
  const { memory, row, outcome, findings } = storePullRequest({ status: 'closed', merged_at: null })
  assert.deepEqual(memory.store([outcome(1, true)]).changes, [])
  assert.equal(toOutcomes(parseFindings(row().findings)).get(findings[0].id), true)
})

test('a transferred pull request is removed from the old organization and written in the new one', () => {
  const { memory, row, again } = storePullRequest()
  const plan = memory.store([again(1, { organization: two })])
  assert.deepEqual([row().organization_id, plan.changes[0]?.organization_id], [getUuid('2'), getUuid('1')])
  assert.equal(parseChanges(plan)[0]?.kind, 'removed')
})

test('a credential of other organizations changes nothing, and an outdated event is not an error', () => {
  const { memory, row, again, outcome, event } = storePullRequest()
  const before = row()
  const allowed = [getUuid('2')]
  const refused = [again(1, { organization: two }), outcome(1, true)]
  assert.deepEqual(memory.store(refused, allowed).refused, refused)
  assert.deepEqual(memory.store([event, again(-1)], allowed).refused, [])
  assert.deepEqual([row(), memory.history], [before, []])
})

test('the day is the merge day, else the close day, else the day of the event', () => {
  const dayOf = (fields: Partial<FinalizedEvent['payload']>) => {
    const { row } = storePullRequest(fields)
    return [row().day, row().merged_at]
  }
  const merged_at = '2025-02-03T23:59:59.999Z'
  const closed_at = '2025-02-04T00:00:00.000Z'
  assert.deepEqual(dayOf({ merged_at, closed_at }), ['2025-02-03', merged_at])
  assert.deepEqual(dayOf({ status: 'closed', merged_at, closed_at }), ['2025-02-04', null])
  const { event, row } = storePullRequest({ merged_at: null, closed_at: null })
  assert.deepEqual([row().day, row().merged_at], [event.occurred_at.slice(0, 10), null])
})

test('a time later than the event is cut to it', () => {
  const later = '2027-01-01T00:00:00.000Z'
  for (const status of ['merged', 'closed'] as const) {
    const { row, event } = storePullRequest({ status, merged_at: later, closed_at: later })
    const { merged_at, closed_at, day } = row()
    const cut = event.occurred_at
    assert.deepEqual([merged_at, closed_at, day], [status === 'merged' ? cut : null, cut, cut.slice(0, 10)])
  }
})

test('a name that is missing in the event comes from the inventory', () => {
  const { row } = storePullRequest({
    organization: { ...hosted, id: '1', name: null },
    repository: { id: 'r', name: null },
  })
  assert.match(row().facts, /"organization_name":"Inventory","repository_name":"In the inventory"/)
  assert.match(
    storePullRequest({ repository: { id: 's', name: null } }).row().facts,
    /"repository_name":null/,
  )
})

test('a person counts before the provider, the provider before a detector, whatever their times [P14-sources-1]', () => {
  const { memory, row, outcome, findings } = storePullRequest()
  const accepted = () => toOutcomes(parseFindings(row().findings)).get(findings[0].id)
  const report = (minutes: number, verdict: boolean | null, source: OutcomeSource) =>
    memory.store([outcome(minutes, verdict, findings[0].id, { source })])
  report(1, true, 'person')
  assert.deepEqual(report(5, false, 'detector').changes, [], 'later, but of a detector')
  report(6, false, 'provider')
  assert.equal(accepted(), true)
  report(2, false, 'person')
  assert.equal(accepted(), false, 'the latest of the person')
  report(7, true, 'detector')
  assert.equal(accepted(), false)
})

test('a withdrawn outcome lets the next source count again, and the change has the time of the withdrawal [P14-sources-1]', () => {
  const { memory, row, outcome, findings } = storePullRequest()
  const report = (minutes: number, verdict: boolean | null, source: OutcomeSource) =>
    memory.store([outcome(minutes, verdict, findings[0].id, { source })])
  report(1, true, 'detector')
  report(2, false, 'person')
  const plan = report(9, null, 'person')
  assert.equal(toOutcomes(parseFindings(row().findings)).get(findings[0].id), true)
  const [change] = plan.changes.map(({ entry }) => JSON.parse(entry) as { accepted: boolean; at: string })
  assert.deepEqual([change?.accepted, change?.at], [true, plan.outcomes[0]?.at])
  assert.equal(parseDetails(row().details).findings?.[0]?.outcome?.source, 'detector')
})

test('location, reviewers and evidence are stored apart from findings and entry, cut to the event [P14-fields-1]', () => {
  const details = { file: 'src/a.ts', start_line: 3, end_line: 4, posted_at: '2027-01-01T00:00:00.000Z' }
  const { memory, row, event, again, outcome, findings } = storePullRequest()
  memory.store([again(1, { findings: [{ ...findings[0], details }, findings[1]], reviewers: ['a', 'b'] })])
  const stored = row()
  const posted_at = stored.event_at
  assert.deepEqual(parseDetails(stored.details), {
    reviewers: ['a', 'b'],
    findings: [{ finding_id: findings[0].id, ...details, posted_at }],
  })
  const evidence = [
    { kind: 'commit', at: '2027-01-01T00:00:00.000Z' },
    { kind: 'reply', at: null },
  ]
  const reported = outcome(2, true, findings[0].id, { rule: 'suggestion', evidence })
  memory.store([reported])
  assert.deepEqual(parseDetails(row().details).findings?.[0]?.outcome, {
    accepted: true,
    source: 'detector',
    rule: 'suggestion',
    evidence: [
      { kind: 'commit', at: reported.occurred_at },
      { kind: 'reply', at: null },
    ],
  })
  for (const text of [row().findings, row().entry, row().review])
    assert.doesNotMatch(text ?? '', /src\/a\.ts|evidence|reviewers|suggestion/)
  memory.store([again(3)])
  assert.equal(parseDetails(row().details).findings?.[0]?.outcome?.rule, 'suggestion', 'after a rewrite')
  assert.equal(parseDetails(row().details).reviewers, undefined)
  assert.equal(event.payload.reviewers, undefined)
})

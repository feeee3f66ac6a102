import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { deliveryArbitrary, expectPullRequests } from '../../../../test/metrics/review-histories.ts'
import { createEventGenerator } from '../../../../test/pull-requests.ts'
import type { OrganizationId, RootId } from '../../../ids.ts'
import type { ChangeRow } from '../review-comments/sql.ts'
import {
  countPositions,
  groupByPullRequest,
  type PullRequestGroup,
  planWrites,
  type ReviewWritePlan,
  toRepositoryKey,
} from './decide.ts'
import type { Evidence } from './finding-details.ts'
import type { OutcomeSource, SourceOutcome } from './outcome.ts'
import type { FinalizedEvent, OutcomeEvent, ReviewEvent } from './review-payload.ts'
import { type FindingRow, renderDocuments } from './rows.ts'
import type { OutcomeRow, RenderedPullRequest, WeekRow } from './sql.ts'
import { countWeeks } from './weeks.ts'

const hosted = { provider: 'github', host: 'github.com' }
const organizations = [
  { ...hosted, id: '1', name: 'One' },
  { ...hosted, id: '2', name: 'Two' },
] as const
const root = randomUUID() as string as RootId
const uuids = new Map(organizations.map(({ id }) => [id as string, randomUUID() as string as OrganizationId]))

function getUuid(id: string): OrganizationId {
  return uuids.get(id) ?? assert.fail('an unknown organization')
}

/** A store in memory, in which each batch is decided on what the batches before it have left. */
function createMemory() {
  const rows = new Map<string, RenderedPullRequest>()
  const history: OutcomeRow[] = []
  const changes: ChangeRow[] = []
  const weeks: WeekRow[] = []
  let position = 0

  function know(groups: readonly PullRequestGroup[]) {
    const currentOutcomes = new Map<string, Map<string, Map<OutcomeSource, SourceOutcome>>>()
    for (const outcome of history) {
      const findings =
        currentOutcomes.get(outcome.pull_request_key) ?? new Map<string, Map<OutcomeSource, SourceOutcome>>()
      currentOutcomes.set(outcome.pull_request_key, findings)
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
        (row) => row.pull_request_key === group.key && row.event_id === id && row.finding_id === finding,
      )
    const events = groups.flatMap((group) =>
      group.outcomes.flatMap(({ event }) =>
        isKnown(group, event.id, event.payload.finding_id) ? [event] : [],
      ),
    )
    return { pullRequests: rows, currentOutcomes, duplicates: new Set(events) }
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
    const groups = groupByPullRequest(root, resolved)
    const plan = planWrites(groups, know(groups), {
      basePosition: position,
      organizations: allowed,
      repositoryNames: new Map([[toRepositoryKey(getUuid('1'), 'r'), 'In the inventory']]),
    })
    const placed = [...plan.created, ...plan.rewritten]
    const positions = [...placed.map(({ row }) => row), ...plan.changes].map((taken) => taken.position)
    position += countPositions(groups)
    assert.ok(positions.every((taken) => taken <= position))
    for (const { row } of plan.created) assert.ok(!rows.has(row.pull_request_key))
    for (const { row } of plan.rewritten) assert.ok(rows.has(row.pull_request_key))
    for (const pullRequest of placed) rows.set(pullRequest.row.pull_request_key, pullRequest)
    for (const { pull_request_key, ordinal, ...outcome } of plan.findings)
      change(pull_request_key, ({ findings }) => ({
        findings: findings.map((finding) =>
          finding.ordinal === ordinal ? { ...finding, ...outcome } : finding,
        ),
      }))
    for (const { pull_request_key, ...documents } of plan.documents) change(pull_request_key, () => documents)
    history.push(...plan.outcomes)
    changes.push(...plan.changes)
    weeks.push(...plan.weeks)
    return plan
  }

  function change(key: string, to: (before: RenderedPullRequest) => Partial<RenderedPullRequest>): void {
    const before = rows.get(key) ?? assert.fail('nothing is stored')
    rows.set(key, { ...before, ...to(before) })
  }

  return { rows, history, changes, weeks, store }
}

type Memory = ReturnType<typeof createMemory>

interface CopiedPullRequest {
  readonly url: string
  readonly day: string
  readonly outcomes: Map<string, boolean | null>
}

/** The columns of a finding that the model of histories knows. */
function pickExpected({ finding_id, url, severity, category, reviewer, accepted, source, rule }: FindingRow) {
  return { finding_id, url, severity, category, reviewer, accepted, source, rule }
}

/** Keeps a copy by the change feed alone, as a caller of one organization, or of all of them, would. */
function createFollower({ rows, changes }: Memory, organization: OrganizationId | null, countedFrom = '') {
  const copy = new Map<string, CopiedPullRequest>()
  let last = 0
  const isOwn = (row: { organization_id: string }) =>
    organization === null || row.organization_id === organization
  const isSeen = (row: { organization_id: string; position: number }) => row.position > last && isOwn(row)

  function follow(): void {
    const written = [...rows.values()].filter((stored) => isEntry(stored) && isSeen(stored.row))
    const news = [
      ...written.map((stored) => ({
        ...stored.row,
        apply: () => copy.set(stored.row.pull_request_key, toCopy(stored)),
      })),
      ...changes.filter(isSeen).map((item) => ({ ...item, apply: () => apply(item) })),
    ]
    for (const item of news.sort((a, b) => a.position - b.position)) {
      item.apply()
      last = item.position
    }
  }

  function apply({ pull_request_key, entry }: ChangeRow): void {
    const { kind, finding_id, accepted } = JSON.parse(entry) as PublishedChange
    if (kind === 'removed') copy.delete(pull_request_key)
    else copy.get(pull_request_key)?.outcomes.set(finding_id, accepted)
  }

  const isEntry = ({ entry, row }: RenderedPullRequest) => entry !== null && row.day >= countedFrom
  const toCopy = ({ row: { url, day }, findings }: RenderedPullRequest) => {
    return { url, day, outcomes: toOutcomes(findings) }
  }
  const visible = () =>
    [...rows.values()]
      .filter((stored) => isEntry(stored) && isOwn(stored.row))
      .map((stored) => [stored.row.pull_request_key, toCopy(stored)] as const)
  return { follow, copy, visible: () => new Map(visible()) }
}

interface PublishedChange {
  readonly position: number
  readonly kind: 'outcome' | 'removed'
  readonly pr_url: string
  readonly finding_id: string
  readonly accepted: boolean | null
}

function toOutcomes(findings: readonly FindingRow[]): Map<string, boolean | null> {
  return new Map(findings.map(({ finding_id, accepted }) => [finding_id, accepted]))
}

test('the final state does not depend on the order, repetition or batching of events', () => {
  fc.assert(
    fc.property(deliveryArbitrary(organizations), (batches) => {
      const memory = createMemory()
      for (const batch of batches) memory.store(batch)
      const stored = [...memory.rows.values()].map((pullRequest) => {
        const { row } = pullRequest
        const { event_id, provider_organization_id, status, day } = row
        assert.equal(row.organization_id, getUuid(provider_organization_id))
        assert.equal(row.counted, pullRequest.entry !== null)
        const entry: unknown = pullRequest.entry === null ? null : JSON.parse(pullRequest.entry)
        const review: unknown = JSON.parse(pullRequest.review)
        const findings = pullRequest.findings.map(pickExpected)
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

test('after any history the documents are those of the rows, and the weeks add up to their findings', () => {
  fc.assert(
    fc.property(deliveryArbitrary(organizations), (batches) => {
      const memory = createMemory()
      for (const batch of batches) memory.store(batch)
      const rows = [...memory.rows.values()]
      for (const { row, findings, ...documents } of rows)
        assert.deepEqual(documents, renderDocuments({ row, findings }))
      const counted = countWeeks(rows.map((after) => ({ before: undefined, after })))
      assert.deepEqual(sumWeeks(memory.weeks), sumWeeks(counted))
    }),
    { numRuns: 2000 },
  )
})

/** The counts that are not zero, by what they count. */
function sumWeeks(weeks: readonly WeekRow[]): Map<string, readonly number[]> {
  const sums = new Map<string, readonly number[]>()
  for (const { posted, accepted, not_accepted, ...group } of weeks) {
    const key = JSON.stringify(group)
    const before = sums.get(key) ?? [0, 0, 0]
    sums.set(
      key,
      [posted, accepted, not_accepted].map((count, index) => count + (before[index] ?? 0)),
    )
  }
  return new Map([...sums].filter(([, counts]) => counts.some((count) => count !== 0)))
}

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
        const { created, rewritten, changes } = memory.store(batch)
        const positions = [...[...created, ...rewritten].map(({ row }) => row), ...changes]
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
  const stored = () => memory.rows.values().next().value ?? assert.fail('nothing is stored')
  const row = () => stored().row
  const acceptance = () => toOutcomes(stored().findings).get(f.id)
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
  return { memory, event, stored, row, acceptance, again, outcome, findings: [f, g] as const }
}

function parseChanges({ changes }: ReviewWritePlan): PublishedChange[] {
  return changes.map(({ entry }) => JSON.parse(entry) as PublishedChange)
}

test('an outcome updates entry and findings in place and is a change with its own position', () => {
  const { memory, stored, row, outcome, findings, event } = storePullRequest()
  const before = row()
  const [first, ...others] = stored().findings
  const plan = memory.store([outcome(1, true)])
  const at = plan.outcomes[0]?.at
  assert.deepEqual(row(), before, 'nothing else is touched')
  assert.deepEqual(stored().findings, [
    { ...first, accepted: true, source: 'detector', decided_at: at },
    ...others,
  ])
  assert.match(stored().review, /"total":\{"posted":2,"accepted":1\}/)
  assert.match(stored().entry ?? '', /"accepted":true.*"accepted":null/)
  const { position, ...change } = parseChanges(plan)[0] ?? assert.fail('no change was recorded')
  assert.ok(position > before.position)
  assert.deepEqual(change, {
    kind: 'outcome',
    pr_url: event.payload.url,
    organization_id: one.id,
    repository_id: 'r',
    finding_id: findings[0].id,
    accepted: true,
    at,
  })
})

test('an outcome that changes nothing is stored but is not a change', () => {
  const { memory, outcome } = storePullRequest()
  const countWrites = (event: ReviewEvent) => {
    const { documents, changes, outcomes, weeks } = memory.store([event])
    assert.equal(weeks.length, changes.length)
    return [documents.length, changes.length, outcomes.length]
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
  const { findings, documents, changes, outcomes } = memory.store([{ ...outcome(5, false), id: first.id }])
  assert.deepEqual([findings, documents, changes, outcomes], [[], [], [], []])
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
  const { memory, event, row, again } = storePullRequest()
  for (const repeated of [event, again(0), again(-1)]) {
    const { created, rewritten, changes } = memory.store([repeated])
    assert.deepEqual([created, rewritten, changes], [[], [], []])
  }
  // bus/queue/event-ids.ts leaves out reused ids for 30 days; after that the time decides.
  assert.equal(memory.store([{ ...again(1), id: event.id }]).rewritten.length, 1)
  const twins = [again(5, { url: 'https://x.example.com/1' }), again(5, { url: 'https://x.example.com/2' })]
  memory.store(twins)
  assert.equal(row().url, 'https://x.example.com/1', 'the first of equals')
})

test('a rewritten pull request moves to the end with the outcomes of its findings, including earlier removed ones', () => {
  const { memory, row, acceptance, again, outcome, findings, event } = storePullRequest()
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
  assert.equal(acceptance(), false)
})

test('a closed pull request or one without findings has no entry; a previous entry is reported as removed', () => {
  for (const gone of [{ status: 'closed' as const }, { findings: [] }]) {
    const { memory, stored, row, again, event } = storePullRequest()
    const plan = memory.store([again(1, gone)])
    assert.deepEqual([row().counted, stored().entry], [false, null])
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
  const { memory, acceptance, outcome } = storePullRequest({ status: 'closed', merged_at: null })
  const { changes, weeks } = memory.store([outcome(1, true)])
  assert.deepEqual([changes, weeks], [[], []])
  assert.equal(acceptance(), true)
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
  assert.deepEqual([row().organization_name, row().repository_name], ['Inventory', 'In the inventory'])
  assert.equal(storePullRequest({ repository: { id: 's', name: null } }).row().repository_name, null)
})

test('a person counts before the provider, the provider before a detector, whatever their times [P14-sources-1]', () => {
  const { memory, acceptance, outcome, findings } = storePullRequest()
  const report = (minutes: number, verdict: boolean | null, source: OutcomeSource) =>
    memory.store([outcome(minutes, verdict, findings[0].id, { source })])
  report(1, true, 'person')
  assert.deepEqual(report(5, false, 'detector').changes, [], 'later, but of a detector')
  report(6, false, 'provider')
  assert.equal(acceptance(), true)
  report(2, false, 'person')
  assert.equal(acceptance(), false, 'the latest of the person')
  report(7, true, 'detector')
  assert.equal(acceptance(), false)
})

test('a withdrawn outcome lets the next source count again, and the change has the time of the withdrawal [P14-sources-1]', () => {
  const { memory, stored, outcome, findings } = storePullRequest()
  const report = (minutes: number, verdict: boolean | null, source: OutcomeSource) =>
    memory.store([outcome(minutes, verdict, findings[0].id, { source })])
  report(1, true, 'detector')
  report(2, false, 'person')
  const plan = report(9, null, 'person')
  const { accepted, source, decided_at } = stored().findings[0] ?? assert.fail('no finding is stored')
  assert.deepEqual([accepted, source, decided_at], [true, 'detector', plan.outcomes[0]?.at])
  const [change] = plan.changes.map(({ entry }) => JSON.parse(entry) as { accepted: boolean; at: string })
  assert.deepEqual([change?.accepted, change?.at], [true, plan.outcomes[0]?.at])
})

test('location, reviewers and evidence are stored, cut to the event, and are in no document [P14-fields-1]', () => {
  const details = { file: 'src/a.ts', start_line: 3, end_line: 4, posted_at: '2027-01-01T00:00:00.000Z' }
  const { memory, stored, row, event, again, outcome, findings } = storePullRequest()
  const first = () => stored().findings[0] ?? assert.fail('no finding is stored')
  memory.store([again(1, { findings: [{ ...findings[0], details }, findings[1]], reviewers: ['a', 'b'] })])
  const { file, start_line, end_line, posted_at, sketch } = first()
  assert.deepEqual(row().reviewers, ['a', 'b'])
  assert.deepEqual({ file, start_line, end_line, posted_at }, { ...details, posted_at: row().event_at })
  assert.equal(sketch, null, 'it was not sent')
  const evidence = [
    { kind: 'commit', at: '2027-01-01T00:00:00.000Z' },
    { kind: 'reply', at: null },
  ]
  const reported = outcome(2, true, findings[0].id, { rule: 'suggestion', evidence })
  memory.store([reported])
  const { accepted, source, rule, evidence: stated } = first()
  assert.deepEqual([accepted, source, rule], [true, 'detector', 'suggestion'])
  assert.deepEqual(stated, [
    { kind: 'commit', at: reported.occurred_at },
    { kind: 'reply', at: null },
  ])
  for (const text of [stored().entry, stored().review])
    assert.doesNotMatch(text ?? '', /src\/a\.ts|evidence|reviewers|suggestion/)
  memory.store([again(3)])
  assert.equal(first().rule, 'suggestion', 'after a rewrite')
  assert.deepEqual([first().file, row().reviewers], [null, []])
  assert.equal(event.payload.reviewers, undefined)
})

import fc from 'fast-check'
import { type OutcomeSource, outcomeSources } from '../../src/resources/metrics/write/outcome.ts'
import type {
  FinalizedEvent,
  FinalizedPullRequest,
  FindingOutcome,
  OutcomeEvent,
  ReviewEvent,
} from '../../src/resources/metrics/write/review-payload.ts'

/** The expected final state of a pull request, however its events were delivered. */
export interface ExpectedPullRequest {
  readonly event_id: string
  readonly provider_organization_id: string
  readonly status: string
  readonly day: string
  readonly findings: unknown
  readonly entry: unknown
  readonly review: unknown
}

type Organization = FinalizedPullRequest['organization']

const START = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000
const findingIds = ['a', 'b', 'c', 'd']

const timestampArbitrary = fc.option(
  fc.nat(20_000).map((hours) => new Date(START + (20 - hours) * HOUR).toISOString()),
)
const eventFieldsArbitrary = fc.record({
  number: fc.integer({ min: 1, max: 3 }),
  organization: fc.nat(1),
  renamed: fc.boolean(),
  status: fc.constantFrom('merged', 'merged', 'closed'),
  merged_at: timestampArbitrary,
  closed_at: timestampArbitrary,
  findings: fc.subarray(findingIds),
  outcome: fc.option(fc.constantFrom(...findingIds)),
  accepted: fc.constantFrom(true, false, null),
  source: fc.constantFrom('detector', 'person', 'provider'),
  /** Outcomes may have the same time. */
  hour: fc.nat(6),
})
type RandomEventFields = typeof eventFieldsArbitrary extends fc.Arbitrary<infer Value> ? Value : never

/** Events of three pull requests in two organizations, in batches: late, early, duplicated or all at once. */
export function deliveryArbitrary(
  organizations: readonly [Organization, Organization],
): fc.Arbitrary<ReviewEvent[][]> {
  return fc.array(eventFieldsArbitrary, { minLength: 1, maxLength: 14 }).chain((fieldSets) => {
    const events = fieldSets.map((fields, index) => createEvent(organizations, fields, index))
    const order = fc.shuffledSubarray([...events, ...events], { minLength: events.length })
    return fc
      .tuple(order, fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 28 }))
      .map(([some, sizes]) => {
        const missing = events.filter((event) => !some.includes(event))
        return splitIntoBatches([...some, ...missing], sizes)
      })
  })
}

function splitIntoBatches(events: readonly ReviewEvent[], sizes: readonly number[]): ReviewEvent[][] {
  const batches: ReviewEvent[][] = []
  for (let from = 0, batchIndex = 0; from < events.length; batchIndex += 1) {
    const size = sizes[batchIndex] ?? 1
    batches.push(events.slice(from, from + size))
    from += size
  }
  return batches
}

function createEvent(
  organizations: readonly Organization[],
  fields: RandomEventFields,
  index: number,
): ReviewEvent {
  const { number, outcome, accepted, source, status, merged_at, closed_at, renamed } = fields
  const organization = organizations[fields.organization]
  if (organization === undefined) throw new Error('fields.organization must be 0 or 1.')
  const { provider, host, id } = organization
  const common = { id: `event-${index}`, version: 1 }
  if (outcome !== null) {
    const payload: FindingOutcome = {
      organization: { provider, host, id },
      repository: { id: 'repository' },
      number,
      finding_id: outcome,
      accepted,
      source,
      ...(index % 2 === 0 && { rule: `rule-${index}` }),
    }
    const occurred_at = new Date(START + fields.hour * HOUR).toISOString()
    return { ...common, type: 'finding.outcome', occurred_at, payload }
  }
  const url = `https://git.example.com/${id}/${renamed ? 'new' : 'old'}/${number}`
  const payload: FinalizedPullRequest = {
    organization,
    repository: { id: 'repository', name: 'repository' },
    number,
    url,
    status,
    author: index % 3 === 0 ? null : { id: `author-${index}`, username: null },
    created_at: null,
    ready_for_review_at: null,
    first_human_review_at: null,
    last_commit_at: null,
    merged_at,
    closed_at,
    review_iterations: index,
    estimated_complexity: null,
    estimated_review_minutes: null,
    findings: fields.findings.map((finding) => ({
      id: finding,
      url: `${url}#${finding}`,
      severity: index % 2 === 0 ? null : 'minor',
      category: index % 3 === 0 ? null : 'security_and_privacy',
      reviewer: index % 5 === 0 ? null : 'tester',
    })),
  }
  // Every time is unique: of two events with the same time the first to arrive would win.
  const occurred_at = new Date(START + index * HOUR + 1).toISOString()
  return { ...common, type: 'pull_request.finalized', occurred_at, payload }
}

interface ExpectedOutcome {
  readonly accepted: boolean | null
  readonly source: OutcomeSource | null
  readonly rule: string | null
}

/** The latest verdict of the first source that has one, or else the reason of the last source that has none. */
function expectOutcome(outcomes: ReadonlyMap<string, OutcomeEvent>, finding: string): ExpectedOutcome {
  const latest = outcomeSources.flatMap((source) => outcomes.get(`${finding} ${source}`)?.payload ?? [])
  const counting =
    latest.find(({ accepted }) => accepted !== null) ?? latest.findLast(({ rule }) => rule !== undefined)
  if (counting === undefined) return { accepted: null, source: null, rule: null }
  return { accepted: counting.accepted, source: counting.source, rule: counting.rule ?? null }
}

/** The rule for all events at once, by pull request number: the latest pull request with the outcomes that count. */
export function expectPullRequests(events: readonly ReviewEvent[]): Map<number, ExpectedPullRequest> {
  const latest = new Map<number, FinalizedEvent>()
  const outcomes = new Map<string, OutcomeEvent>()
  const inOrder = events.toSorted((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1))
  for (const event of inOrder) {
    const { number } = event.payload
    if (event.type === 'finding.outcome')
      outcomes.set(`${number} ${event.payload.finding_id} ${event.payload.source}`, event)
    else latest.set(number, event)
  }
  return new Map([...latest].map(([number, event]) => [number, expectRow(event, outcomes)]))
}

function toSortKey({ occurred_at, id }: ReviewEvent): string {
  return `${occurred_at} ${id}`
}

function expectRow(event: FinalizedEvent, outcomes: ReadonlyMap<string, OutcomeEvent>): ExpectedPullRequest {
  const { occurred_at } = event
  const cut = (time: string | null) => (time !== null && time > occurred_at ? occurred_at : time)
  const payload = {
    ...event.payload,
    merged_at: cut(event.payload.merged_at),
    closed_at: cut(event.payload.closed_at),
  }
  const merged_at = payload.status === 'merged' ? payload.merged_at : null
  const findings = payload.findings.map(({ id, ...finding }) => {
    return { finding_id: id, ...finding, ...expectOutcome(outcomes, `${payload.number} ${id}`) }
  })
  const comments = findings.map(({ url, severity, category, accepted }) => {
    return { url, severity, category, accepted }
  })
  const entry = {
    pr_url: payload.url,
    organization_id: payload.organization.id,
    repository_id: payload.repository.id,
    author_id: payload.author?.id ?? null,
    merged_at,
    coderabbit_comments: comments,
  }
  return {
    event_id: event.id,
    provider_organization_id: payload.organization.id,
    status: payload.status,
    day: (merged_at ?? payload.closed_at ?? occurred_at).slice(0, 10),
    findings,
    entry: payload.status === 'merged' && comments.length > 0 ? entry : null,
    review: expectReview(payload, comments),
  }
}

interface Comment {
  readonly severity: string | null
  readonly category: string | null
  readonly accepted: boolean | null
}

function expectReview(payload: FinalizedPullRequest, comments: readonly Comment[]): unknown {
  const counter = (of: readonly Comment[]) => ({
    posted: of.length,
    accepted: of.filter(({ accepted }) => accepted === true).length,
  })
  const by = (field: 'severity' | 'category', names: string) =>
    Object.fromEntries(
      names.split(' ').map((name) => [name, counter(comments.filter((comment) => comment[field] === name))]),
    )
  const { organization, repository, author, findings: _, number: __, url, ...otherFields } = payload
  return {
    ...otherFields,
    pr_url: url,
    author_id: author?.id ?? null,
    author_username: author?.username ?? null,
    organization_id: organization.id,
    organization_name: organization.name,
    repository_id: repository.id,
    repository_name: repository.name,
    merged_at: payload.status === 'merged' ? payload.merged_at : null,
    coderabbit_comments: {
      total: counter(comments),
      severity: by('severity', 'critical major minor trivial info'),
      category: by(
        'category',
        'data_integrity_and_integration functional_correctness maintainability_and_code_quality performance_and_scalability security_and_privacy stability_and_availability',
      ),
    },
  }
}

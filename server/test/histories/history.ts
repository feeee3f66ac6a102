import { Random } from '../../../fake-forge/random.ts'

// A random history of one tenant root: what its senders and people report, in batches, and what is read meanwhile and at the end.
// It is data without ids of a run, so the same seed is the same history for every revision.

export interface RawEvent {
  readonly id: string
  readonly type: 'pull_request.finalized' | 'finding.outcome' | 'mcp.used'
  readonly version: 1
  readonly occurred_at: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** A read of all pages with one of the keys. */
export interface Read {
  readonly key: KeyName
  readonly path: string
  readonly lines: boolean
}

export type Step =
  | {
      readonly kind: 'events'
      readonly organizations: readonly number[] | null
      readonly events: readonly RawEvent[]
    }
  | {
      readonly kind: 'judged'
      readonly id: string
      readonly at: string
      readonly organization: number
      readonly payload: object
    }
  | { readonly kind: 'active'; readonly organization: number; readonly active: boolean }
  | { readonly kind: 'expire'; readonly firstDay: string }
  /** Continues where the same read ended before. */
  | { readonly kind: 'read'; readonly read: Read }

export interface History {
  readonly steps: readonly Step[]
  readonly reads: readonly Read[]
}

export const keyNames = ['workspace', 'organization', 'user', 'instance'] as const
export type KeyName = (typeof keyNames)[number]

/** The last organization belongs to a self-hosted instance. */
export const organizations = [
  { id: '101', name: 'Ähre "AG"', host: 'github.com', repositories: ['11', '12', 'shared'] },
  { id: '9', name: "o'brien", host: 'github.com', repositories: ['21', 'shared'] },
  { id: 'x-3', name: 'instance', host: 'git.example.com', repositories: ['11', '31'] },
] as const

const DAY = 86_400_000
const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 26)
const names = [
  'ann',
  'Ann',
  'bob',
  "o'brien",
  'a"b\\c',
  '=1+1',
  '{"a":1}',
  'é',
  'é',
  '日本 😀',
  'null',
  '$1;--',
  'x, y',
  ' ann',
  '</b>%s',
]
const severities = ['critical', 'major', 'minor', 'trivial', 'info', 'unheard', null]
const categories = [
  'data_integrity_and_integration',
  'functional_correctness',
  'maintainability_and_code_quality',
  'performance_and_scalability',
  'security_and_privacy',
  'stability_and_availability',
  'unheard',
  null,
]
const authors = ['1', '2', 'a"3', null]
const sources = ['person', 'provider', 'detector']
const windows = [
  '2026-01-01&end_date=2026-03-31',
  '2019-01-01&end_date=2026-12-31',
  '2026-01-28&end_date=2026-02-12',
]
const days = Array.from({ length: 30 }, (_, day) => iso(START + day * DAY).slice(0, 10))
const verdicts = [true, true, false, null]

export function createHistory(seed: number): History {
  const random = new Random(seed)
  const writer = new EventWriter(random)
  const steps: Step[] = []
  const count = 4 + random.below(12)
  for (let step = 0; step < count; step++) {
    steps.push(createStep(random, writer, steps))
    if (random.happens(0.3))
      steps.push({
        kind: 'read',
        read: createRead(random, ['comments', 'changes', 'changes', 'reviews', 'mcp']),
      })
  }
  return { steps, reads: [...fixedReads, ...Array.from({ length: 16 }, () => createRead(random))] }
}

function createStep(random: Random, writer: EventWriter, before: readonly Step[]): Step {
  const chance = random.next()
  const delivered = before.filter((step) => step.kind === 'events')
  if (chance < 0.08 && delivered.length > 0) return random.pick(delivered)
  if (chance < 0.16) return writer.judged()
  if (chance < 0.24) return { kind: 'active', organization: random.below(3), active: random.happens(0.3) }
  if (chance < 0.26) return { kind: 'expire', firstDay: random.pick(days) }
  const events: RawEvent[] = []
  const count = 1 + random.below(9)
  while (events.length < count)
    events.push(events.length > 0 && random.happens(0.1) ? random.pick(events) : writer.event())
  return { kind: 'events', organizations: random.happens(0.1) ? [random.below(3)] : null, events }
}

class EventWriter {
  readonly #random: Random
  readonly #prefix: string
  readonly #busy: readonly ReturnType<typeof createPullRequest>[]
  #events = 0

  constructor(random: Random) {
    this.#random = random
    this.#prefix = `e${random.below(1000)}`
    this.#busy = [createPullRequest(random), createPullRequest(random)]
  }

  event(): RawEvent {
    const random = this.#random
    const type = random.pick([
      'pull_request.finalized',
      'pull_request.finalized',
      'finding.outcome',
      'finding.outcome',
      'mcp.used',
    ] as const)
    // An id that was used before may return with other content and another time.
    const index = random.happens(0.08) ? random.below(this.#events + 1) : this.#events++
    const { organization, ...of } = this.#target()
    const payloads = {
      'pull_request.finalized': () => this.#finalized(organization, of),
      'finding.outcome': () => ({ organization, ...of, ...this.#outcome(), source: random.pick(sources) }),
      'mcp.used': () => ({ organization, ...of, servers: this.#servers() }),
    }
    // Few times, so that many are equal.
    const occurred_at = iso(START + (10 + random.below(6)) * DAY + random.below(4) * HOUR)
    return { id: `${this.#prefix}-${index}`, type, version: 1, occurred_at, payload: payloads[type]() }
  }

  judged(): Step {
    const random = this.#random
    const { organization, ...of } = this.#target()
    const { provider, host, id } = organization
    const outcome = this.#outcome()
    return {
      kind: 'judged',
      id: `judged-${random.below(20)}`,
      at: iso(START + (10 + random.below(6)) * DAY),
      organization: Math.max(
        0,
        organizations.findIndex((one) => one.id === id),
      ),
      payload: {
        provider,
        host,
        repository_id: of.repository.id,
        number: of.number,
        finding_id: outcome.finding_id,
        provider_organization_id: id,
        accepted: outcome.accepted,
      },
    }
  }

  /** Mostly one of two pull requests, so that events meet. A repository may be transferred between organizations of one host. */
  #target() {
    const random = this.#random
    const { home, repository, number } = random.happens(0.75)
      ? random.pick(this.#busy)
      : createPullRequest(random)
    const here = organizations.filter(({ host }) => host === home.host)
    const id = random.happens(0.02) ? 'nobody' : random.happens(0.15) ? random.pick(here).id : home.id
    return { organization: { provider: 'github', host: home.host, id }, repository, number }
  }

  #finalized(
    organization: object,
    { repository, number }: { readonly repository: { readonly id: string }; readonly number: number },
  ) {
    const random = this.#random
    const author = random.pick(authors)
    const url = `https://git.example.com/${repository.id}/${random.happens(0.1) ? 'moved' : 'pull'}/${number}`
    return {
      organization: { ...organization, name: this.#maybe(random.pick(names)) },
      repository: { ...repository, name: this.#maybe(random.pick(names)) },
      number,
      url,
      status: random.pick(['merged', 'merged', 'merged', 'closed']),
      author: author === null ? null : { id: author, username: this.#maybe(random.pick(names)) },
      created_at: this.#time(),
      ready_for_review_at: this.#time(),
      first_human_review_at: this.#time(),
      last_commit_at: this.#time(),
      merged_at: this.#time(),
      closed_at: this.#time(),
      review_iterations: this.#maybe(random.below(6)),
      estimated_complexity: this.#maybe(1 + random.below(5)),
      estimated_review_minutes: this.#maybe(random.pick([0, 0.1, 5, 1e21])),
      findings: this.#findings(url),
      ...(random.happens(0.5) && {
        reviewers: Array.from({ length: random.below(4) }, () => random.pick(names)),
      }),
    }
  }

  #findings(url: string): object[] {
    const random = this.#random
    const count = random.happens(0.15) ? 0 : random.happens(0.05) ? 40 : 1 + random.below(6)
    const ids = count === 40 ? 40 : 5
    return Array.from({ length: count }, () => ({
      id: `f${random.below(ids)}`,
      url: `${url}#${random.below(5)}`,
      severity: random.pick(severities),
      category: random.pick(categories),
      reviewer: this.#maybe(random.pick(names.slice(0, 5))),
      ...(random.happens(0.7) && this.#details()),
    }))
  }

  /** Few files, lines and words, so that findings of two reviewers are the same. */
  #details() {
    const random = this.#random
    const first = random.below(3) * 100
    return {
      file: this.#maybe(random.pick(['a.ts', 'b "c".ts'])),
      start_line: this.#maybe(1 + random.below(6)),
      end_line: this.#maybe(1 + random.below(6)),
      commit: this.#maybe('ABCDEF0'),
      posted_at: this.#time(),
      posted_as: this.#maybe(random.pick(['inline', 'body', 'suppressed', 'annotation', 'unheard'])),
      raw_severity: this.#maybe(random.pick(names)),
      bot_key: this.#maybe(random.pick(names)),
      parser: this.#maybe('parser 1'),
      sketch: this.#maybe(Array.from({ length: 1 + random.below(32) }, (_, number) => first + number)),
    }
  }

  #outcome() {
    const random = this.#random
    return {
      finding_id: `f${random.below(random.happens(0.9) ? 4 : 40)}`,
      accepted: random.pick(verdicts),
      rule: this.#maybe(random.pick(['thread_resolved', 'line "changed"'])),
      evidence: random.happens(0.5)
        ? []
        : Array.from({ length: 1 + random.below(2) }, () => ({
            kind: random.pick(['commit', 'reply']),
            at: this.#time(),
          })),
    }
  }

  #servers() {
    const random = this.#random
    const tools = () =>
      Array.from({ length: 1 + random.below(2) }, () => {
        const calls = 1 + random.below(5)
        return { name: random.pick(names), calls, errors: random.below(calls + 1) }
      })
    return Array.from({ length: 1 + random.below(2) }, () => ({ name: random.pick(names), tools: tools() }))
  }

  #time(): string | null {
    const random = this.#random
    const time = START + random.below(30) * DAY + random.pick([0, DAY - 1, 9 * HOUR, HOUR + 1])
    if (random.happens(0.02)) return '2019-12-30T00:30:00+02:00'
    return this.#maybe(random.happens(0.1) ? iso(time).replace('Z', '+05:30') : iso(time))
  }

  #maybe<Value>(value: Value): Value | null {
    return this.#random.happens(0.15) ? null : value
  }
}

const all = `start_date=${windows[1]}`
const fixedReads: readonly Read[] = [
  { key: 'workspace', path: `/v1/metrics/review-comments?${all}`, lines: false },
  { key: 'workspace', path: '/v1/metrics/review-comments/changes', lines: false },
  { key: 'workspace', path: `/v1/metrics/reviews?${all}&status=all`, lines: false },
  { key: 'workspace', path: `/v1/metrics/findings?${all}`, lines: false },
  {
    key: 'workspace',
    path: `/v1/metrics/summary?${all}&group_by=week,organization,repository,author,reviewer,severity,category`,
    lines: false,
  },
]

const kinds = [
  'comments',
  'changes',
  'reviews',
  'reviewSummary',
  'summary',
  'summary',
  'reviewers',
  'overlap',
  'findings',
  'mcp',
  'mcpSummary',
] as const

function createRead(random: Random, among: readonly (typeof kinds)[number][] = kinds): Read {
  const key = random.pick(keyNames)
  const limit = random.happens(0.4) ? '' : `&limit=${random.pick([2, 3, 7])}`
  const window = createWindow(random, key)
  const status = random.pick(['', '&status=merged', '&status=closed', '&status=all'])
  const csv = random.happens(0.3) ? '&format=csv' : ''
  const groupBy = (keys: readonly string[]) => {
    const chosen = keys.filter(() => random.happens(0.4))
    return chosen.length === 0 ? '' : `&group_by=${chosen.join(',')}`
  }
  const lines = random.happens(0.3)
  const orgId = key === 'workspace' && random.happens(0.3) ? `&org_id=${random.pick(organizations).id}` : ''
  const path = {
    comments: () => `review-comments?${window}${limit}`,
    changes: () =>
      `review-comments/changes?${[`limit=${random.pick([2, 3, 1000])}`, ...(random.happens(0.3) ? [`counted_from=${random.pick(days)}`] : [])].join('&')}${orgId}`,
    reviews: () => `reviews?${window}${status}${limit}${csv}`,
    reviewSummary: () => `reviews/summary?${window}${status}${groupBy(['week', 'repository'])}`,
    summary: () =>
      `summary?${window}${groupBy(['week', 'organization', 'repository', 'author', 'reviewer', 'severity', 'category'])}${csv}`,
    reviewers: () => `reviewers?${window}`,
    overlap: () => `reviewers/overlap?${window}`,
    findings: () =>
      `findings?${window}${limit}` +
      (random.happens(0.2) ? `&reviewer=${encodeURIComponent(random.pick(names.slice(0, 5)))}` : '') +
      (random.happens(0.4) ? `&outcome=${random.pick(['accepted', 'not_accepted', 'unknown'])}` : ''),
    mcp: () => `mcp?${window}${limit}`,
    mcpSummary: () => `mcp/summary?${window}${groupBy(['week', 'server', 'tool'])}`,
  }
  const kind = random.pick(among)
  return {
    key,
    path: `/v1/metrics/${path[kind]()}`,
    lines: lines && (kind === 'comments' || kind === 'changes'),
  }
}

function createPullRequest(random: Random) {
  const home = random.pick(organizations)
  return { home, repository: { id: random.pick(home.repositories) }, number: 1 + random.below(2) }
}

function createWindow(random: Random, key: KeyName): string {
  const first = random.below(days.length)
  const last = Math.min(days.length - 1, first + random.pick([0, 1, 8, 20]))
  const window = random.happens(0.65) ? random.pick(windows) : `${days[first]}&end_date=${days[last]}`
  const some = (ids: readonly (string | null)[]) =>
    [random.pick(ids), random.pick(ids)].map((id) => encodeURIComponent(id ?? 'unknown')).join(',')
  const home = random.pick(organizations)
  return [
    `start_date=${window}`,
    ...(random.happens(0.15) ? [`repository_ids=${some([...home.repositories, 'unknown'])}`] : []),
    ...(random.happens(0.15) ? [`user_ids=${some(authors)}`] : []),
    ...(key === 'workspace' && random.happens(0.3) ? [`org_id=${home.id}`] : []),
    ...(key === 'instance' && random.happens(0.3) ? [`organization_ids=${home.id}`] : []),
  ].join('&')
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

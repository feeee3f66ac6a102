import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventKind } from '../../../bus/ingest-event.ts'
import { compileShape } from '../../../shape.ts'
import { reviewEvents } from './event.ts'
import type { FinalizedPullRequest } from './review-payload.ts'

function findKind(type: string): EventKind {
  return reviewEvents.kinds.find((kind) => kind.type === type) ?? assert.fail('an unknown kind')
}

const finalized = findKind('pull_request.finalized')
const outcome = findKind('finding.outcome')
const fits = new Map(reviewEvents.kinds.map((kind) => [kind, compileShape(kind.payload)]))

function accepts(kind: EventKind, payload: unknown): boolean {
  return fits.get(kind)?.(payload) === true
}

function normalize(kind: EventKind, payload: unknown): unknown {
  assert.ok(accepts(kind, payload))
  return kind.normalize(payload)
}

const finding = { id: 'f', url: 'https://github.com/a/b/pull/1#r1' }
const minimalPayload = {
  organization: { provider: 'github', id: '1' },
  repository: { id: '2' },
  number: 1,
  url: 'https://github.com/a/b/pull/1',
  status: 'merged',
  findings: [finding],
}
const outcomePayload = {
  organization: { provider: 'gitlab', host: 'git.example.com', id: '1' },
  repository: { id: '2' },
  number: 1,
  finding_id: 'f',
  accepted: null,
  source: 'person',
}

test('known fields of a pull request are stored; missing ones are null', () => {
  assert.deepEqual(normalize(finalized, minimalPayload), {
    organization: { provider: 'github', host: 'github.com', id: '1', name: null },
    repository: { id: '2', name: null },
    number: 1,
    url: 'https://github.com/a/b/pull/1',
    status: 'merged',
    author: null,
    created_at: null,
    ready_for_review_at: null,
    first_human_review_at: null,
    last_commit_at: null,
    merged_at: null,
    closed_at: null,
    review_iterations: null,
    estimated_complexity: null,
    estimated_review_minutes: null,
    findings: [{ ...finding, severity: null, category: null, reviewer: null }],
  })
})

test('unknown fields and comment text are dropped on every level', () => {
  const more = {
    ...minimalPayload,
    extra: 1,
    organization: { ...minimalPayload.organization, secret: 'x' },
    author: { id: '9', username: 'ada', email: 'ada@example.com' },
    findings: [{ ...finding, body: 'a comment' }],
  }
  const normalized = JSON.stringify(normalize(finalized, more))
  for (const dropped of ['extra', 'secret', 'email', 'body', 'a comment'])
    assert.ok(!normalized.includes(dropped))
  assert.match(normalized, /"author":\{"id":"9","username":"ada"\}/)
  assert.deepEqual(normalize(outcome, { ...outcomePayload, extra: 1 }), outcomePayload)
})

test('unknown severities and categories are null', () => {
  const findings = [
    { ...finding, id: 'a', severity: 'critical', category: 'security_and_privacy' },
    { ...finding, id: 'b', severity: 'blocker', category: 'Security' },
    { ...finding, id: 'c', severity: 'none', category: null },
    { ...finding, id: 'd', severity: 'constructor', category: '__proto__' },
  ]
  const normalized = normalize(finalized, { ...minimalPayload, findings }) as {
    findings: { severity: unknown; category: unknown }[]
  }
  const unknownPair = [null, null]
  assert.deepEqual(
    normalized.findings.map(({ severity, category }) => [severity, category]),
    [['critical', 'security_and_privacy'], unknownPair, unknownPair, unknownPair],
  )
})

test('the last of several findings with the same id is stored', () => {
  const last = { ...finding, url: 'https://github.com/a/b/pull/1#r2' }
  const normalized = normalize(finalized, {
    ...minimalPayload,
    findings: [finding, { ...finding, id: 'g' }, last],
  })
  const { findings } = normalized as { findings: { id: string; url: string }[] }
  assert.deepEqual(
    findings.map(({ id, url }) => [id, url]),
    [
      ['f', last.url],
      ['g', finding.url],
    ],
  )
})

test('times are stored in UTC with milliseconds', () => {
  const cases = [
    ['2026-03-01T01:30:00+02:00', '2026-02-28T23:30:00.000Z'],
    ['2026-03-01T01:30:00.123456789Z', '2026-03-01T01:30:00.123Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    [null, null],
  ]
  for (const [given, normalized] of cases) {
    const { merged_at } = normalize(finalized, { ...minimalPayload, merged_at: given }) as {
      merged_at: unknown
    }
    assert.equal(merged_at, normalized)
  }
})

test('values that cannot be stored unchanged are rejected [P5-reviews-2]', () => {
  const refused: object[] = [
    { organization: { provider: 'github', id: 'a\u001fb' } },
    { organization: { provider: 'github', id: '\ud800' } },
    { organization: { provider: 'github', id: 'x'.repeat(201) } },
    { organization: { provider: 'github', id: '' } },
    { organization: { provider: 'git\u0000hub', id: '1' } },
    { repository: { id: '1\u001e' } },
    { repository: { id: 2 } },
    { url: 'javascript:alert(1)' },
    { url: 'https://a b' },
    { url: 'https://a\u001d' },
    { url: `https://a/${'x'.repeat(2048)}` },
    { number: 0 },
    { number: 1.5 },
    { number: 2 ** 53 },
    { status: 'open' },
    { author: { id: '\n' } },
    { merged_at: '2026-02-30T00:00:00Z' },
    { review_iterations: -1 },
    { estimated_complexity: 6 },
    { estimated_review_minutes: -0.5 },
    { findings: [{ ...finding, id: 'x'.repeat(129) }] },
    { findings: [{ ...finding, url: 'ftp://a' }] },
    { findings: [{ ...finding, reviewer: 'a\u0085b' }] },
    { findings: Array.from({ length: 1001 }, () => finding) },
  ]
  for (const change of refused) {
    assert.equal(
      accepts(finalized, { ...minimalPayload, ...change }),
      false,
      JSON.stringify(change).slice(0, 80),
    )
  }
  for (const change of [
    { accepted: 'yes' },
    { source: 'hearsay' },
    { finding_id: '\u001f' },
    { number: '1' },
  ]) {
    assert.equal(accepts(outcome, { ...outcomePayload, ...change }), false)
  }
  const { accepted, ...undecided } = outcomePayload
  assert.equal(accepts(outcome, undecided), false, `${accepted} must be said`)
})

test('unusual ids and names are accepted', () => {
  for (const id of ['a b', `{"'\\`, 'null', '…', '\u{1f600}', 'x'.repeat(200), '\u{1f600}'.repeat(200)]) {
    assert.ok(
      accepts(finalized, { ...minimalPayload, organization: { provider: 'github', id, name: id } }),
      id,
    )
  }
})

test('details of a finding are stored without secrets; a range is in order; unknown forms are null with a warning [P14-fields-2]', () => {
  const sent = {
    ...finding,
    file: `keys/${['gh', 'p_', 'A1b2C3d4'.repeat(4), 'E5f6'].join('')}/a.ts`,
    start_line: 9,
    end_line: 7,
    commit: 'ABCDEF0123',
    posted_at: '2026-01-30T14:11:00+01:00',
    posted_as: 'inline',
    raw_severity: 'P1',
    bot_key: 'k-1',
    parser: 'a@1',
    sketch: [3, 1, 3],
  }
  const payload = { ...minimalPayload, findings: [sent], reviewers: ['a', 'b', 'a'] }
  const { findings, reviewers } = normalize(finalized, payload) as FinalizedPullRequest
  const { file = '', ...details } = findings[0]?.details ?? {}
  assert.match(file, /^keys\/\[REDACTED:[a-z0-9_]+\]\/a\.ts$/)
  assert.deepEqual(details, {
    start_line: 7,
    end_line: 9,
    commit: 'abcdef0123',
    posted_at: '2026-01-30T13:11:00.000Z',
    posted_as: 'inline',
    raw_severity: 'P1',
    bot_key: 'k-1',
    parser: 'a@1',
    sketch: 'AAEAAw',
  })
  assert.deepEqual(reviewers, ['a', 'b'])
  const other = { ...minimalPayload, findings: [{ ...finding, end_line: 4, posted_as: 'somewhere' }] }
  assert.deepEqual((normalize(finalized, other) as FinalizedPullRequest).findings[0]?.details, {
    start_line: 4,
    end_line: 4,
  })
  assert.deepEqual(
    finalized.findWarnings?.(other).map(({ path }) => path),
    ['findings.0.posted_as'],
  )
})

test('details, rule and evidence are optional, may be null, and are bounded [P14-fields-1]', () => {
  for (const given of [
    { file: null, start_line: null, sketch: null, posted_at: null, posted_as: null },
    { sketch: [] },
  ])
    assert.deepEqual(
      (
        normalize(finalized, {
          ...minimalPayload,
          findings: [{ ...finding, ...given }],
        }) as FinalizedPullRequest
      ).findings[0],
      { ...finding, severity: null, category: null, reviewer: null },
    )
  for (const wrong of [
    { file: 'a\nb' },
    { start_line: 0 },
    { commit: 'main' },
    { sketch: [65_536] },
    { sketch: Array.from({ length: 65 }, () => 1) },
  ])
    assert.ok(!accepts(finalized, { ...minimalPayload, findings: [{ ...finding, ...wrong }] }))
  const evidence = [{ kind: 'commit', at: '2026-01-30T14:11:00+01:00' }, { kind: 'reply' }]
  assert.deepEqual(normalize(outcome, { ...outcomePayload, rule: 'declined', evidence }), {
    ...outcomePayload,
    rule: 'declined',
    evidence: [
      { kind: 'commit', at: '2026-01-30T13:11:00.000Z' },
      { kind: 'reply', at: null },
    ],
  })
  assert.ok(!accepts(outcome, { ...outcomePayload, evidence: [{ at: null }] }))
  assert.deepEqual(normalize(outcome, { ...outcomePayload, rule: null, evidence: null }), outcomePayload)
})

test('names are cleaned of control and bidirectional characters [P11-names-3]', () => {
  const hostile = 'Eve\u001b[31m\u202e\u009bRed'
  const given = {
    ...minimalPayload,
    organization: { provider: 'github', id: '1', name: hostile },
    repository: { id: '2', name: hostile },
    author: { id: '3', username: '\u202e' },
  }
  const { organization, repository, author } = normalize(finalized, given) as Record<string, object>
  assert.deepEqual(organization, { provider: 'github', host: 'github.com', id: '1', name: 'Eve[31mRed' })
  assert.deepEqual(repository, { id: '2', name: 'Eve[31mRed' })
  assert.deepEqual(author, { id: '3', username: null })
})

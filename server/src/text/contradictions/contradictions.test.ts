import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCloseness } from '../embed/closeness.ts'
import { findEvidence, isContradiction } from './contradictions.ts'
import { readGuidance } from './read-guidance.ts'

const compare = (a: string, b: string) => findEvidence(readGuidance(a), readGuidance(b))
const kinds = (a: string, b: string) => compare(a, b).map(({ kind }) => kind)
const contradict = (a: string, b: string) => isContradiction(compare(a, b), null)

test('a text that rejects what the other asks for contradicts it, in either order', () => {
  for (const [a, b] of [
    ['Use raw SQL for reports.', 'Never use raw SQL for reports.'],
    ['Service methods run in a transaction.', 'Don’t run service methods in a transaction.'],
    ['Log the request body of webhooks.', 'Request bodies of webhooks are not logged.'],
    ['Force pushing during review is allowed.', 'Force pushes during review are forbidden.'],
    ['Authentication is required for health endpoints.', 'Health endpoints need no authentication.'],
    ['Value objects of the domain are mutable.', 'Value objects of the domain are immutable.'],
    ['Include test files in the image.', 'Exclude test files from the image.'],
  ] as const) {
    assert.ok(contradict(a, b), a)
    assert.ok(contradict(b, a), b)
  }
})

test('the opposite preference is a contradiction, the same one in other words is not', () => {
  const preferred = 'Prefer composition over inheritance for widgets.'
  assert.ok(kinds(preferred, 'Prefer inheritance over composition for widgets.').includes('order'))
  assert.ok(kinds('Indent with tabs, not spaces.', 'Indent with spaces rather than tabs.').includes('order'))
  for (const same of [
    'Use composition instead of inheritance for widgets.',
    'Widgets use composition, not inheritance.',
    'Do not use inheritance over composition for widgets.',
  ])
    assert.equal(contradict(preferred, same), false, same)
})

test('a negation with an exception is a requirement', () => {
  assert.deepEqual(kinds('Merge only with an approval.', 'Never merge without an approval.'), [])
  assert.deepEqual(kinds('Retry a call with a key.', 'Do not retry a call unless it has a key.'), [])
})

test('“always” and “only” contradict each other, and so do different quantities of one unit', () => {
  assert.deepEqual(
    kinds('Always create indexes concurrently.', 'Create indexes concurrently only on large tables.'),
    ['restriction'],
  )
  assert.deepEqual(kinds('Access logs are kept for 30 days.', 'Keep access logs for 90 days.'), ['quantity'])
  assert.deepEqual(kinds('Each change needs two approvals.', 'Two approvals are enough for a change.'), [])
  assert.deepEqual(kinds('The page size is at most 100.', 'The default page size is 20.'), [])
})

test('quantities are compared in one unit', () => {
  assert.deepEqual(kinds('Sessions end after 30 minutes.', 'Sessions end after 8 hours.'), ['quantity'])
  assert.deepEqual(kinds('Sessions end after 60 minutes.', 'Sessions end after 1 hour.'), [])
  assert.deepEqual(kinds('We need 80% coverage.', 'Coverage is at least 90 %.'), ['quantity'])
})

test('two tools for one job contradict each other, two styles or opposites only with one subject', () => {
  const tools = ['Use Mocha for unit tests.', 'Unit tests are written in Jest.'] as const
  assert.deepEqual(kinds(...tools), ['tool'])
  assert.ok(contradict('Event names are snake_case.', 'Write event names in camelCase.'))
  assert.ok(contradict('Load images lazily.', 'Images are loaded eagerly.'))
  for (const [a, b] of [
    ['Use Mocha for tests in apps/shop.', 'Use Jest for tests in apps/admin.'],
    ['Use Playwright for browser tests.', 'Use Jest for unit tests.'],
    ['We moved from Mocha to Jest.', 'Use Jest for unit tests.'],
    ['Use Jest for unit tests.', 'Do not use Mocha for unit tests.'],
    ['Event names are snake_case.', 'Table names are camelCase.'],
    ['Load images lazily.', 'Load translations eagerly.'],
    ['Public methods have tests.', 'Private methods have tests.'],
    ['Keep drafts for 20 days.', 'Drafts are deleted after 20 days.'],
  ] as const)
    assert.equal(contradict(a, b), false, `${a} ${b}`)
})

test('a rule and its opposite for another subject do not contradict each other', () => {
  for (const [a, b] of [
    ['Retry GET requests on a 503.', 'Do not retry POST requests on a 503.'],
    ['Access logs are kept for 30 days.', 'Audit logs are kept for 365 days.'],
    ['Handlers may throw.', 'Destructors must not throw.'],
    ['In Go, return an error.', 'In Python, do not return an error.'],
    ['Use `any` in tests.', 'Do not use `unknown` in tests.'],
  ] as const)
    assert.equal(contradict(a, b), false, `${a} ${b}`)
  assert.ok(contradict('Use `any` in tests.', 'Never use `any` in tests.'))
})

test('reasons and conditions reject nothing', () => {
  assert.deepEqual(
    kinds('Return null when a repository finds no entity.', 'Return null, because no entity is found.'),
    [],
  )
})

test('rules about other subjects, and two prohibitions, do not contradict each other', () => {
  for (const [a, b] of [
    ['Cache product pages for five minutes.', 'Never cache pages that show an account.'],
    ['Do not log request bodies.', 'Do not log response headers.'],
    ['Do not log request bodies.', 'Never log the body of a request.'],
    ['', '   '],
    ['Use raw SQL.', ''],
  ] as const)
    assert.equal(contradict(a, b), false, a)
})

test('with a similarity, the subject decides: neither words nor closeness suffice alone', () => {
  const closeness = getCloseness('local-minilm-1') ?? assert.fail()
  const evidence = compare('Use raw SQL for reports.', 'Never use raw SQL for reports.')
  const at = (similarity: number) => isContradiction(evidence, { similarity, closeness })
  assert.deepEqual([at(0.9), at(closeness.minSharedSubject - 0.01)], [true, false])
  const same = compare('Use raw SQL for reports.', 'Reports use raw SQL.')
  assert.equal(isContradiction(same, { similarity: 1, closeness }), false)
})

test('long and odd texts are read in bounded time', () => {
  const long = 'Never use raw SQL, '.repeat(600)
  assert.ok(findEvidence(readGuidance(long), readGuidance(`Use raw SQL. ${long}`)).length > 0)
  for (const odd of ['😀'.repeat(3_000), 'not not not', 'instead of', 'over', '%', '"', '!!! no'])
    assert.deepEqual(findEvidence(readGuidance(odd), readGuidance(odd)), [], odd)
})

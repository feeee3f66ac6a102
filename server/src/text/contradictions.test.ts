import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEvidence, isContradiction, readGuidance } from './contradictions.ts'
import { getCloseness } from './embed/closeness.ts'

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
  assert.deepEqual(kinds(preferred, 'Prefer inheritance over composition for widgets.'), ['order'])
  assert.deepEqual(kinds('Indent with tabs, not spaces.', 'Indent with spaces rather than tabs.'), ['order'])
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
  assert.deepEqual([at(0.9), at(closeness.minSameSubject - 0.01)], [true, false])
  const same = compare('Use raw SQL for reports.', 'Reports use raw SQL.')
  assert.equal(isContradiction(same, { similarity: 1, closeness }), false)
})

test('long and odd texts are read in bounded time', () => {
  const long = 'Never use raw SQL, '.repeat(600)
  assert.ok(findEvidence(readGuidance(long), readGuidance(`Use raw SQL. ${long}`)).length > 0)
  for (const odd of ['😀'.repeat(3_000), 'not not not', 'instead of', 'over', '%', '"', '!!! no'])
    assert.deepEqual(findEvidence(readGuidance(odd), readGuidance(odd)), [], odd)
})

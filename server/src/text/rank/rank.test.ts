import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWords } from '../words/words.ts'
import { changedLines } from './prepare.ts'
import { type Candidate, createRanker, lexicalScore } from './rank.ts'

const words = openWords()
const ranker = createRanker(words)

function candidate(id: string, text: string, more: Partial<Candidate> = {}): Candidate {
  return { id, text, file: null, similarity: null, ...more }
}

function situation(text: string, diff = '', files: readonly string[] = []) {
  return { text, diff, files }
}

const guidance = [
  candidate('timeout', 'Outgoing HTTP calls need a timeout.'),
  candidate('alt', 'Images need an alternative text.'),
  candidate('utc', 'Store timestamps in UTC.'),
  candidate('log', 'Never write passwords to the log.'),
  candidate('index', 'Add an index for every foreign key.'),
  candidate('name', 'Use `getUserId` instead of reading the header.'),
]

function first(text: string, diff = ''): string | undefined {
  return ranker.rank(situation(text, diff), guidance)[0]?.id
}

test('finds the same meaning in other words', () => {
  assert.equal(first('The request to the partner may hang forever'), 'timeout')
  assert.equal(first('Blind people cannot understand this picture'), 'alt')
  assert.equal(first('The column holds the local time of the customer'), 'utc')
  assert.equal(first('Credentials are printed for debugging'), 'log')
})

test('finds a common name in any spelling, and the reason says so', () => {
  const [best] = ranker.rank(situation('', '+  const id = get_user_id(request)'), guidance)
  assert.equal(best?.id, 'name')
  assert.match(best?.reason ?? '', /Names “getUserId”/)
})

test('returns all candidates, best first, with scores from 0 to 1', () => {
  const ranked = ranker.rank(situation('slow query on a foreign key'), guidance)
  assert.deepEqual(ranked.map(({ id }) => id).sort(), guidance.map(({ id }) => id).sort())
  assert.equal(ranked[0]?.id, 'index')
  const scores = ranked.map(({ score }) => score)
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
  assert.ok(scores.every((score) => score >= 0 && score <= 1))
})

test('ranks equal texts by file, then folder, then language', () => {
  const text = 'Keep handlers short.'
  const files = ['docs/a.md', 'src/billing/tax.ts', 'src/billing/invoice.ts', 'web/x.tsx']
  const candidates = files.map((file, at) => candidate(String(at), text, { file }))
  const ranked = ranker.rank(situation('anything', '', ['src/billing/invoice.ts']), candidates)
  assert.deepEqual(
    ranked.map(({ id }) => id),
    ['2', '1', '3', '0'],
  )
  assert.match(ranked[0]?.reason ?? '', /same file/)
  assert.match(ranked[1]?.reason ?? '', /same folder/)
})

test('ranks by similarity if no words match', () => {
  const candidates = [
    candidate('far', 'Zebras graze.', { similarity: 0.1 }),
    candidate('near', 'Zebras graze.', { similarity: 0.7 }),
    candidate('unknown', 'Zebras graze.'),
  ]
  assert.equal(ranker.rank(situation('mutex'), candidates)[0]?.id, 'near')
})

test('the order depends neither on the order of the candidates nor on earlier calls', () => {
  const order = (list: readonly Candidate[]) =>
    ranker.rank(situation('log timeouts'), list).map(({ id }) => id)
  const expected = order(guidance)
  ranker.rank(situation('something about images and keys'), guidance)
  assert.deepEqual(order(guidance.toReversed()), expected)
})

test('reasons name common and similar words', () => {
  const reasonOf = (text: string, id: string) =>
    ranker.rank(situation(text), guidance).find((one) => one.id === id)?.reason ?? ''
  assert.match(reasonOf('an index on the foreign key', 'index'), /Shares .*“foreign/)
  assert.match(reasonOf('Credentials leak', 'log'), /“password” is close to “credential”/)
})

test('ranks without candidates or query', () => {
  assert.deepEqual(ranker.rank(situation(''), []), [])
  assert.equal(ranker.rank(situation(''), guidance).length, guidance.length)
})

test('uses changed lines and hunk headers of a diff', () => {
  const diff = ['--- a/x.ts', '+++ b/x.ts', '@@ -1,3 +1,3 @@ class Invoice', ' kept', '-old', '+new'].join(
    '\n',
  )
  assert.equal(changedLines(diff), ' class Invoice\nold\nnew')
  assert.equal(changedLines('just lines\n+ and more'), 'just lines\n+ and more')
})

test('the lexical score counts only common words', () => {
  assert.equal(lexicalScore(words, 'credentials printed', 'Never write passwords to the log.'), 0)
  const rare = lexicalScore(words, 'a deadlock', 'Avoid the deadlock.')
  assert.ok(rare > lexicalScore(words, 'use', 'Use it.'))
})

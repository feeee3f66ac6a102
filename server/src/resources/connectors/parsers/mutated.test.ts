import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostileTexts, mutate } from '../../../../test/connectors/mutated-bodies.ts'
import { loadParserCorpus, ownBots, toSnapshot } from '../../../../test/connectors/parser-corpus.ts'
import { findReviewFault } from '../../../../test/connectors/review-faults.ts'
import { parseReview } from './parse-review.ts'

const BODIES = 3000
const corpus = loadParserCorpus()

test('hostile texts are read by every parser', () => {
  for (const [, [item]] of Map.groupBy(corpus, ({ bot }) => bot)) {
    assert.ok(item)
    for (const text of hostileTexts)
      for (const location of ['thread', 'review', 'comment', 'check'] as const)
        assert.equal(
          findReviewFault(parseReview(toSnapshot({ ...item, location, body: item.body + text }), ownBots)),
          null,
        )
  }
})

test(`${BODIES} mutated bodies are read without a fault`, () => {
  const small = corpus.filter(({ body }) => body.length < 5000)
  // A fixed seed: a failure can be repeated.
  let state = 19
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  for (let count = 0; count < BODIES; count++) {
    const item = small[count % small.length]
    assert.ok(item)
    const body = mutate(next, small, item.body)
    assert.equal(
      findReviewFault(parseReview(toSnapshot({ ...item, body }), ownBots)),
      null,
      JSON.stringify(body.slice(0, 500)),
    )
  }
})

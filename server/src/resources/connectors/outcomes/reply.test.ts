import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_GROWTH, measureGrowth } from '../../../../test/growth.ts'
import { createReplyClassifier } from './reply.ts'

const classify = createReplyClassifier()

test('quoted lines and code are the words of others', () => {
  assert.equal(classify("> won't fix\n\nDone."), 'agrees')
  assert.equal(classify("  > won't fix\n \t> by design\nDone."), 'agrees')
  assert.equal(classify('```\ndone\n```\nwon’t fix'), 'declines')
})

test('the time to read a reply grows with its length, whatever it has', () => {
  for (const unit of [
    '\n',
    '\r',
    '\u2028',
    ' \n',
    '> ',
    '`',
    '```',
    '`` ',
    '@',
    '@a',
    '[bot]',
    ' ',
    'a ',
    '’',
  ]) {
    const text = unit.repeat(64_000 / unit.length)
    const { growth } = measureGrowth(text.length, (size) => classify(text.slice(0, size)))
    assert.ok(growth <= MAX_GROWTH, `${JSON.stringify(unit)}: ${growth.toFixed(1)} ×`)
  }
})

test('a reply that is longer than any answer is unclear', () => {
  assert.equal(classify(`${'> quoted\n'.repeat(7000)}won't fix`), 'declines')
  assert.equal(classify(`${'> quoted\n'.repeat(8000)}won't fix`), 'unclear')
})

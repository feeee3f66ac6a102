import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_GROWTH, measureGrowth } from '../../../../test/growth.ts'
import { createReplyClassifier, createReplyReader, readVerdictCommand } from './reply.ts'

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
    'not ',
    'is already ',
    'ok, ',
    '上面',
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

test('negations and doubts come before phrases', () => {
  for (const body of [
    'This one is not fixed yet.',
    'Could be a false positive, I’ll have a look.',
    'By design?',
    'Not a false positive.',
    'Noch nicht behoben.',
    '还没修复。',
  ])
    assert.equal(classify(body), 'unclear', body)
  for (const body of ['No.', 'YAGNI', 'won’t fix', 'By design.', 'Ist Absicht.', '误报。'])
    assert.equal(classify(body), 'declines', body)
})

test('a reply that agrees says that the code was changed, or not', () => {
  const read = createReplyReader()
  assert.deepEqual(read('Good point, fixed in 3f2a1bc.'), { meaning: 'agrees', isFixed: true })
  assert.deepEqual(read('Good point, will fix.'), { meaning: 'agrees', isFixed: false })
  assert.deepEqual(read('Already handled by the caller.'), { meaning: 'declines', isFixed: false })
})

test('a command names a reason at the start of a comment', () => {
  assert.equal(readVerdictCommand('/scholiast wrong'), 'wrong')
  assert.equal(readVerdictCommand(' /Scholiast WontFix because of X'), 'wontfix')
  assert.equal(readVerdictCommand('see /scholiast later'), null)
  assert.equal(readVerdictCommand('/scholiast why'), null)
})

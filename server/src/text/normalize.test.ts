import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainTextFlags } from './flags.ts'
import { readLearning } from './identity.ts'
import { normalizeText } from './normalize.ts'

const MARKS = 10_000
const hostile = [
  `a${'\u0344'.repeat(MARKS / 2)}${'\u0323'.repeat(MARKS / 2 - 1)}`,
  `a${'\u0323'.repeat(MARKS / 2)}${'\uff9e'.repeat(MARKS / 2 - 1)}`,
]

/** Processor time of the fastest of three runs, because the machine may be busy. */
function measure(work: () => unknown): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const start = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(start)
      return (user + system) / 1000
    }),
  )
}

test('texts that are only combining marks are normalized in bounded time', () => {
  for (const text of hostile) {
    for (const form of ['NFC', 'NFKC'] as const) {
      const plain = measure(() => text.normalize(form))
      const bounded = measure(() => normalizeText(text, form))
      console.log(
        `${form} of ${text.length} characters: ${plain.toFixed(1)} ms, bounded ${bounded.toFixed(1)} ms`,
      )
      assert.ok(bounded < 100, `${bounded} ms`)
    }
    const ms = measure(() => [readLearning(text), explainTextFlags(text)])
    assert.ok(ms < 200, `${ms} ms`)
  }
})

test('texts with fewer marks are normalized as by the language', () => {
  const texts = ['cafe\u0301', `e${'\u0301'.repeat(30)}`, 'ﬁne \u212b \u1100\u1161', 'ｶﾞ', '']
  for (const text of texts)
    for (const form of ['NFC', 'NFKC'] as const) assert.equal(normalizeText(text, form), text.normalize(form))
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { redact } from '../../text/redact.ts'
import { parseDiff } from './changed-lines.ts'

const fileDiff = (path: string, lines: readonly string[]) =>
  [
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    '@@ -1,9 +1,9 @@ function pay() {',
    ...lines,
  ].join('\n')

test('changed lines and the headers of hunks are kept, context is not, and the files are named', () => {
  const diff = `${fileDiff('src/pay.ts', [' same', '+added', '-removed', '+'])}\n${fileDiff('b.sql', ['+select'])}\n`
  assert.deepEqual(parseDiff(diff), {
    lines: '@@ -1,9 +1,9 @@ function pay() {\n+added\n-removed\n@@ -1,9 +1,9 @@ function pay() {\n+select',
    files: ['src/pay.ts', 'b.sql'],
  })
})

test('a file that was added or removed is named once, and /dev/null never', () => {
  assert.deepEqual(parseDiff('--- /dev/null\n+++ b/new.ts\n+a\n--- a/old.ts\n+++ /dev/null\n-b').files, [
    'new.ts',
    'old.ts',
  ])
})

test('a large file does not take the room of the others', () => {
  const large = fileDiff(
    'large.ts',
    Array.from({ length: 20_000 }, (_, index) => `+const value${index} = ${index}`),
  )
  const { lines } = parseDiff(`${large}\n${fileDiff('small.ts', ['+const needle = 1'])}`)
  assert.ok(lines.length <= 6_000 && lines.includes('needle'), String(lines.length))
})

test('what is no diff is taken as it is, and a megabyte of anything is short', () => {
  assert.equal(parseDiff('please look at the retry').lines, 'please look at the retry')
  for (const piece of ['x', '\n', '+\n', '+++ b/a\n+b\n', '@@', 'diff \n', '+a b\n'])
    assert.ok(parseDiff(piece.repeat(1_048_576 / piece.length)).lines.length <= 6_000, piece)
})

test('no line of a private key is left, whole, cut off, or without its beginning', () => {
  const key = Array.from({ length: 200 }, () => randomBytes(48).toString('base64'))
  const whole = ['-----BEGIN PRIVATE KEY-----', ...key, '-----END PRIVATE KEY-----']
  for (const lines of [whole, whole.slice(0, 100), whole.slice(50)]) {
    for (const sign of ['+', '-', '+    ']) {
      const diff = fileDiff(
        'key.pem',
        lines.map((line) => sign + line),
      )
      const { text } = redact(parseDiff(diff).lines)
      for (const secret of key) assert.ok(!text.includes(secret))
    }
  }
})

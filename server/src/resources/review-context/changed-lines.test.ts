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

test('returns changed lines and file names, without hunk headers and context lines', () => {
  const diff = `${fileDiff('src/pay.ts', [' same', '+added', '-removed', '+'])}\n${fileDiff('b.sql', ['+select'])}\n`
  assert.deepEqual(parseDiff(diff), {
    lines: '+added\n-removed\n+select',
    files: ['src/pay.ts', 'b.sql'],
  })
})

test('leaves out changes of layout and of version numbers alone, but no moved line and no other number', () => {
  const linesOf = (...lines: string[]) => parseDiff(fileDiff('a.ts', lines)).lines
  assert.equal(linesOf("-import { a } from 'b';", '+import {a} from "b"'), '')
  assert.equal(linesOf('-pay(a, b)', '+pay(', '+  a,', '+  b,', '+)'), '')
  assert.equal(linesOf('-  "version": "2.11.0",', '+  "version": "2.12.0-rc.1",'), '')
  assert.equal(
    linesOf('-checkAllowance,', ' readBody,', '+checkAllowance,'),
    '-checkAllowance,\n+checkAllowance,',
  )
  assert.equal(linesOf('-timeout = 30', '+timeout = 3000'), '-timeout = 30\n+timeout = 3000')
  assert.equal(linesOf('-a < b', '+a <= b'), '-a < b\n+a <= b')
})

test('lists an added or removed file once, and never /dev/null', () => {
  assert.deepEqual(parseDiff('--- /dev/null\n+++ b/new.ts\n+a\n--- a/old.ts\n+++ /dev/null\n-b').files, [
    'new.ts',
    'old.ts',
  ])
})

test('a large file does not use up the share of the others', () => {
  const large = fileDiff(
    'large.ts',
    Array.from({ length: 20_000 }, (_, index) => `+const value${index} = ${index}`),
  )
  const { lines } = parseDiff(`${large}\n${fileDiff('small.ts', ['+const needle = 1'])}`)
  assert.ok(lines.length <= 6_000 && lines.includes('needle'), String(lines.length))
})

test('uses a text that is not a diff as is, and shortens a megabyte of input', () => {
  assert.equal(parseDiff('please look at the retry').lines, 'please look at the retry')
  for (const piece of ['x', '\n', '+\n', '+++ b/a\n+b\n', '@@', 'diff \n', '+a b\n'])
    assert.ok(parseDiff(piece.repeat(1_048_576 / piece.length)).lines.length <= 6_000, piece)
})

test('no line of a private key remains, whether whole, truncated or without its first line', () => {
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

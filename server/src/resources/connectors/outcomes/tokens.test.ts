import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_GROWTH, measureGrowth } from '../../../../test/growth.ts'
import { tokenize } from './tokens.ts'

function toTexts(code: string, path = 'a.ts'): string[] {
  const lines = code.split('\n')
  return tokenize(lines, path, 1, lines.length).map(({ text }) => text)
}

test('what formatters change is no difference', () => {
  for (const [before, after, path] of [
    ['call(a, b)', 'call(\n  a,\n  b,\n)', 'a.ts'],
    ["const name = 'x';", 'const name = "x"', 'a.js'],
    ['const f = x => x', 'const f = (x) => x', 'a.js'],
    ['  total = a + b', 'total = (\n    a\n    + b\n)', 'a.py'],
    ['return a && b', 'return (\n  a &&\n  b\n)', 'a.tsx'],
    ['- uses: acme/x@main', '- uses: "acme/x@main"', 'a.yml'],
    ['a two\nthree', 'a\ntwo three', 'a.md'],
    ['f() # old', 'f()  # new', 'a.py'],
    ['f() // old', '/* new\n * lines */ f()', 'a.go'],
    ['select 1 -- old', 'select\n  1', 'a.sql'],
  ] as const)
    assert.deepEqual(toTexts(before, path), toTexts(after, path), after)
})

test('what may change the meaning is a difference', () => {
  for (const [before, after, path] of [
    ['a || b && c', '(a || b) && c', 'a.ts'],
    ['a == b', 'a === b', 'a.ts'],
    ["fetch('http://a')", "fetch('http://b')", 'a.ts'],
    ['f(1, 2)', 'f(1)', 'a.ts'],
    ['# Title', '# Other', 'a.md'],
    ['#include <a.h>', '#include <b.h>', 'a.c'],
  ] as const)
    assert.notDeepEqual(toTexts(before, path), toTexts(after, path), after)
})

test('lines of a comment whose start is not read are a comment', () => {
  assert.deepEqual(toTexts(' * of a block\n */\nf()'), ['f', '(', ')'])
})

test('the time to read code grows with its length, whatever it has', () => {
  for (const unit of ['(', ')', '= (', '"', "'\\", '`', '/*', '*/', '/', '-', '#', 'a', ',)', '=> ', '\t'])
    for (const path of ['a.ts', 'a.py', 'a.sql', 'a.md']) {
      const text = unit.repeat(24_000 / unit.length)
      const { growth } = measureGrowth(text.length, (size) => toTexts(text.slice(0, size), path))
      assert.ok(growth <= MAX_GROWTH, `${path}, ${JSON.stringify(unit)}: ${growth.toFixed(1)} ×`)
    }
})

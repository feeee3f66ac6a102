import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzedText, parseCsv, seededNumbers, startsFormula } from '../../test/csv.ts'
import { csvLine } from './csv.ts'

test('of 100,000 fuzzed cells none starts a formula, and each can be parsed back [P7-get-10]', (t) => {
  const random = seededNumbers(7)
  let [guarded, wrong] = [0, 0]
  for (let line = 0; line < 10_000; line++) {
    const cells = Array.from({ length: 10 }, () => fuzzedText(random))
    const read = parseCsv(csvLine(cells))
    assert.equal(read.length, 1)
    const [found = []] = read
    assert.equal(found.length, cells.length)
    for (const [index, cell] of cells.entries()) {
      const shown = found[index] ?? assert.fail()
      if (startsFormula(shown)) wrong += 1
      if (startsFormula(cell)) guarded += 1
      assert.equal(shown, startsFormula(cell) ? `'${cell}` : cell)
    }
  }
  assert.equal(wrong, 0)
  assert.ok(guarded > 10_000, `only ${guarded} cells were dangerous`)
  t.diagnostic(`100,000 cells, ${guarded} of them would have started a formula, ${wrong} do`)
})

test('renders null as an empty cell, numbers as digits, and quotes only if needed', () => {
  assert.equal(csvLine(['a', null, 0, 12, '']), 'a,,0,12,\r\n')
  assert.equal(csvLine(['a b', 'a,b', 'a"b', 'a\nb']), 'a b,"a,b","a""b","a\nb"\r\n')
  assert.equal(csvLine(['-1', '=1', ' =1', '＝1', "'=1", 'a=1']), "'-1,'=1,' =1,'＝1,'=1,a=1\r\n")
})

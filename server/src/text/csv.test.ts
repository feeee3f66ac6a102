import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

/** Reads a table by the grammar of RFC 4180, character by character, and refuses what it does not allow. */
function parse(text: string): string[][] {
  const lines: string[][] = []
  let place = 0
  const readQuoted = (): string => {
    let cell = ''
    for (place += 1; ; place += 1) {
      if (place >= text.length) assert.fail('a quoted cell does not end')
      if (text[place] !== '"') cell += text[place]
      else if (text[place + 1] === '"') cell += text[++place]
      else break
    }
    place += 1
    return cell
  }
  const readPlain = (): string => {
    const start = place
    while (place < text.length && !',\r\n'.includes(text.charAt(place))) {
      assert.notEqual(text[place], '"', 'a quote in a cell that is not quoted')
      place += 1
    }
    return text.slice(start, place)
  }
  while (place < text.length) {
    const cells: string[] = []
    for (;;) {
      cells.push(text[place] === '"' ? readQuoted() : readPlain())
      if (text[place] !== ',') break
      place += 1
    }
    assert.equal(text.slice(place, place + 2), '\r\n', 'a line ends with CR LF')
    place += 2
    lines.push(cells)
  }
  return lines
}

/** The same numbers at every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state >>> 8
  }
}

const spaces = ['\t', '\r', '\n', '\r\n', ' ', '\u00a0', '\ufeff', '\u3000', '\u2028']
const marks = `= + - @ ＝ ＋ － ＠ " "" ' '' , ; | % \\ 1 a Ü 日 😀 =1+1 =cmd|"/c`.split(' ')
const pieces = [...marks, ...spaces]

/** Written without a look at the code: the characters of the contract, also behind white space. */
function startsFormula(cell: string): boolean {
  if (['\t', '\r', '\n'].includes(cell.charAt(0))) return true
  return ['=', '+', '-', '@', '＝', '＋', '－', '＠'].includes(cell.trimStart().charAt(0))
}

test('of 100,000 fuzzed cells none starts a formula, and each is read back as it was', (t) => {
  const random = numbers(7)
  const next = (below: number) => random.next().value % below
  let [guarded, wrong] = [0, 0]
  for (let line = 0; line < 10_000; line++) {
    const cells = Array.from({ length: 10 }, () =>
      Array.from({ length: next(6) }, () => pieces[next(pieces.length)] ?? '').join(''),
    )
    const read = parse(csvLine(cells))
    assert.equal(read.length, 1)
    const [found = []] = read
    assert.equal(found.length, cells.length)
    for (const [place, cell] of cells.entries()) {
      const shown = found[place] ?? assert.fail()
      if (startsFormula(shown)) wrong += 1
      if (startsFormula(cell)) guarded += 1
      assert.equal(shown, startsFormula(cell) ? `'${cell}` : cell)
    }
  }
  assert.equal(wrong, 0)
  assert.ok(guarded > 10_000, `only ${guarded} cells were dangerous`)
  t.diagnostic(`100,000 cells, ${guarded} of them would have started a formula, ${wrong} do`)
})

test('null is an empty cell, a number is written in digits, and only what needs quotes has them', () => {
  assert.equal(csvLine(['a', null, 0, 12, '']), 'a,,0,12,\r\n')
  assert.equal(csvLine(['a b', 'a,b', 'a"b', 'a\nb']), 'a b,"a,b","a""b","a\nb"\r\n')
  assert.equal(csvLine(['-1', '=1', ' =1', '＝1', "'=1", 'a=1']), "'-1,'=1,' =1,'＝1,'=1,a=1\r\n")
})

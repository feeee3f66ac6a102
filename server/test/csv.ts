import assert from 'node:assert/strict'

/** Parses CSV by the grammar of RFC 4180, character by character, and rejects everything else. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = []
  let position = 0
  const readQuoted = (): string => {
    let cell = ''
    for (position += 1; ; position += 1) {
      if (position >= text.length) assert.fail('a quoted cell does not end')
      if (text[position] !== '"') cell += text[position]
      else if (text[position + 1] === '"') cell += text[++position]
      else break
    }
    position += 1
    return cell
  }
  const readPlain = (): string => {
    const start = position
    while (position < text.length && !',\r\n'.includes(text.charAt(position))) {
      assert.notEqual(text[position], '"', 'a quote in a cell that is not quoted')
      position += 1
    }
    return text.slice(start, position)
  }
  while (position < text.length) {
    const cells: string[] = []
    for (;;) {
      cells.push(text[position] === '"' ? readQuoted() : readPlain())
      if (text[position] !== ',') break
      position += 1
    }
    assert.equal(text.slice(position, position + 2), '\r\n', 'a line ends with CR LF')
    position += 2
    lines.push(cells)
  }
  return lines
}

/** The same numbers in every run. */
export function* seededNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state >>> 8
  }
}

const spaces = ['\t', '\r', '\n', '\r\n', ' ', '\u00a0', '\ufeff', '\u3000', '\u2028']
const marks = `= + - @ ＝ ＋ － ＠ " "" ' '' , ; | % \\ 1 a Ü 日 😀 =1+1 =cmd|"/c`.split(' ')
const pieces = [...marks, ...spaces]

/** A text of up to five parts that a spreadsheet or CSV parser may misread. */
export function fuzzedText(random: Generator<number, never>): string {
  const next = (below: number) => random.next().value % below
  return Array.from({ length: next(6) }, () => pieces[next(pieces.length)] ?? '').join('')
}

/** Written from the contract, not from the code: its characters, also after white space. */
export function startsFormula(cell: string): boolean {
  if (['\t', '\r', '\n'].includes(cell.charAt(0))) return true
  return ['=', '+', '-', '@', '＝', '＋', '－', '＠'].includes(cell.trimStart().charAt(0))
}

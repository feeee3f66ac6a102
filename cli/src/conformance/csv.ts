import assert from 'node:assert/strict'

/** Reads RFC 4180: cells by commas, lines by CR LF, quotes doubled in quoted cells. */
export function parseTable(text: string): string[][] {
  assert.ok(text.endsWith('\r\n'), 'the last line ends as every other')
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y
  const lines: string[][] = [[]]
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text)
    assert.ok(match, 'not RFC 4180')
    const [, found = '', end] = match
    lines.at(-1)?.push(found.startsWith('"') ? found.slice(1, -1).replaceAll('""', '"') : found)
    if (end === '\r\n') lines.push([])
  }
  return lines.slice(0, -1)
}

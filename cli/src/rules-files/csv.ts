// Comma separated values by RFC 4180, with cells that a spreadsheet does not run.

/** Spreadsheets run a cell that begins with one of these; the server's exports add a quote before them too. */
const formula = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/

export function parseCsv(content: string): { readonly cells: string[]; readonly line: number }[] {
  const text = content.replace(/^\uFEFF/, '')
  const rows: { cells: string[]; line: number }[] = []
  let [position, line] = [0, 1]
  while (position < text.length) {
    const row = { cells: [] as string[], line }
    for (;;) {
      const cell = text[position] === '"' ? readQuoted(text, position) : readPlain(text, position)
      row.cells.push(unguard(cell.value))
      line += countLines(text.slice(position, cell.end))
      position = cell.end
      if (text[position] !== ',') break
      position += 1
    }
    const lineEnd = /^\r\n?|^\n/.exec(text.slice(position, position + 2))?.[0].length ?? 0
    position += lineEnd
    line += lineEnd === 0 ? 0 : 1
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row)
  }
  return rows
}

export function renderCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(renderCell).join(',')}\r\n`).join('')
}

interface Cell {
  readonly value: string
  readonly end: number
}

/** A quote that never closes ends with the file. */
function readQuoted(text: string, start: number): Cell {
  let value = ''
  let position = start + 1
  while (position < text.length) {
    const quote = text.indexOf('"', position)
    if (quote === -1) return { value: value + text.slice(position), end: text.length }
    value += text.slice(position, quote)
    position = quote + 1
    if (text[position] !== '"') break
    value += '"'
    position += 1
  }
  // Text between the closing quote and the comma is not in the standard; spreadsheets append it.
  const rest = readPlain(text, position)
  return { value: value + rest.value, end: rest.end }
}

function readPlain(text: string, start: number): Cell {
  let end = start
  while (end < text.length && !',\r\n'.includes(text.charAt(end))) end++
  return { value: text.slice(start, end), end }
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}

function renderCell(value: string): string {
  const guarded = formula.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

function unguard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}

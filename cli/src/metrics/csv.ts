import type { Cell } from './tables.ts'

const special = /[",\r\n]/
// Characters that start a formula in a spreadsheet, plain and full-width, and characters it skips before one.
const formula = /^[=+\-@＝＋－＠]/
const skipped = /^[\t\r\n]/

/** One record of RFC 4180; null is an empty cell. The same rules as the CSV of the API. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = skipped.test(cell) || formula.test(cell.trimStart()) ? `'${cell}` : cell
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

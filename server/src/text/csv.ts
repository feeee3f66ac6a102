export const CSV_TYPE = 'text/csv; charset=utf-8'

const special = /[",\r\n]/

// Characters that start a formula in a spreadsheet, plain and full-width, and characters it skips before one.
const formula = /^[=+\-@＝＋－＠]/
const skipped = /^[\t\r\n]/

/** One record of RFC 4180; null is an empty cell. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = escapeFormula(cell)
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Prevents CSV injection: a spreadsheet shows the cell as text. */
function escapeFormula(text: string): string {
  return skipped.test(text) || formula.test(text.trimStart()) ? `'${text}` : text
}

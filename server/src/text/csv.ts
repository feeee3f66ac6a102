export const CSV_TYPE = 'text/csv; charset=utf-8'

const special = /[",\r\n]/

// What a spreadsheet takes for the beginning of a formula, in plain and in full-width form, and what it skips before one.
const formula = /^[=+\-@＝＋－＠]/
const skipped = /^[\t\r\n]/

/** One line of a table, by RFC 4180; what is null is empty. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = escapeFormula(cell)
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Somebody's text stays a text wherever the table is opened. */
function escapeFormula(text: string): string {
  return skipped.test(text) || formula.test(text.trimStart()) ? `'${text}` : text
}

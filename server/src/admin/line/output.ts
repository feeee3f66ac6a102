import type { Cell, Facts, Output } from './command.ts'

// A longer list would push everything else out of a terminal's line; --json has it whole.
const MOST_LISTED = 6

export function renderOutput(output: Output, json: boolean): string {
  if ('written' in output) return ''
  if ('rows' in output) {
    if (json) return JSON.stringify(output.rows, null, 2)
    if (output.rows.length === 0) return output.none
    return [renderTable(output.rows), ...(output.more ? ['', output.more] : [])].join('\n')
  }
  if (json) return JSON.stringify(output.facts, null, 2)
  return output.brief ? output.said : [output.said, ...renderFacts(output.facts)].join('\n')
}

function renderTable(rows: readonly Facts[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => text(row[name]))),
  ]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function renderFacts(facts: Facts): string[] {
  const width = Math.max(0, ...Object.keys(facts).map((name) => name.length))
  return Object.entries(facts).map(([name, value]) => `  ${name.padEnd(width)}  ${text(value)}`)
}

function text(value: Cell | undefined): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return String(value)
  return value.length > MOST_LISTED
    ? `${value.slice(0, 3).join(',')},… ${value.length} in all`
    : value.join(',')
}

import { Refusal } from '../errors.ts'
import { type Cell, type Output, type OutputFields, UsageError } from './command.ts'

// A longer list would not fit a terminal line; --json prints all of it.
const MAX_LIST_ITEMS = 6

export function renderOutput(output: Output, json: boolean): string {
  if ('written' in output) return ''
  if ('rows' in output) {
    if (json) return JSON.stringify(output.rows, null, 2)
    if (output.rows.length === 0) return output.emptyMessage
    return [renderTable(output.rows), ...(output.more ? ['', output.more] : [])].join('\n')
  }
  if (json) return JSON.stringify(output.fields, null, 2)
  return output.brief ? output.message : [output.message, ...renderFields(output.fields)].join('\n')
}

function renderTable(rows: readonly OutputFields[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => renderCell(row[name]))),
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

function renderFields(fields: OutputFields): string[] {
  const width = Math.max(0, ...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields).map(([name, value]) => `  ${name.padEnd(width)}  ${renderCell(value)}`)
}

function renderCell(value: Cell | undefined): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return String(value)
  return value.length > MAX_LIST_ITEMS
    ? `${value.slice(0, 3).join(',')},… ${value.length} in total`
    : value.join(',')
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ECONNRESET',
  'EAI_AGAIN',
])

/** SQLSTATEs that say the installation is not ready, and what makes it ready. */
const notReady: Readonly<Record<string, string>> = {
  '42P01': 'The database lacks a table. Run: npm run admin -- database migrate',
  '42703': 'The database is of another version. Run: npm run admin -- database migrate',
  '3D000': 'The database does not exist. Run: npm run admin -- database bootstrap',
  '28000': 'The database does not let this role in. Check the user of the database URL.',
  '28P01': 'The database does not accept the password. Check the database URL.',
  '42501':
    'The role of this database URL may not do that. Each URL has a role of its own: check which is which.',
}

/** What happened, why, and what to do: one paragraph, no stack unless the fault is ours, never a key. */
export function explainFailure(error: unknown): string {
  return withoutKeys(sentenceOf(error))
}

function sentenceOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof Refusal) return error.message
  if (!(error instanceof Error)) return String(error)
  const code = codeOf(error)
  if (unreachable.has(code)) {
    return `An engine cannot be reached (${reasonOf(error)}). Is it running, and is the URL in the environment right?`
  }
  if (code === 'ERR_INVALID_URL') return 'A URL in the environment is not a URL. Check the *_URL settings.'
  if (error.name === 'StreamNotFoundError') {
    return 'The bus has no streams with this BUS_PREFIX. The worker makes them when it starts: is it running?'
  }
  const remedy = notReady[code]
  if (remedy !== undefined) return `${remedy} (${error.message})`
  return error.constructor === Error || code !== '' ? error.message : (error.stack ?? error.message)
}

function codeOf(error: Error): string {
  const code = (error as { code?: unknown }).code ?? (error.cause instanceof Error ? codeOf(error.cause) : '')
  return typeof code === 'string' ? code : ''
}

/** A connection that fails at several addresses of one name has its reasons inside. */
function reasonOf(error: Error): string {
  return error.message || (error instanceof AggregateError ? error.errors.map(String).join('; ') : error.name)
}

/** Whoever pastes a key where an id belongs must not find it in a log. */
function withoutKeys(text: string): string {
  return text.replace(/sch_[a-z]{3}_[A-Za-z0-9_.-]+/g, 'sch_…')
}

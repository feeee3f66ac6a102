import { InvalidSettingsError } from '../config.ts'
import { UnguardedRoleError } from '../db/guard.ts'
import { isDatabaseUnreachable } from '../db/unavailable.ts'
import { OperationError } from '../errors.ts'
import { escapeControls, toLine } from '../names.ts'
import { type Cell, IncompleteError, type Output, type OutputFields, UsageError } from './command.ts'

// A longer list would not fit a terminal line; --json prints all of it.
const MAX_LIST_ITEMS = 6

/** Names and texts of tenants must not move the cursor, hide text or add lines, so no control character is printed. */
export function renderOutput(output: Output, json: boolean): string {
  return escapeControls(render(output, json))
}

function render(output: Output, json: boolean): string {
  if ('written' in output) return ''
  if ('rows' in output) {
    if (json) return JSON.stringify(output.rows, null, 2)
    if (output.rows.length === 0) return output.emptyMessage
    return [renderTable(output.rows), ...(output.more ? ['', output.more] : [])].join('\n')
  }
  if (json) return JSON.stringify(output.fields, null, 2)
  const message = toLine(output.message)
  return output.brief ? message : [message, ...renderFields(output.fields)].join('\n')
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
  if (typeof value !== 'object') return toLine(String(value))
  return toLine(
    value.length > MAX_LIST_ITEMS
      ? `${value.slice(0, 3).join(',')},… ${value.length} in total`
      : value.join(','),
  )
}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ECONNRESET',
  'EAI_AGAIN',
])

/** By SQLSTATE. */
const databaseRemedies: ReadonlyMap<string, string> = new Map([
  ['42P01', 'A table is missing. Run: npm run admin -- database migrate'],
  ['42703', 'The database schema has another version. Run: npm run admin -- database migrate'],
  ['3D000', 'The database does not exist. Run: npm run admin -- database bootstrap'],
  ['28000', 'The database rejects this role. Check the user in the database URL.'],
  ['28P01', 'The database rejects the password. Check the database URL.'],
  [
    '42501',
    'The role in this database URL lacks the permission. Check that each *_DATABASE_URL has its own role.',
  ],
])

/** Says what is wrong and what to do next. Only a bug prints a stack trace, and nothing prints a key. */
export function explainFailure(error: unknown): string {
  return escapeControls(redactKeys(toMessage(error)))
}

function toMessage(error: unknown): string {
  // commander adds a hint in a line of its own.
  if (error instanceof UsageError) return error.message
  if (error instanceof OperationError || error instanceof UnguardedRoleError) return toLine(error.message)
  if (error instanceof IncompleteError) {
    const message = toLine(error.message)
    return error.cause === undefined ? message : `${message} (${toMessage(error.cause)})`
  }
  if (error instanceof InvalidSettingsError) return error.message
  if (!(error instanceof Error)) return String(error)
  const code = getCode(error)
  if (unreachableCodes.has(code)) {
    return `PostgreSQL or NATS cannot be reached (${getReason(error)}). Check that it is running and that the *_URL settings are correct.`
  }
  if (code === 'ERR_INVALID_URL') return 'A setting is not a valid URL. Check the *_URL settings.'
  if (error.name === 'StreamNotFoundError') {
    return 'NATS has no streams with this BUS_PREFIX. The worker creates them: check that it is running.'
  }
  const remedy = databaseRemedies.get(code)
  if (remedy !== undefined) return `${remedy} (${error.message})`
  return error.constructor === Error || code !== '' ? error.message : (error.stack ?? error.message)
}

/** What went wrong, and what to do next if that is known. Quotes nothing of the error, which may contain a name or a secret. */
export function describeCode(error: unknown): { readonly found: string; readonly remedy: string | null } {
  if (!(error instanceof Error)) return { found: 'failed', remedy: null }
  const code = getCode(error)
  const isAway = unreachableCodes.has(code) || isDatabaseUnreachable(error) || error.name === 'TimeoutError'
  const what = code || error.name
  const found = isAway ? `not reachable (${what})` : `failed (${what})`
  return { found, remedy: databaseRemedies.get(code) ?? null }
}

function getCode(error: Error): string {
  const code =
    (error as { code?: unknown }).code ?? (error.cause instanceof Error ? getCode(error.cause) : '')
  return typeof code === 'string' ? code : ''
}

/** If a host name has several addresses, the error contains one error for each. */
function getReason(error: Error): string {
  return error.message || (error instanceof AggregateError ? error.errors.map(String).join('; ') : error.name)
}

/** A key pasted in place of an id must not end up in a log. */
function redactKeys(text: string): string {
  return text.replace(/sch_[a-z]{3}_[A-Za-z0-9_.-]+/g, 'sch_…')
}

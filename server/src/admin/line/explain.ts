import { Refusal } from '../../errors.ts'
import { UsageError } from './command.ts'

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

const READ_ONLY = '25006'
// SQLSTATEs of a server that refuses connections or ends them: connection errors, too many connections, shutting down.
const unreachableSqlStates = /^(?:08|53300|57P0)/
// SQLSTATEs of other temporary failures: out of resources, statement timeout, lock not available, serialization failure,
// deadlock, read-only after a failover, transaction idle for too long.
const temporarySqlStates = /^(?:53|57014|55P03|40001|40P01|25006|25P03)/
const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const connectionErrors =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error)/

/** The server did not respond in time. */
export class DatabaseSilentError extends Error {
  override readonly name = 'DatabaseSilentError'
  readonly code = 'ETIMEDOUT'
}

/** The server is a standby: it would return old rows and write nothing. */
export class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError'
  readonly code = READ_ONLY

  constructor() {
    super('The database server is a read-only standby. Connect to the primary.')
  }
}

/** Whether a retry can succeed: the database is unreachable or overloaded. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isDatabaseUnreachable(error) || temporarySqlStates.test(getCode(error))
}

/** Whether the server was not there. A request that waited for the failed work need not try again. */
export function isDatabaseUnreachable(error: unknown): boolean {
  const code = getCode(error)
  if (unreachableSqlStates.test(code) || socketErrors.has(code)) return true
  return error instanceof Error && connectionErrors.test(error.message)
}

/** Whether the connection leads to a server that writes nothing, so that the pool must discard it. */
export function isReadOnlyServer(error: unknown): boolean {
  return getCode(error) === READ_ONLY
}

function getCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Whether a statement took too long, because the server is overloaded or because of what the statement does. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '57014'
}

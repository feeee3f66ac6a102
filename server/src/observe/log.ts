import { type Logger, pino } from 'pino'

export type Log = Logger

/**
 * Structured lines on standard output. No credential may be logged: callers log ids, routes and codes, never headers,
 * bodies or query strings. An error is reduced to its name, message, stack and code, because a database error carries
 * row values.
 */
export function createLog(name: string, level: string): Log {
  // Buffered, because a system call per line would be a large part of the cost of a small request.
  const destination = pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: 250 })
  const options = {
    name,
    level,
    base: { service: `scholiast-${name}`, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  }
  return pino(options, destination)
}

function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  return { name, message, stack, code: (error as { code?: unknown }).code }
}

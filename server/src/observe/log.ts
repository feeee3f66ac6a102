import { type Logger, pino } from 'pino'

export type Log = Logger

/**
 * Structured lines on standard output. What opens a door never gets here: callers log ids, routes and codes, never
 * headers, bodies or query strings; an error is reduced to its name, message and stack, because a database error
 * carries the values it complains about.
 */
export function makeLog(name: string, level: string): Log {
  // Gathered for a moment: a system call a line would be a good part of what a small request costs.
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

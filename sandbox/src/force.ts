// The request header that asks for a forced response: `CODE; option=value; …`.

/** The header that the sandbox reads and never passes on. */
export const FORCE_HEADER = 'x-sandbox-force'

const MAX_DELAY_MS = 60_000
const MAX_RETRY_AFTER_SECONDS = 3600
const MAX_TIMES = 1000
const MAX_CUT_BYTES = 1024 ** 3

export const errorCodes = [
  'RATE_LIMIT_EXCEEDED',
  'METRICS_PREPARING',
  'RESPONSE_TOO_LARGE',
  'PAYLOAD_TOO_LARGE',
  'OWNER_NOT_ADMIN',
] as const
export type ForcedCode = (typeof errorCodes)[number]

/** What a request can ask for, in the order of the documentation. */
export const forcedResponses: ReadonlyMap<ForcedCode | 'slow' | 'cut', string> = new Map([
  ['RATE_LIMIT_EXCEEDED', '429 with Retry-After and the rate limit headers; retry-after=SECONDS (default 1)'],
  ['METRICS_PREPARING', '503 with Retry-After, on metrics endpoints; retry-after=SECONDS (default 5)'],
  ['RESPONSE_TOO_LARGE', '413, on endpoints with large pages and files'],
  ['PAYLOAD_TOO_LARGE', '413, on endpoints with a body'],
  ['OWNER_NOT_ADMIN', '403 of a workspace token whose owner was demoted'],
  ['slow', 'the response of the service, delayed; delay=MILLISECONDS (default 5000)'],
  ['cut', 'the response of the service, cut off in its body; after=BYTES (default: half of it)'],
])

interface Repeat {
  /** Requests with the same token are counted together. */
  readonly token: string
  readonly times: number
}

export type Forced = { readonly repeat: Repeat | null } & (
  | { readonly kind: 'error'; readonly code: ForcedCode; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'cut'; readonly afterBytes: number | null }
)

/** A header that cannot be read. Its message is for the caller. */
export class ForceHeaderError extends Error {}

export function parseForceHeader(value: string): Forced {
  const [name = '', ...parts] = value.split(';').map((part) => part.trim())
  const options = new Map(parts.map(parseOption))
  const forced = parseKind(name, options)
  const unknown = [...options.keys()]
  if (unknown.length > 0) throw new ForceHeaderError(`${name} has no option "${unknown.join('", "')}".`)
  return forced
}

function parseKind(name: string, options: Map<string, string>): Forced {
  const repeat = takeRepeat(options)
  if (name === 'slow')
    return { kind: 'slow', repeat, delayMs: takeNumber(options, 'delay', MAX_DELAY_MS) ?? 5000 }
  if (name === 'cut') return { kind: 'cut', repeat, afterBytes: takeNumber(options, 'after', MAX_CUT_BYTES) }
  const code = errorCodes.find((known) => known === name)
  if (code === undefined)
    throw new ForceHeaderError(
      `"${name}" cannot be forced. Known values: ${[...forcedResponses.keys()].join(', ')}.`,
    )
  const waits = code === 'RATE_LIMIT_EXCEEDED' || code === 'METRICS_PREPARING'
  const retryAfterSeconds = waits ? takeNumber(options, 'retry-after', MAX_RETRY_AFTER_SECONDS) : null
  return { kind: 'error', repeat, code, retryAfterSeconds }
}

function takeRepeat(options: Map<string, string>): Repeat | null {
  const times = takeNumber(options, 'times', MAX_TIMES)
  const token = options.get('token')
  options.delete('token')
  if (times === null && token === undefined) return null
  if (times === null || token === undefined || !/^[\w.-]{1,128}$/.test(token))
    throw new ForceHeaderError('times=N needs token=NAME (1 to 128 of A–Z a–z 0–9 . _ -), and vice versa.')
  return { token, times }
}

function parseOption(part: string): [string, string] {
  const [, name, value] = /^([a-z-]+)=(.+)$/.exec(part) ?? []
  if (name === undefined || value === undefined)
    throw new ForceHeaderError(`"${part}" is not an option. Write option=value.`)
  return [name, value]
}

function takeNumber(options: Map<string, string>, name: string, max: number): number | null {
  const value = options.get(name)
  if (value === undefined) return null
  options.delete(name)
  const number = /^[1-9]\d{0,9}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > max) throw new ForceHeaderError(`${name} must be an integer from 1 to ${max}.`)
  return number
}

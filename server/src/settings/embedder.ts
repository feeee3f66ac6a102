/** A model behind an OpenAI-compatible HTTP interface. */
export interface EmbedderConfig {
  /** The base URL before /embeddings, without a trailing slash. */
  readonly url: string
  readonly model: string
  readonly dimensions: number
  /** Sends `dimensions` with each request. Many models reject that parameter. */
  readonly sendDimensions: boolean
  readonly apiKey: string | null
  /** Timeout of one call. All calls for one list of texts may take three times as long. */
  readonly timeoutMs: number
}

/** The maximum of the index over half-precision vectors. */
const MAX_DIMENSIONS = 4000

/** No message quotes the URL or the key, because a secret may have been pasted into the wrong setting. */
export function readEmbedderConfig(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): EmbedderConfig | null {
  const url = env['EMBEDDER_URL'] ?? ''
  if (url === '') {
    const others = Object.keys(env).filter((name) => name.startsWith('EMBEDDER_') && env[name])
    if (others.length > 0)
      problems.push(`EMBEDDER_URL is not set, so ${others.sort().join(' and ')} would have no effect`)
    return null
  }
  const check = (isValid: boolean, problem: string) => {
    if (!isValid) problems.push(problem)
  }
  const integer = (name: string, min: number, max: number, fallback?: number) => {
    const value = Number(env[name] || fallback)
    check(
      Number.isInteger(value) && value >= min && value <= max,
      `${name} must be a whole number from ${min} to ${max}`,
    )
    return value
  }
  const { EMBEDDER_MODEL: model = '', EMBEDDER_API_KEY: apiKey = '' } = env
  const send = env['EMBEDDER_SEND_DIMENSIONS'] || 'no'
  check(isPlainAddress(url), 'EMBEDDER_URL must be http(s)://host/path, without user, query or fragment')
  check(/^[\w./:@+-]{1,200}$/.test(model), 'EMBEDDER_MODEL must be the name of a model')
  check(/^[\x21-\x7e]{0,4096}$/.test(apiKey), 'EMBEDDER_API_KEY must not contain spaces or line breaks')
  check(send === 'yes' || send === 'no', 'EMBEDDER_SEND_DIMENSIONS must be yes or no')
  return {
    url: url.replace(/\/{1,9}$/, ''),
    model,
    dimensions: integer('EMBEDDER_DIMENSIONS', 1, MAX_DIMENSIONS),
    sendDimensions: send === 'yes',
    apiKey: apiKey || null,
    timeoutMs: integer('EMBEDDER_TIMEOUT_MS', 100, 60_000, 5_000),
  }
}

function isPlainAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null) return false
  return /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === ''
}

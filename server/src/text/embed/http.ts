import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbedderConfig } from '../../settings/embedder.ts'
import { type Embedder, EmbeddingError } from './embedder.ts'
import { readVectors } from './http-response.ts'

const MAX_TEXTS_PER_CALL = 100
const MAX_CONCURRENT_CALLS = 4
const MAX_ATTEMPTS = 4
const BUDGET_TIMEOUTS = 3
const INITIAL_BACKOFF_MS = 200
const MAX_BACKOFF_MS = 5_000

// Models reject texts over 8,192 tokens and requests over 300,000. No script needs many more tokens than characters, and
// the first 8,000 characters show what a Learning is about.
const MAX_TEXT_CHARACTERS = 8_000
const MAX_CALL_CHARACTERS = 200_000

/** A failed call. `retryDelayMs` is null if a retry is pointless. */
interface CallFailure {
  readonly failure: EmbeddingError
  readonly retryDelayMs: number | null
}

type CallResult = { readonly vectors: Float32Array[] } | CallFailure

interface CallLimits {
  /** Aborts when another batch fails or the time budget of all batches is used up. */
  readonly signal: AbortSignal
  readonly deadline: number
}

/** A model behind `POST {url}/embeddings`, the API of OpenAI, Ollama, vLLM and others. */
export function createHttpEmbedder(config: EmbedderConfig): Embedder {
  return {
    model: `http:${config.model}:${config.dimensions}`,
    dimensions: config.dimensions,
    embed: (texts, { signal } = {}) => embedAll(config, texts, signal),
  }
}

async function embedAll(
  config: EmbedderConfig,
  texts: readonly string[],
  aborted?: AbortSignal,
): Promise<Float32Array[]> {
  const budgetMs = config.timeoutMs * BUDGET_TIMEOUTS
  const failed = new AbortController()
  const limits = {
    signal: AbortSignal.any([failed.signal, AbortSignal.timeout(budgetMs), ...(aborted ? [aborted] : [])]),
    deadline: performance.now() + budgetMs,
  }
  const batches = createBatches(texts.map((text) => text.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()))
  const vectors: Float32Array[][] = []
  const pendingBatches = batches.entries()
  const work = async () => {
    for (const [index, batch] of pendingBatches) vectors[index] = await embedBatch(config, batch, limits)
  }
  try {
    await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, work))
  } catch (error) {
    failed.abort()
    throw error
  }
  return vectors.flat()
}

function createBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = []
  let size = 0
  for (const text of texts) {
    size += text.length
    const batch = batches.at(-1)
    if (batch && batch.length < MAX_TEXTS_PER_CALL && size <= MAX_CALL_CHARACTERS) batch.push(text)
    else {
      batches.push([text])
      size = text.length
    }
  }
  return batches
}

async function embedBatch(
  config: EmbedderConfig,
  texts: readonly string[],
  limits: CallLimits,
): Promise<Float32Array[]> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await callModel(config, texts, attempt, limits.signal)
    if ('vectors' in outcome) return outcome.vectors
    const { failure, retryDelayMs } = outcome
    const left = limits.deadline - performance.now()
    if (retryDelayMs === null || attempt === MAX_ATTEMPTS || retryDelayMs >= left) throw failure
    await sleep(retryDelayMs, undefined, { signal: limits.signal }).catch(() => {
      throw failure
    })
  }
}

async function callModel(
  config: EmbedderConfig,
  texts: readonly string[],
  attempt: number,
  signal: AbortSignal,
): Promise<CallResult> {
  const timeout = AbortSignal.timeout(config.timeoutMs)
  try {
    const response = await fetch(`${config.url}/embeddings`, {
      method: 'POST',
      headers: headersFor(config),
      body: JSON.stringify({
        model: config.model,
        input: texts,
        encoding_format: 'float',
        ...(config.sendDimensions ? { dimensions: config.dimensions } : {}),
      }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    if (response.ok) return { vectors: await readVectors(response, texts.length, config) }
    await response.body?.cancel()
    return toHttpFailure(response, attempt)
  } catch (error) {
    if (error instanceof EmbeddingError) return { failure: error, retryDelayMs: null }
    return {
      failure: toConnectionError(error, timeout.aborted || signal.aborted),
      retryDelayMs: getBackoffMs(attempt),
    }
  }
}

function headersFor({ apiKey }: EmbedderConfig): Record<string, string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  return apiKey === null ? headers : { ...headers, authorization: `Bearer ${apiKey}` }
}

function toHttpFailure({ status, headers }: Response, attempt: number): CallFailure {
  const failure = new EmbeddingError(`The embedder returned ${status}. ${describeStatus(status)}`)
  if (status !== 408 && status !== 429 && status < 500) return { failure, retryDelayMs: null }
  const retryAfterMs = readRetryAfter(headers.get('retry-after'))
  if (retryAfterMs === null) return { failure, retryDelayMs: getBackoffMs(attempt) }
  // Do not wait longer than MAX_BACKOFF_MS: callers can continue without vectors.
  return {
    failure,
    retryDelayMs: retryAfterMs > MAX_BACKOFF_MS ? null : retryAfterMs + Math.random() * INITIAL_BACKOFF_MS,
  }
}

function describeStatus(status: number): string {
  if (status >= 500) return 'See the log of the embedder.'
  if (status >= 300 && status < 400)
    return 'Redirects are not followed: set EMBEDDER_URL to the target of the redirect.'
  if (status === 401 || status === 403) return 'Check EMBEDDER_API_KEY.'
  if (status === 404) return 'Check EMBEDDER_URL, which must end before /embeddings, and EMBEDDER_MODEL.'
  if (status === 429) return 'The rate limit of the embedder is exceeded.'
  return 'The embedder rejected the request; see docs/embedding.md for common limits.'
}

/** Uses only the error code: the message of fetch may quote the request. */
function toConnectionError(error: unknown, timedOut: boolean): EmbeddingError {
  if (timedOut) return new EmbeddingError('The embedder did not respond in time.')
  const { cause } = error as { readonly cause?: { readonly code?: unknown } }
  const code = typeof cause?.code === 'string' && /^[A-Z_]{1,40}$/.test(cause.code) ? ` (${cause.code})` : ''
  return new EmbeddingError(`The connection to the embedder failed${code}.`)
}

/** Exponential backoff with full jitter, so that processes that failed together do not retry together. */
function getBackoffMs(attempt: number): number {
  return Math.random() * Math.min(INITIAL_BACKOFF_MS * 2 ** attempt, MAX_BACKOFF_MS)
}

/** Parses Retry-After: seconds or an HTTP date. */
function readRetryAfter(value: string | null): number | null {
  if (value === null) return null
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}

import type { EmbedderConfig } from '../../settings/embedder.ts'
import { EmbeddingError } from './embedder.ts'

// The response is untrusted: its size is limited before parsing, and its content is checked.

// A double in full precision takes 25 characters; the rest allows for white space and punctuation.
const BYTES_PER_NUMBER = 40
const BYTES_PER_TEXT = 1_024
const BASE_RESPONSE_BYTES = 65_536

/** Returns one vector per text, in the order of the texts. */
export async function readVectors(
  response: Response,
  texts: number,
  { dimensions }: EmbedderConfig,
): Promise<Float32Array[]> {
  const maxBytes = BASE_RESPONSE_BYTES + texts * (BYTES_PER_TEXT + dimensions * BYTES_PER_NUMBER)
  const { data } = parse(await readBounded(response, maxBytes)) as { readonly data?: unknown }
  if (!Array.isArray(data)) throw new EmbeddingError('The embedder returned JSON without an array "data".')
  if (data.length !== texts)
    throw new EmbeddingError(`The embedder returned ${data.length} vectors for ${texts} texts.`)
  const vectors = Array.from<Float32Array | undefined>({ length: texts })
  for (const item of data as readonly unknown[]) {
    const { index, embedding } = (item ?? {}) as { readonly index?: unknown; readonly embedding?: unknown }
    if (!isTextIndex(index, texts) || vectors[index] !== undefined)
      throw new EmbeddingError('The embedder returned a duplicate or invalid index.')
    vectors[index] = toVector(embedding, dimensions)
  }
  return vectors.filter((vector) => vector !== undefined)
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the stream.
    if (size > maxBytes) throw new EmbeddingError(`The embedder returned more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): object {
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Drop the parser's message: it quotes the response, which may quote the texts.
  }
  throw new EmbeddingError('The embedder returned a response that is not a JSON object.')
}

function isTextIndex(index: unknown, texts: number): index is number {
  return Number.isInteger(index) && (index as number) >= 0 && (index as number) < texts
}

function toVector(embedding: unknown, dimensions: number): Float32Array {
  if (!Array.isArray(embedding))
    throw new EmbeddingError('The embedder returned a vector that is not an array.')
  if (embedding.length !== dimensions)
    throw new EmbeddingError(
      `The embedder returned vectors of ${embedding.length} dimensions, but EMBEDDER_DIMENSIONS is ${dimensions}.`,
    )
  const numbers = embedding as readonly unknown[]
  if (!numbers.every((value) => typeof value === 'number'))
    throw new EmbeddingError('The embedder returned a vector with an entry that is not a number.')
  const length = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0))
  if (!Number.isFinite(length) || length === 0)
    throw new EmbeddingError('The embedder returned a vector whose length is zero or infinite.')
  return Float32Array.from(numbers, (value) => value / length)
}

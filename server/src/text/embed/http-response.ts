import type { EmbedderConfig } from '../../settings/embedder.ts'
import { EmbeddingFailed } from './embedder.ts'

// What a model answers is not trusted: it is bounded before it is parsed, and checked before it is kept.

// A number of a double's full precision takes 25 characters; the rest is room for spaces and what surrounds it.
const BYTES_PER_NUMBER = 40
const BYTES_PER_TEXT = 1_024
const BASE_RESPONSE_BYTES = 65_536

/** One vector a text, in the order of the texts. */
export async function readVectors(
  response: Response,
  texts: number,
  { dimensions }: EmbedderConfig,
): Promise<Float32Array[]> {
  const maxBytes = BASE_RESPONSE_BYTES + texts * (BYTES_PER_TEXT + dimensions * BYTES_PER_NUMBER)
  const { data } = parse(await readBounded(response, maxBytes)) as { readonly data?: unknown }
  if (!Array.isArray(data)) throw new EmbeddingFailed('The embedder answered JSON without a list "data".')
  if (data.length !== texts)
    throw new EmbeddingFailed(`The embedder answered ${data.length} vectors for ${texts} texts.`)
  const vectors = Array.from<Float32Array | undefined>({ length: texts })
  for (const item of data as readonly unknown[]) {
    const { index, embedding } = (item ?? {}) as { readonly index?: unknown; readonly embedding?: unknown }
    if (!isTextIndex(index, texts) || vectors[index] !== undefined)
      throw new EmbeddingFailed('The embedder answered an index twice, or one that no text has.')
    vectors[index] = toVector(embedding, dimensions)
  }
  return vectors.filter((vector) => vector !== undefined)
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (size > maxBytes) throw new EmbeddingFailed(`The embedder answered more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): object {
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // What the parser says quotes the answer, and an answer may quote the texts.
  }
  throw new EmbeddingFailed('The embedder answered something that is no JSON object.')
}

function isTextIndex(index: unknown, texts: number): index is number {
  return Number.isInteger(index) && (index as number) >= 0 && (index as number) < texts
}

function toVector(embedding: unknown, dimensions: number): Float32Array {
  if (!Array.isArray(embedding)) throw new EmbeddingFailed('The embedder answered a vector that is no list.')
  if (embedding.length !== dimensions)
    throw new EmbeddingFailed(
      `The embedder answered vectors of ${embedding.length} dimensions, EMBEDDER_DIMENSIONS says ${dimensions}.`,
    )
  const numbers = embedding as readonly unknown[]
  if (!numbers.every((value) => typeof value === 'number'))
    throw new EmbeddingFailed('The embedder answered a vector with something in it that is no number.')
  const length = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0))
  if (!Number.isFinite(length) || length === 0)
    throw new EmbeddingFailed('The embedder answered a vector that is all zero, or without end.')
  return Float32Array.from(numbers, (value) => value / length)
}

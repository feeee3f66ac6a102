import { hash } from 'node:crypto'

const MAX_VECTORS = 2_000

/** The vectors of one model for texts that are compared again and again. The least recently used one is dropped first. */
export class VectorCache {
  readonly #vectors = new Map<string, Float32Array>()
  readonly #maxVectors: number

  constructor(maxVectors = MAX_VECTORS) {
    this.#maxVectors = maxVectors
  }

  get(model: string, text: string): Float32Array | undefined {
    const key = toKey(model, text)
    const vector = this.#vectors.get(key)
    if (vector !== undefined) this.#put(key, vector)
    return vector
  }

  set(model: string, text: string, vector: Float32Array): void {
    this.#put(toKey(model, text), vector)
    const [oldest] = this.#vectors.keys()
    if (this.#vectors.size > this.#maxVectors && oldest !== undefined) this.#vectors.delete(oldest)
  }

  #put(key: string, vector: Float32Array): void {
    this.#vectors.delete(key)
    this.#vectors.set(key, vector)
  }
}

/** A digest, so that no text stays in memory. */
function toKey(model: string, text: string): string {
  return `${model} ${hash('sha256', text, 'base64')}`
}

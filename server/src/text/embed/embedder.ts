/** Turns redacted texts into vectors of one model. */
export interface Embedder {
  /** Identifies the vectors, including a version: vectors of two models are never compared. */
  readonly model: string
  readonly dimensions: number
  /** Returns one unit vector per text, in order. Rejects with EmbeddingFailed if any text fails. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
}

/** The model is unavailable, too slow, or its response is invalid. The message never quotes texts or keys. */
export class EmbeddingFailed extends Error {
  override readonly name = 'EmbeddingFailed'
}

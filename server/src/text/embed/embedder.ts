/** Turns texts into vectors of one model. Texts are redacted before they come here. */
export interface Embedder {
  /** Names the vectors, version included: those of two models are never compared. */
  readonly model: string
  readonly dimensions: number
  /** One vector a text, in their order, each of length 1. Fails as a whole, with EmbeddingFailed. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
}

/** The model is away, too slow, or answers what it should not. The message quotes neither texts nor keys. */
export class EmbeddingFailed extends Error {
  override readonly name = 'EmbeddingFailed'
}

import type { EmbedderConfig } from '../../settings/embedder.ts'
import { createEmbedderSet, type Embedder, type EmbedderSet } from './embedder.ts'
import { createHttpEmbedder } from './http.ts'

/** The configured model first. The local model is always available as a fallback. */
export function createEmbedders(config: EmbedderConfig | null, local: Embedder): EmbedderSet {
  return createEmbedderSet(config === null ? [local] : [createHttpEmbedder(config), local])
}

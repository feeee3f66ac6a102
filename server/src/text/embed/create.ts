import type { EmbedderConfig } from '../../settings/embedder.ts'
import { createEmbedderSet, type Embedder, type EmbedderSet } from './embedder.ts'
import { createHttpEmbedder } from './http.ts'

/** The configured model first, then the local one if it is installed. */
export function createEmbedders(config: EmbedderConfig | null, local: Embedder | null): EmbedderSet {
  const configured = config === null ? null : createHttpEmbedder(config)
  return createEmbedderSet([configured, local].filter((embedder) => embedder !== null))
}

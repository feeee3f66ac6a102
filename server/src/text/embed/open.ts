import type { EmbedderConfig } from '../../settings/embedder.ts'
import type { Embedder } from './embedder.ts'
import { openHttpEmbedder } from './http.ts'

/** The configured model first; the local one is always there, for when the other is away. */
export function openEmbedders(config: EmbedderConfig | null, local: Embedder): readonly Embedder[] {
  return config === null ? [local] : [openHttpEmbedder(config), local]
}

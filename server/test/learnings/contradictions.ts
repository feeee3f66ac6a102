// What the proof of contradictions needs of the server.
import { createLocalEmbedder, type LocalEmbedder } from '../../src/text/embed/local.ts'

export { findEvidence, isContradiction } from '../../src/text/contradictions/contradictions.ts'
export { readGuidance } from '../../src/text/contradictions/read-guidance.ts'
export { getCloseness } from '../../src/text/embed/closeness.ts'

/** The local model. Close it, or its threads keep the process alive. */
export function openEmbedder(): LocalEmbedder {
  const embedder = createLocalEmbedder()
  if (embedder === null) throw new Error('server/model lacks the files of the model: run npm run build')
  return embedder
}

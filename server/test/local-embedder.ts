import { createLocalEmbedder, type LocalEmbedder } from '../src/text/embed/local.ts'

/** The local model, one for all tests of a process: loading it takes longer than most of them. */
export const localEmbedder: LocalEmbedder = openLocalEmbedder()

function openLocalEmbedder(): LocalEmbedder {
  const embedder = createLocalEmbedder()
  if (embedder === null) throw new Error('server/model lacks the files of the model: run npm run build')
  return embedder
}

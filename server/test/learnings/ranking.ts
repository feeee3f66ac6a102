// The lexical and the vector half of the search, which a proof compares with the whole.
export { lexicalScore } from '../../src/text/rank/rank.ts'
export { openWords } from '../../src/text/words/words.ts'
export { localEmbedder } from '../local-embedder.ts'

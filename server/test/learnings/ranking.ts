// The lexical and the vector half of the search, which a proof compares with the whole.
export { wordsCalibration } from '../../src/text/rank/calibration.ts'
export { readQueryTerms, renderChangedLines } from '../../src/text/rank/query.ts'
export { createRanker } from '../../src/text/rank/rank.ts'
export { localEmbedder } from '../local-embedder.ts'

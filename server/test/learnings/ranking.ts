// What the proof of retrieval needs of the server.
import { readSettings } from '../../src/config.ts'
import { createEmbedders } from '../../src/text/embed/create.ts'
import type { Embedder } from '../../src/text/embed/embedder.ts'
import { localEmbedder } from '../local-embedder.ts'

export { chooseCalibration } from '../../src/resources/review-context/calibrate/choose.ts'
export {
  type LabelledLearning,
  readShippedLearnings,
  type Situation,
} from '../../src/resources/review-context/calibrate/labelled-data.ts'
export { measureRankings, type Rankings } from '../../src/resources/review-context/calibrate/measure.ts'
export {
  type PreparedSituation,
  prepareSituations,
} from '../../src/resources/review-context/calibrate/prepare.ts'
export type { Embedder } from '../../src/text/embed/embedder.ts'
export { type Calibration, findCalibration, wordsCalibration } from '../../src/text/rank/calibration.ts'
export { createRanker } from '../../src/text/rank/rank.ts'

/** The model of the settings `EMBEDDER_…`, else the local one. */
export function openEmbedder(settings: Readonly<Record<string, string>>): Embedder {
  const config = readSettings(settings, (read) => read.embedder())
  return createEmbedders(config, localEmbedder).configured[0] ?? localEmbedder
}

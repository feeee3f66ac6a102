import shippedCalibrations from './calibrations.json' with { type: 'json' }

/** What the scores of a model mean. `learnings calibrate` chooses it on labelled situations. */
export interface Calibration {
  /** Weight of the cosine similarity; 0 without a model. */
  readonly similarity: number
  /** Weight of the share of the query's terms. */
  readonly terms: number
  /** The best candidate fits from this score on; those that follow need more. */
  readonly floor: number
  /** The floor for a query of whose words no candidate contains any: it is often nonsense. */
  readonly unsharedFloor: number
  /** From this similarity on, weighted, the meaning is so close that a candidate is a strong match without shared words. */
  readonly strong: number
}

/** By model name. */
export type Calibrations = ReadonlyMap<string, Calibration>

/** The parts of `EmbeddingModels` that a calibration depends on. */
interface CalibratedModels {
  readonly active: { readonly model: string } | null
  readonly calibrations?: Calibrations
}

const { words, ...models } = shippedCalibrations
const shipped: Calibrations = new Map(Object.entries(models))

/** For searches without a model, and for models that nobody has calibrated. */
export const wordsCalibration: Calibration = words

/** The operator's own calibration comes before the shipped one. Null: nobody has calibrated the model. */
export function findCalibration(model: string, stored: Calibrations = new Map()): Calibration | null {
  return stored.get(model) ?? shipped.get(model) ?? null
}

/** What a search was ranked by. */
export type RankedBy = 'meaning' | 'words'

/** `words` if the model was not used for a query: nothing to embed, no vector in time, no model, or no calibration. */
export function getRankedBy(inUse: CalibratedModels, vector: Float32Array | null): RankedBy {
  return getCalibration(inUse, vector) === wordsCalibration ? 'words' : 'meaning'
}

/** For a query with this vector. A model without a calibration is not used: its similarities mean nothing yet. */
export function getCalibration(
  { active, calibrations }: CalibratedModels,
  vector: Float32Array | null,
): Calibration {
  const calibration = active === null || vector === null ? null : findCalibration(active.model, calibrations)
  return calibration ?? wordsCalibration
}

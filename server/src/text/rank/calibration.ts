import shipped from './calibrations.json' with { type: 'json' }

/** What `learnings calibrate` finds for a model, on labelled situations. */
export interface Calibration {
  /** Weight of the cosine similarity; 0 without a model. */
  readonly similarity: number
  /** Weight of the share of the query's terms. */
  readonly terms: number
  /** A candidate with a lower score does not fit. */
  readonly floor: number
  /** A candidate with this score, or a higher one, is a strong match. */
  readonly strong: number
  /** A text search returns Learnings that are more similar, even if they share no word with it. */
  readonly searchSimilarity: number
}

/** By model name. `words` is for searches without a model, and for models that nobody has calibrated. */
const calibrations = new Map<string, Calibration>(Object.entries(shipped))

export const wordsCalibration: Calibration = shipped.words

/** A model without a calibration is not used: its similarities mean nothing yet. */
export function getCalibration(embedder: { readonly model: string } | null): Calibration {
  return (embedder === null ? undefined : calibrations.get(embedder.model)) ?? wordsCalibration
}

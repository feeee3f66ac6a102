/** What similarities of one model mean. They differ between models, so a model needs figures of its own. */
export interface Closeness {
  /** From this similarity on, two Learnings are close: they say nearly the same, or the opposite. */
  readonly minClose: number
  /** From this similarity on, two Learnings that share most of their words are about the same subject. */
  readonly minSameSubject: number
}

// Chosen on the calibration cases of evals/data/contradictions, and on pairs of server/calibration/learnings.jsonl.
const byModel: ReadonlyMap<string, Closeness> = new Map([
  ['local-minilm-1', { minClose: 0.7, minSameSubject: 0.55 }],
])

/** Null for a model without figures: its similarities are not compared with a threshold. */
export function getCloseness(model: string): Closeness | null {
  return byModel.get(model) ?? null
}

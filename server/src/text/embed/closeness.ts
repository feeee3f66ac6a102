/** What similarities of one model mean. They differ between models, so a model needs figures of its own. */
export interface Closeness {
  /** From this similarity on, two Learnings are close: they say nearly the same, or the opposite. */
  readonly minClose: number
  /** From this similarity on, two Learnings that name tools for one job are about that job. */
  readonly minRelated: number
  /** From this similarity on, two Learnings of which one names nothing that the other lacks are about the same subject. */
  readonly minSharedSubject: number
  /** The same for two Learnings that each name something that the other lacks. */
  readonly minSameSubject: number
}

// Chosen on the calibration cases of evals/data/contradictions, and on pairs of server/calibration/learnings.jsonl.
const byModel: ReadonlyMap<string, Closeness> = new Map([
  ['local-minilm-1', { minClose: 0.7, minRelated: 0.25, minSharedSubject: 0.45, minSameSubject: 0.55 }],
])

/** Null for a model without figures: its similarities are not compared with a threshold. */
export function getCloseness(model: string): Closeness | null {
  return byModel.get(model) ?? null
}

import * as server from '../../server/test/learnings/ranking.ts'
import type { LabelledCase, Row } from '../evaluation.ts'
import type { OfCorpus } from './search-service.ts'

export type Situation = LabelledCase<server.Situation & OfCorpus>

/** The situations, prepared without a service: for the parts of the ranking, and to choose the calibration again. */
export interface Comparison {
  /** Rankings by shared terms alone, and by similarity alone. */
  readonly words: server.Rankings
  readonly vectors: server.Rankings
  /** Chosen on the situations that are not held out. */
  readonly chosen: server.Calibration
}

export async function prepareComparison(
  learnings: readonly server.LabelledLearning[],
  situations: readonly Situation[],
  embedder: server.Embedder,
): Promise<Comparison> {
  const all = await server.prepareSituations({ learnings, situations }, embedder, { inParts: true })
  const withRelevant = all.filter(({ situation, isPart }) => !isPart && situation.relevant.length > 0)
  return {
    words: rankByWords(learnings, withRelevant),
    vectors: rankBySimilarity(withRelevant),
    chosen: server.chooseCalibration(all.filter(({ situation }) => situation.split === 'calibration')),
  }
}

/** Ranks all Learnings. */
function rankByWords(
  learnings: readonly server.LabelledLearning[],
  prepared: readonly server.PreparedSituation[],
): server.Rankings {
  const ranker = server.createRanker()
  const candidates = learnings.map(({ id, learning }) => ({
    id,
    text: learning,
    file: null,
    similarity: null,
  }))
  return new Map(
    prepared.map(({ situation, query: { terms } }) => [
      situation.id,
      ranker.rank({ terms, files: [] }, candidates, server.wordsCalibration).map(({ id }) => id),
    ]),
  )
}

function rankBySimilarity(prepared: readonly server.PreparedSituation[]): server.Rankings {
  return new Map(
    prepared.map(({ situation, candidates }) => [
      situation.id,
      candidates.toSorted((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0)).map(({ id }) => id),
    ]),
  )
}

/** Processors round differently, so a threshold may move by a step. */
const TOLERANCE = 0.02

/** The shipped calibration is the one that the calibration cases give: nothing was chosen on those that are held out. */
export function compareCalibrations(model: string, { chosen }: Comparison): Row[] {
  const shipped = server.findCalibration(model)
  if (shipped === null) return []
  return (['terms', 'floor', 'unsharedFloor', 'strong'] as const).map((name) => ({
    measure: `shipped calibration as chosen on the calibration cases: ${name}`,
    goal: `${chosen[name]} ± ${TOLERANCE}`,
    result: shipped[name],
    met: Math.abs(shipped[name] - chosen[name]) <= TOLERANCE,
  }))
}

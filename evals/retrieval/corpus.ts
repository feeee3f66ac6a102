// Learnings and labelled situations, written by hand and without looking at the ranking that they measure.
import {
  isHeldOut,
  type LabelledLearning,
  readShippedLearnings,
  readShippedSituations,
  type Situation,
} from '../../server/test/learnings/ranking.ts'

export interface Corpus {
  readonly learnings: readonly LabelledLearning[]
  readonly situations: Readonly<Record<'paraphrases' | 'diffs' | 'identifiers', readonly Situation[]>>
  /** Changes for which no Learning is needed: layout, versions, prose, generated files, other languages. */
  readonly nothingApplies: readonly Situation[]
  /** Texts without a meaning for anybody who reviews code. */
  readonly nonsense: readonly Situation[]
}

export async function loadCorpus(): Promise<Corpus> {
  const { learnings } = await readShippedLearnings()
  return {
    learnings,
    situations: {
      paraphrases: await readShippedSituations('paraphrases'),
      diffs: await readShippedSituations('diffs'),
      identifiers: await readShippedSituations('identifiers'),
    },
    nothingApplies: await readShippedSituations('nothing-applies'),
    nonsense: await readShippedSituations('nonsense'),
  }
}

/** All Learnings, and the situations on which nothing was chosen. */
export function selectHeldOut({ learnings, situations, nothingApplies, nonsense }: Corpus): Corpus {
  return {
    learnings,
    situations: {
      paraphrases: situations.paraphrases.filter(isHeldOut),
      diffs: situations.diffs.filter(isHeldOut),
      identifiers: situations.identifiers.filter(isHeldOut),
    },
    nothingApplies: nothingApplies.filter(isHeldOut),
    nonsense: nonsense.filter(isHeldOut),
  }
}

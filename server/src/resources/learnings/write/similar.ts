import type { AppContext } from '../../../http/app-context.ts'
import type { LearningId } from '../../../ids.ts'
import { readModels } from '../../../learning-index/models.ts'
import { findSimilar, type SimilarById } from '../../../learning-index/similar.ts'
import { getCloseness } from '../../../text/embed/closeness.ts'
import type { EmbeddedTexts } from './embed.ts'
import type { WriteContext } from './write-context.ts'

interface ComparedText {
  readonly id: LearningId
  readonly text: string
}

/** Without an active model, or for one without figures, nobody knows from which similarity on two texts are close. */
export async function canCompare({ apiPool, embedders }: AppContext): Promise<boolean> {
  const { active } = await readModels(apiPool, embedders)
  return active !== null && getCloseness(active.model) !== null
}

/**
 * By id, for texts that could be compared: the shared Learnings of the organization that are close to it. Texts that are shared
 * together are also compared with each other.
 */
export async function findSimilarLearnings(
  { scope, tx, organization }: Pick<WriteContext, 'scope' | 'tx' | 'organization'>,
  texts: readonly ComparedText[],
  { models, vectorsOf }: Pick<EmbeddedTexts, 'models' | 'vectorsOf'>,
  { withEachOther }: { readonly withEachOther: boolean },
): Promise<SimilarById> {
  const { active } = models
  const closeness = active && getCloseness(active.model)
  if (!closeness) return new Map()
  const learnings = texts.flatMap(({ id, text }) => {
    const vector = vectorsOf(text).get(active.model)
    return vector === undefined ? [] : [{ id, vector }]
  })
  const comparison = { minSimilarity: closeness.minClose, withEachOther }
  return findSimilar(scope, tx, models, organization, learnings, comparison)
}

export function renderSimilar(similar: SimilarById, id: LearningId) {
  const found = similar.get(id)
  return found !== undefined && { similar: [...found] }
}

import type { LearningId } from '../../../ids.ts'
import { findSimilar, type SimilarById } from '../../../learning-index/similar.ts'
import { getCalibration } from '../../../text/embed/calibration.ts'
import type { EmbeddedTexts } from './embed.ts'
import type { WriteContext } from './write-context.ts'

interface ComparedText {
  readonly id: LearningId
  readonly text: string
}

/** Empty without an active model that is calibrated: nobody knows then from which similarity on two texts are close. */
export async function findSimilarLearnings(
  { scope, tx, organization }: WriteContext,
  texts: readonly ComparedText[],
  { models, vectorsOf }: EmbeddedTexts,
): Promise<SimilarById> {
  const { model } = models.active
  const calibration = getCalibration(model)
  if (calibration === null) return new Map()
  const learnings = texts.flatMap(({ id, text }) => {
    const vector = vectorsOf(text).get(model)
    return vector === undefined ? [] : [{ id, vector }]
  })
  return findSimilar(scope, tx, models, organization, learnings, calibration.close)
}

export function renderSimilar(similar: SimilarById, id: LearningId) {
  const found = similar.get(id)
  return found !== undefined && { similar: [...found] }
}

import type { AppContext } from '../../../http/app-context.ts'
import type { LearningId } from '../../../ids.ts'
import { readModels } from '../../../learning-index/models.ts'
import { findSimilar, findSimilarLive, type SimilarById } from '../../../learning-index/similar.ts'
import type { LearningVector } from '../../../learning-index/sql.ts'
import { type Closeness, getCloseness } from '../../../text/embed/closeness.ts'
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

type ComparisonContext = Pick<WriteContext, 'scope' | 'tx' | 'organization'>
type TextVectors = Pick<EmbeddedTexts, 'models' | 'vectorsOf'>

/** By id, for texts that could be compared: the shared Learnings of the organization that are close to it. */
export async function findSimilarLearnings(
  { scope, tx, organization }: ComparisonContext,
  texts: readonly ComparedText[],
  { models, vectorsOf }: TextVectors,
): Promise<SimilarById> {
  const compared = toCompared(texts, { models, vectorsOf })
  if (compared === null) return new Map()
  return findSimilar(scope, tx, models, organization, compared.learnings, compared.closeness.minClose)
}

/** Like `findSimilarLearnings`, for texts that are not shared: they are not compared with each other. */
export async function findSimilarToPending(
  { scope, tx, organization }: ComparisonContext,
  texts: readonly ComparedText[],
  { models, vectorsOf }: TextVectors,
): Promise<SimilarById> {
  const compared = toCompared(texts, { models, vectorsOf })
  if (compared === null) return new Map()
  return findSimilarLive(scope, tx, models, organization, compared.learnings, compared.closeness.minClose)
}

function toCompared(
  texts: readonly ComparedText[],
  { models: { active }, vectorsOf }: TextVectors,
): { readonly learnings: readonly LearningVector[]; readonly closeness: Closeness } | null {
  const closeness = active && getCloseness(active.model)
  if (!closeness) return null
  const learnings = texts.flatMap(({ id, text }) => {
    const vector = vectorsOf(text).get(active.model)
    return vector === undefined ? [] : [{ id, vector }]
  })
  return { learnings, closeness }
}

export function renderSimilar(similar: SimilarById, id: LearningId) {
  const found = similar.get(id)
  return found !== undefined && { similar: [...found] }
}

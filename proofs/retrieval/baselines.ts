import {
  createRanker,
  localEmbedder as embedder,
  readQueryTerms,
  renderChangedLines,
  wordsCalibration,
} from '../../server/test/learnings/ranking.ts'
import type { Learning, Situation } from './corpus.ts'
import type { Rankings } from './measure.ts'

const BATCH_SIZE = 100

/** Ranks all Learnings by shared terms alone and by vector similarity alone. */
export async function rankByBaselines(
  learnings: readonly Learning[],
  situations: readonly Situation[],
): Promise<{ readonly words: Rankings; readonly vectors: Rankings }> {
  const ranker = createRanker()
  const learningVectors: Float32Array[] = []
  for (let start = 0; start < learnings.length; start += BATCH_SIZE) {
    const batch = learnings.slice(start, start + BATCH_SIZE)
    learningVectors.push(...(await embedder.embed(batch.map(({ text }) => text))))
  }
  const candidates = learnings.map(({ id, text }) => ({ id, text, file: null, similarity: null }))
  const words = new Map<string, readonly string[]>()
  const vectors = new Map<string, readonly string[]>()
  for (const { id, text = '', diff = '' } of situations) {
    const lines = diff.split('\n').filter((line) => /^[+-]/.test(line))
    const [queryVector] = await embedder.embed([`${text}\n${renderChangedLines(lines.join('\n'))}`.trim()])
    const terms = readQueryTerms(text, lines.join('\n'))
    const byTerms = ranker.rank({ terms, files: [] }, candidates, wordsCalibration)
    words.set(
      id,
      byTerms.map((ranked) => ranked.id),
    )
    vectors.set(id, rankBySimilarity(learnings, learningVectors, queryVector))
  }
  return { words, vectors }
}

function rankBySimilarity(
  learnings: readonly Learning[],
  vectors: readonly Float32Array[],
  query: Float32Array | undefined,
): string[] {
  return learnings
    .map(({ id }, index) => ({ id, similarity: dotProduct(query, vectors[index]) }))
    .sort((a, b) => b.similarity - a.similarity)
    .map(({ id }) => id)
}

function dotProduct(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

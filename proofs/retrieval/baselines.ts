import {
  createRanker,
  localEmbedder as embedder,
  readQueryTerms,
  renderChangedLines,
  wordsCalibration,
} from '../../server/test/learnings/ranking.ts'
import type { Learning, Situation } from './corpus.ts'
import type { Rankings } from './measure.ts'

/** Ranks all Learnings by shared terms alone and by vector similarity alone. */
export async function rankByBaselines(
  learnings: readonly Learning[],
  situations: readonly Situation[],
): Promise<{ readonly lexical: Rankings; readonly vector: Rankings }> {
  const ranker = createRanker()
  const vectors = await embedder.embed(learnings.map(({ text }) => text))
  const candidates = learnings.map(({ id, text }) => ({ id, text, file: null, similarity: null }))
  const lexical = new Map<string, readonly string[]>()
  const vector = new Map<string, readonly string[]>()
  for (const { id, text = '', diff = '' } of situations) {
    const lines = diff.split('\n').filter((line) => /^[+-]/.test(line))
    const [queryVector] = await embedder.embed([`${text}\n${renderChangedLines(lines.join('\n'))}`.trim()])
    const terms = readQueryTerms(text, lines.join('\n'))
    const byTerms = ranker.rank({ terms, files: [] }, candidates, wordsCalibration)
    lexical.set(
      id,
      byTerms.map((ranked) => ranked.id),
    )
    vector.set(id, rankBySimilarity(learnings, vectors, queryVector))
  }
  return { lexical, vector }
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

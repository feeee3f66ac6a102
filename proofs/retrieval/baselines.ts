import { localEmbedder as embedder, lexicalScore, openWords } from '../../server/test/learnings/ranking.ts'
import type { Learning, Situation } from './corpus.ts'
import type { Rankings } from './measure.ts'

/** Ranks all Learnings by lexical score alone and by vector similarity alone. */
export async function rankByBaselines(
  learnings: readonly Learning[],
  situations: readonly Situation[],
): Promise<{ readonly lexical: Rankings; readonly vector: Rankings }> {
  const words = openWords()
  const vectors = await embedder.embed(learnings.map(({ text }) => text))
  const lexical = new Map<string, readonly string[]>()
  const vector = new Map<string, readonly string[]>()
  for (const { id, text = '', diff = '' } of situations) {
    const query = `${text}\n${diff}`.trim()
    const [queryVector] = await embedder.embed([query])
    lexical.set(
      id,
      rank(learnings, (learning) => lexicalScore(words, query, learning.text)),
    )
    vector.set(
      id,
      rank(learnings, (_, index) => dotProduct(queryVector, vectors[index])),
    )
  }
  return { lexical, vector }
}

function rank(
  learnings: readonly Learning[],
  getScore: (learning: Learning, index: number) => number,
): string[] {
  return learnings
    .map((learning, index) => ({ id: learning.id, score: getScore(learning, index) }))
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id)
}

function dotProduct(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

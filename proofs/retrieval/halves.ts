import { createLocalEmbedder, lexicalScore, openWords } from '../../server/test/learnings/ranking.ts'
import type { Orders } from './measure.ts'
import type { Learning, Situation } from './shapes.ts'

/** The order by words in common alone, and the order by vectors alone, over all Learnings. */
export async function orderByHalves(
  learnings: readonly Learning[],
  situations: readonly Situation[],
): Promise<{ readonly lexical: Orders; readonly vector: Orders }> {
  const words = openWords()
  const embedder = createLocalEmbedder(words)
  const vectors = await embedder.embed(learnings.map(({ text }) => text))
  const lexical = new Map<string, readonly string[]>()
  const vector = new Map<string, readonly string[]>()
  for (const { id, text = '', diff = '' } of situations) {
    const said = `${text}\n${diff}`.trim()
    const [asked] = await embedder.embed([said])
    lexical.set(
      id,
      sort(learnings, (learning) => lexicalScore(words, said, learning.text)),
    )
    vector.set(
      id,
      sort(learnings, (_, place) => dot(asked, vectors[place])),
    )
  }
  return { lexical, vector }
}

function sort(
  learnings: readonly Learning[],
  scoreOf: (learning: Learning, place: number) => number,
): string[] {
  return learnings
    .map((learning, place) => ({ slug: learning.id, score: scoreOf(learning, place) }))
    .sort((a, b) => b.score - a.score)
    .map(({ slug }) => slug)
}

function dot(one: Float32Array = new Float32Array(), other: Float32Array = new Float32Array()): number {
  return one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0)
}

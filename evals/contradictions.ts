import * as server from '../server/test/learnings/contradictions.ts'
import { readShippedLearnings } from '../server/test/learnings/ranking.ts'
import {
  atLeast,
  type Evaluation,
  getPrecision,
  getRecall,
  type LabelledCase,
  requireFields,
} from './evaluation.ts'

const MIN_PAIRS = 100
const MIN_PRECISION = 0.9
// Guards against decay. The aim is 0.6: see docs/results.md.
const MIN_RECALL = 0.5
const TEXTS_PER_BATCH = 200
const WORDS = 'by words alone'

const shippedDetector = {
  findEvidence: server.findEvidence,
  isContradiction: server.isContradiction,
}

type Detector = typeof shippedDetector
type Embedder = ReturnType<typeof server.openEmbedder>
type Pair = LabelledCase<{ label: 'contradicts' | 'compatible'; a: string; b: string }>

const precision = { name: 'precision', count: getPrecision('contradicts') }
const recall = { name: 'recall', count: getRecall('contradicts') }

/** Pairs of Learnings that contradict each other are recognized, and hardly any other pair. */
export const evaluation: Evaluation = {
  data: new URL('data/contradictions', import.meta.url),
  measures: [
    { ...precision, goals: { 'held-out': { min: MIN_PRECISION } } },
    { ...recall, goals: { 'held-out': { min: MIN_RECALL } } },
    { ...precision, by: WORDS, goals: { 'held-out': { min: MIN_PRECISION } } },
    { ...recall, by: WORDS },
  ],
  cures: [
    {
      title: 'whatever is close and shares words contradicts',
      edit: {
        file: 'text/contradictions/contradictions.ts',
        name: 'restricts',
        by: 'function restricts(): boolean { return true }',
      },
    },
    {
      title: 'different subjects do not matter',
      edit: {
        file: 'text/contradictions/contradictions.ts',
        name: 'countDiffering',
        by: 'function countDiffering(): number { return 0 }',
      },
    },
  ],
  async judge({ cases, isBrought, options, copy, load }) {
    const pairs = cases.map((pair) => requireFields<Pair>(pair, 'label', 'a', 'b'))
    const embedder = server.openEmbedder()
    try {
      const detector = await load(shippedDetector, 'text/contradictions/contradictions.ts')
      const vectors = await embedAll(
        pairs.flatMap(({ a, b }) => [a, b]),
        embedder,
      )
      const closeness = server.getCloseness(embedder.model)
      const judged = pairs.flatMap((pair, index) => {
        const similarity = multiply(vectors[2 * index], vectors[2 * index + 1])
        return [
          { ...pair, answer: answer(detector, pair, closeness && { similarity, closeness }) },
          { ...pair, answer: answer(detector, pair, null), by: WORDS },
        ]
      })
      if (isBrought) return { judged }
      const rows = [atLeast('labelled pairs', MIN_PAIRS, pairs.length)]
      const counts = !options.quick && copy === null
      return { judged, rows, notes: counts ? [await countInCorpus(detector, embedder)] : [] }
    } finally {
      await embedder.close()
    }
  },
}

function answer(
  { findEvidence, isContradiction }: Detector,
  { a, b }: Pick<Pair, 'a' | 'b'>,
  compared: Parameters<Detector['isContradiction']>[1],
): Pair['label'] {
  const evidence = findEvidence(server.readGuidance(a), server.readGuidance(b))
  return isContradiction(evidence, compared) ? 'contradicts' : 'compatible'
}

/** Learnings that one team could have: few contradict each other, so what is reported is mostly wrong. */
async function countInCorpus(detector: Detector, embedder: Embedder): Promise<string> {
  const { learnings } = await readShippedLearnings()
  const texts = learnings.map(({ learning }) => learning)
  const vectors = await embedAll(texts, embedder)
  const closeness = server.getCloseness(embedder.model)
  if (closeness === null) throw new Error(`closeness.ts has no figures for ${embedder.model}.`)
  let close = 0
  const reported: string[] = []
  for (const [index, a] of texts.entries()) {
    for (const [offset, b] of texts.slice(index + 1).entries()) {
      const similarity = multiply(vectors[index], vectors[index + 1 + offset])
      if (similarity < closeness.minRelated) continue
      close++
      if (answer(detector, { a, b }, { similarity, closeness }) === 'contradicts')
        reported.push(`\n    - ${a}\n      ${b}`)
    }
  }
  const all = (texts.length * (texts.length - 1)) / 2
  return `${texts.length} Learnings of retrieval, ${all} pairs: ${close} about the same subject, reported as contradictions: ${reported.length}${reported.join('')}`
}

/** In batches: the model's queue refuses more texts at once than it has room for. */
async function embedAll(texts: readonly string[], embedder: Embedder): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let start = 0; start < texts.length; start += TEXTS_PER_BATCH)
    vectors.push(...(await embedder.embed(texts.slice(start, start + TEXTS_PER_BATCH))))
  return vectors
}

function multiply(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

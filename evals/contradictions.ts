import { pathToFileURL } from 'node:url'
import type { ProofOptions } from '../proofs/run.ts'
import { copyWithout, type SourceEdit } from '../proofs/tools/copy.ts'
import { type Measurement, report } from '../proofs/tools/report.ts'
import * as server from '../server/test/learnings/contradictions.ts'
import { loadPairs, type Pair } from './contradictions/pairs.ts'
import { loadCorpus } from './retrieval/corpus.ts'

const MIN_PAIRS = 100
const MIN_PRECISION = 0.9
/** Guards against decay; it is no promise. */
const MIN_RECALL = 0.5
const TEXTS_PER_BATCH = 200

/** Without polarity, whatever is close and shares words is taken for a contradiction. */
const withoutPolarity: SourceEdit = {
  file: 'text/contradictions.ts',
  name: 'restricts',
  by: 'function restricts(): boolean { return true }',
}

/** Pairs of Learnings that contradict each other are recognized, and hardly any other pair. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const copy = withoutCure ? await copyWithout([withoutPolarity]) : null
  const embedder = server.openEmbedder()
  try {
    const detector: Detector =
      copy === null ? server : await import(pathToFileURL(`${copy.folder}/src/text/contradictions.ts`).href)
    await measurePairs(detector, embedder)
    if (!quick && !withoutCure) await countInCorpus(detector, embedder)
  } finally {
    await embedder.close()
    await copy?.remove()
  }
}

type Detector = Pick<typeof server, 'readGuidance' | 'findEvidence' | 'isContradiction'>
type Embedder = ReturnType<typeof server.openEmbedder>
type ComparedPair = Pair & { readonly similarity: number }

async function measurePairs(detector: Detector, embedder: Embedder): Promise<void> {
  const { developed, heldOut } = loadPairs()
  const halves = {
    developed: await addSimilarities(developed, embedder),
    'held out': await addSimilarities(heldOut, embedder),
  }
  const closeness = server.getCloseness(embedder.model)
  const withModel = (pair: ComparedPair) =>
    contradicts(detector, pair, closeness && { similarity: pair.similarity, closeness })
  const byWords = (pair: ComparedPair) => contradicts(detector, pair, null)
  const result = measure(halves['held out'], withModel)
  const count = developed.length + heldOut.length
  report(`contradictions: ${count} labelled pairs, ${heldOut.length} of them held out`, [
    atLeast('labelled pairs', MIN_PAIRS, count),
    atLeast('precision on the held-out half', MIN_PRECISION, result.precision),
    atLeast('recall on the held-out half', MIN_RECALL, result.recall),
    atLeast(
      'precision on the held-out half, by words alone',
      MIN_PRECISION,
      measure(halves['held out'], byWords).precision,
    ),
  ])
  console.log('\n  precision and recall')
  for (const [name, pairs] of Object.entries(halves)) {
    printQuality(`${name}, with the model`, measure(pairs, withModel))
    printQuality(`${name}, by words alone`, measure(pairs, byWords))
  }
  console.log('\n  held out: pairs taken for contradictions, by kind')
  for (const [kind, pairs] of Map.groupBy(halves['held out'], (pair) => pair.kind))
    console.log(`    ${kind.padEnd(16)} ${pairs.filter(withModel).length} of ${pairs.length}`)
}

function contradicts(
  { readGuidance, findEvidence, isContradiction }: Detector,
  { a, b }: Pick<Pair, 'a' | 'b'>,
  compared: Parameters<Detector['isContradiction']>[1],
): boolean {
  return isContradiction(findEvidence(readGuidance(a), readGuidance(b)), compared)
}

/** Learnings that one team could have: few contradict each other, so what is reported is mostly wrong. */
async function countInCorpus(detector: Detector, embedder: Embedder): Promise<void> {
  const { learnings } = await loadCorpus()
  const vectors = await embedAll(
    learnings.map(({ learning }) => learning),
    embedder,
  )
  const closeness = server.getCloseness(embedder.model)
  if (closeness === null) throw new Error(`closeness.ts has no figures for ${embedder.model}.`)
  let close = 0
  const reported: string[] = []
  for (const [index, { learning: a }] of learnings.entries()) {
    for (let other = index + 1; other < learnings.length; other++) {
      const similarity = multiply(vectors[index], vectors[other])
      if (similarity < closeness.minSameSubject) continue
      close++
      const b = learnings[other]?.learning ?? ''
      if (contradicts(detector, { a, b }, { similarity, closeness })) reported.push(`${a}\n      ${b}`)
    }
  }
  const all = (learnings.length * (learnings.length - 1)) / 2
  console.log(
    `\n  ${learnings.length} Learnings of the retrieval proof, ${all} pairs: ${close} about the same subject, reported as contradictions: ${reported.length}`,
  )
  for (const pair of reported) console.log(`    - ${pair}`)
}

/** In batches: the model's queue refuses more texts at once than it has room for. */
async function embedAll(texts: readonly string[], embedder: Embedder): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let start = 0; start < texts.length; start += TEXTS_PER_BATCH)
    vectors.push(...(await embedder.embed(texts.slice(start, start + TEXTS_PER_BATCH))))
  return vectors
}

async function addSimilarities(pairs: readonly Pair[], embedder: Embedder): Promise<ComparedPair[]> {
  const vectors = await embedAll(
    pairs.flatMap(({ a, b }) => [a, b]),
    embedder,
  )
  return pairs.map((pair, index) => ({
    ...pair,
    similarity: multiply(vectors[2 * index], vectors[2 * index + 1]),
  }))
}

interface Quality {
  readonly precision: number
  readonly recall: number
  readonly reported: number
  readonly pairs: number
}

function measure(pairs: readonly ComparedPair[], isReported: (pair: ComparedPair) => boolean): Quality {
  const reported = pairs.filter(isReported)
  const right = reported.filter((pair) => pair.contradicts).length
  return {
    precision: round(right / Math.max(1, reported.length)),
    recall: round(right / pairs.filter((pair) => pair.contradicts).length),
    reported: reported.length,
    pairs: pairs.length,
  }
}

function printQuality(name: string, { precision, recall, reported, pairs }: Quality): void {
  const figures = `${precision.toFixed(3)}  ${recall.toFixed(3)}`
  console.log(`    ${name.padEnd(26)} ${figures}  (${reported} of ${pairs} pairs reported)`)
}

function atLeast(name: string, goal: number, result: number): Measurement {
  return { measure: name, goal: `≥ ${goal}`, result, met: result >= goal }
}

function multiply(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

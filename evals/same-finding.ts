import * as server from '../server/test/connectors/same-finding.ts'
import {
  atLeast,
  type Evaluation,
  getPrecision,
  getRecall,
  type Judged,
  type LabelledCase,
  requireFields,
} from './evaluation.ts'

const MIN_PAIRS = 200
/** The aim is 0.95. This guards against decay: docs/proofs.md has the figure. */
const goals = { 'held-out': { min: 0.8 } }

interface Finding {
  readonly file: string
  readonly start_line: number
  readonly end_line: number
  readonly title: string
  readonly text: string
}

type Pair = LabelledCase<{ label: 'same' | 'different'; a: Finding; b: Finding }>

const sameLines = ({ kind }: Judged) => !kind.startsWith('same words')

/** Two bots that report one problem are counted as overlap, and two that report two problems are not. */
export const evaluation: Evaluation = {
  data: new URL('data/same-finding', import.meta.url),
  measures: [
    { name: 'precision of same', count: getPrecision('same'), goals },
    { name: 'recall of same', count: getRecall('same'), goals },
    {
      name: 'precision of same, only pairs on the same lines',
      count: (judged) => getPrecision('same')(judged.filter(sameLines)),
      goals,
    },
  ],
  cures: [
    {
      title: 'findings on the same lines are the same, whatever they say',
      edit: {
        file: 'text/same-finding.ts',
        name: 'MIN_SIMILARITY',
        by: 'export const MIN_SIMILARITY = -1',
      },
    },
  ],
  async judge({ cases, isBrought, load }) {
    const pairs = cases.map(parsePair)
    const { pairFindings } = await load({ pairFindings: server.pairFindings }, 'text/pair-findings.ts')
    const judged = pairs.map((pair): Judged => {
      const { length } = pairFindings([toComparable(pair.a)], [toComparable(pair.b)])
      return { ...pair, answer: length === 1 ? 'same' : 'different' }
    })
    if (isBrought) return { judged }
    const rows = [atLeast('labelled pairs', MIN_PAIRS, pairs.length)]
    return { judged, rows, notes: [renderThreshold(pairs.filter(({ split }) => split === 'calibration'))] }
  },
}

function parsePair(given: unknown): Pair {
  const pair = requireFields<Pair>(given, 'label', 'a', 'b')
  if (!['same', 'different'].includes(pair.label))
    throw new Error(`${pair.id}: "label" must be same or different`)
  for (const finding of [pair.a, pair.b])
    requireFields<Finding>(finding, 'file', 'start_line', 'end_line', 'title', 'text')
  return pair
}

function toComparable({ title, text, file, start_line, end_line }: Finding): server.ComparableFinding {
  const sketch = server.sketchFinding({ title, prose: text })
  return { file, startLine: start_line, endLine: end_line, sketch }
}

/** The range of thresholds with the best F1 on the calibration pairs: the one in use must be in it. */
function renderThreshold(pairs: readonly Pair[]): string {
  const scored = pairs
    .filter(({ kind }) => !kind.startsWith('same words'))
    .map(({ a, b, label }) => ({
      isSame: label === 'same',
      score: server.compareSketches(toComparable(a).sketch, toComparable(b).sketch),
    }))
  const same = scored.filter(({ isSame }) => isSame).length
  const rated = [...new Set(scored.map(({ score }) => score))].map((threshold) => {
    const reported = scored.filter(({ score }) => score >= threshold)
    const right = reported.filter(({ isSame }) => isSame).length
    return { threshold, f1: (2 * right) / (reported.length + same) }
  })
  const best = Math.max(...rated.map(({ f1 }) => f1))
  const highest = Math.max(...rated.filter(({ f1 }) => f1 === best).map(({ threshold }) => threshold))
  const below = Math.max(...rated.map(({ threshold }) => threshold).filter((other) => other < highest))
  return `threshold in use: ${server.MIN_SIMILARITY}; best on the calibration pairs: above ${below.toFixed(3)}, up to ${highest.toFixed(3)} (F1 ${best.toFixed(3)})`
}

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ProofOptions } from '../proofs/run.ts'
import { copyWithout, type SourceEdit } from '../proofs/tools/copy.ts'
import { type Measurement, report } from '../proofs/tools/report.ts'
import * as server from '../server/test/connectors/same-finding.ts'
import { type LabelledFinding, type LabelledPair, loadPairs } from './same-finding/pairs.ts'
import { renderShare } from './wilson.ts'

const MIN_PAIRS = 200
/** The aim is 0.95. This guards against decay: docs/proofs.md has the figure. */
const MIN_SHARE = 0.8

/** Findings on the same lines are then the same, whatever they say. */
const withoutSketch: SourceEdit = {
  file: 'text/same-finding.ts',
  name: 'MIN_SIMILARITY',
  by: 'export const MIN_SIMILARITY = -1',
}

type Matcher = Pick<typeof server, 'pairFindings'>

/** Two bots that report one problem are counted as overlap, and two that report two problems are not. */
export async function prove({ withoutCure, data }: ProofOptions): Promise<void> {
  const copy = withoutCure ? await copyWithout([withoutSketch]) : null
  try {
    const matcher: Matcher =
      copy === null ? server : await import(pathToFileURL(`${copy.folder}/src/text/pair-findings.ts`).href)
    const own = new URL('same-finding/pairs.jsonl', import.meta.url)
    measurePairs(matcher, data === undefined ? own : pathToFileURL(resolve(data)), data !== undefined)
  } finally {
    await copy?.remove()
  }
}

function measurePairs({ pairFindings }: Matcher, file: URL, isForeign: boolean): void {
  const { developed, heldOut } = loadPairs(file)
  const isReported = ({ a, b }: LabelledPair) =>
    pairFindings([toComparable(a)], [toComparable(b)]).length === 1
  // Nothing was chosen on pairs that somebody brings: all of them are held out.
  const measured = isForeign ? [...developed, ...heldOut] : heldOut
  const result = count(measured, isReported)
  const near = count(
    measured.filter(({ kind }) => !kind.startsWith('same words')),
    isReported,
  )
  const all = developed.length + heldOut.length
  report(`same finding: ${all} labelled pairs of two bots, ${measured.length} of them held out`, [
    {
      measure: 'labelled pairs',
      goal: isForeign ? 'stated' : `≥ ${MIN_PAIRS}`,
      result: all,
      met: isForeign || all >= MIN_PAIRS,
    },
    atLeast('precision, held out', result.right, result.reported),
    atLeast('recall, held out', result.right, result.same),
    atLeast('precision, held out, only pairs on the same lines', near.right, near.reported),
  ])
  if (!isForeign) printThreshold(developed)
  console.log('\n  held out: pairs taken for the same finding, by kind')
  for (const [kind, pairs] of Map.groupBy(measured, (pair) => pair.kind))
    console.log(`    ${kind.padEnd(34)} ${pairs.filter(isReported).length} of ${pairs.length}`)
  const developedResult = count(developed, isReported)
  if (!isForeign)
    console.log(
      `\n  developed: precision ${renderShare(developedResult.right, developedResult.reported)}, recall ${renderShare(developedResult.right, developedResult.same)}`,
    )
  for (const pair of isForeign ? measured : developed)
    if (isReported(pair) !== pair.isSame)
      console.log(`  - ${pair.isSame ? 'missed' : 'wrong'}: ${pair.a.title} / ${pair.b.title}`)
}

function toComparable({ title, text, file, startLine, endLine }: LabelledFinding): server.ComparableFinding {
  return { file, startLine, endLine, sketch: server.sketchFinding({ title, prose: text }) }
}

interface Counts {
  readonly right: number
  readonly reported: number
  readonly same: number
}

function count(pairs: readonly LabelledPair[], isReported: (pair: LabelledPair) => boolean): Counts {
  const reported = pairs.filter(isReported)
  return {
    right: reported.filter(({ isSame }) => isSame).length,
    reported: reported.length,
    same: pairs.filter(({ isSame }) => isSame).length,
  }
}

function atLeast(measure: string, hits: number, all: number): Measurement {
  const result = renderShare(hits, all)
  return { measure, goal: `≥ ${MIN_SHARE} (aim 0.95)`, result, met: all > 0 && hits / all >= MIN_SHARE }
}

/** The range of thresholds with the best F1 on the developed part: the one in use must be in it. */
function printThreshold(developed: readonly LabelledPair[]): void {
  const near = developed.filter(({ kind }) => !kind.startsWith('same words'))
  const scored = near.map(({ a, b, isSame }) => ({
    isSame,
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
  const below = Math.max(
    ...rated.map(({ threshold }) => threshold).filter((threshold) => threshold < highest),
  )
  console.log(
    `\n  threshold in use: ${server.MIN_SIMILARITY}; best on the developed pairs: above ${below.toFixed(3)}, up to ${highest.toFixed(3)} (F1 ${best.toFixed(3)})`,
  )
}

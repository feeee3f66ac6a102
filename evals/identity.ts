import { pathToFileURL } from 'node:url'
import type { ProofOptions } from '../proofs/run.ts'
import { copyWithout } from '../proofs/tools/copy.ts'
import { type Measurement, report } from '../proofs/tools/report.ts'
import { createEditCases, type EditCase } from './identity/edits.ts'
import { getPrecision, getRecall, type Match, measure, type Quality } from './identity/measure.ts'
import { loadSamples } from './identity/samples.ts'

const MIN_EDITS = 300
const MIN_QUALITY = 0.97
const QUICK_EVERY = 4

/** Every third file. Authors of matching rules do not look at the mistakes there. */
const isHeldOut = (_: unknown, index: number) => index % 3 === 1

/** A finding keeps its identity when lines move, its file is renamed or its code is reformatted, and no other gets it. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const samples = loadSamples()
  const edits = samples.map((sample, index) =>
    createEditCases(sample, samples[(index + 1) % samples.length] ?? sample),
  )
  const thin = (cases: readonly EditCase[]) => cases.filter((_, index) => !quick || index % QUICK_EVERY === 0)
  const copy = withoutCure ? await matchByLineOnly() : null
  const match = copy?.match
  const all = edits.flat()
  const known = edits.filter((_, index) => !isHeldOut(_, index)).flat()
  const heldOut = edits.filter(isHeldOut).flat()
  const title = withoutCure ? 'identity without its cure: rule, path and line only' : 'identity of findings'
  report(title, [
    {
      measure: 'labelled edits',
      goal: `≥ ${MIN_EDITS}`,
      result: all.length,
      met: all.length >= MIN_EDITS,
    },
    ...toMeasurements('all', measure(thin(all), match)),
    ...toMeasurements('held-out third', measure(thin(heldOut), match)),
  ])
  for (const [kind, cases] of Map.groupBy(thin(known), (edit) => edit.kind))
    printQuality(kind, measure(cases, match))
  await copy?.remove()
}

function toMeasurements(name: string, quality: Quality): Measurement[] {
  const scope = `${name}: ${quality.edits} edits, ${quality.expected} pairs`
  const toMeasurement = (measured: string, value: number): Measurement => ({
    measure: `${measured}, ${scope}`,
    goal: `≥ ${MIN_QUALITY}`,
    result: value.toFixed(4),
    met: value >= MIN_QUALITY,
  })
  return [toMeasurement('precision', getPrecision(quality)), toMeasurement('recall', getRecall(quality))]
}

function printQuality(kind: string, { edits, expected, matched, correct }: Quality): void {
  console.log(
    `  ${kind.padEnd(20)} ${edits} edits: ${expected} pairs expected, ${matched} matched, ${correct} correct`,
  )
}

async function matchByLineOnly(): Promise<{ match: Match; remove: () => Promise<void> }> {
  const copy = await copyWithout([
    {
      file: 'resources/security-scans/identity/match.ts',
      name: 'stages',
      by: 'const stages: readonly Stage[] = [pairEqual(({ path, start }) => joinKeys(String(start), path))]',
    },
  ])
  const module = new URL('resources/security-scans/identity/match.ts', pathToFileURL(copy.apiEntry)).href
  const { matchFindings } = (await import(module)) as { matchFindings: Match }
  return { match: matchFindings, remove: () => copy.remove() }
}

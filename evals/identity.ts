import { describeCode, type FindingTraits, matchFindings } from '../server/test/proofs/identity.ts'
import { atLeast, type Evaluation, getPrecision, getRecall, type Judged } from './evaluation.ts'
import { createEditCases, type EditCase } from './identity/edits.ts'
import { type ReportedFinding, scan } from './identity/file.ts'
import { parseSample, samplesFolder } from './identity/samples.ts'

const MIN_EDITS = 300
const QUICK_EVERY = 4
const enough = { min: 0.97 }
const goals = { 'held-out': enough, all: enough }
const matchFile = 'resources/security-scans/identity/match.ts'

/** A finding keeps its identity when lines move, its file is renamed or its code is reformatted, and no other gets it. */
export const evaluation: Evaluation = {
  data: samplesFolder,
  measures: [
    { name: 'precision of matched', count: getPrecision('same finding', 'another finding'), goals },
    { name: 'recall of matched', count: getRecall('same finding'), goals },
  ],
  cures: [
    {
      title: 'rule, path and line only',
      edit: {
        file: matchFile,
        name: 'stages',
        by: 'const stages: readonly Stage[] = [pairEqual(({ path, start }) => joinKeys(String(start), path))]',
      },
    },
  ],
  async judge({ cases, isBrought, options, load }) {
    const samples = cases.map(parseSample)
    const { matchFindings: match } = await load({ matchFindings }, matchFile)
    const edits = samples.flatMap((sample, index) => {
      const unchanged = samples[(index + 1) % samples.length] ?? sample
      return createEditCases(sample, unchanged).map((edit) => ({ sample, edit }))
    })
    const judged = edits
      .filter((_, index) => !options.quick || index % QUICK_EVERY === 0)
      .flatMap(({ sample: { set, source, split }, edit }) =>
        judgeEdit(edit, match).map((pair) => ({ set, source, split, kind: edit.kind, ...pair })),
      )
    return { judged, rows: isBrought ? [] : [atLeast('labelled edits', MIN_EDITS, edits.length)] }
  },
}

/** Counts only findings that the edit affects: the others are easy to match. */
function judgeEdit(
  { name, before, after, subjects }: EditCase,
  match: typeof matchFindings,
): Pick<Judged, 'id' | 'label' | 'answer'>[] {
  const oldFindings = scan(before)
  const newFindings = scan(after)
  const newKeys = new Set(newFindings.map(({ key }) => key))
  const matches = new Map(
    match(oldFindings.map(toTraits), newFindings.map(toTraits)).map(([old, found]) => [
      old,
      newFindings[found]?.key,
    ]),
  )
  return oldFindings.flatMap(({ key }, index) => {
    const found = matches.get(index)
    if (!subjects.has(key) && !subjects.has(found ?? '')) return []
    const label = subjects.has(key) && newKeys.has(key) ? 'same finding' : 'no finding'
    const answer = found === undefined ? 'no finding' : found === key ? 'same finding' : 'another finding'
    return [{ id: `${name}, ${key}`, label, answer }]
  })
}

function toTraits({ rule, path, start, end, snippet, context }: ReportedFinding): FindingTraits {
  return {
    rule,
    fingerprint: null,
    firstFingerprint: null,
    path,
    start,
    end,
    ...describeCode(snippet, context),
  }
}

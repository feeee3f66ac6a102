import { pathToFileURL } from 'node:url'
import type { ProofOptions } from '../proofs/run.ts'
import { copyWithout, type SourceEdit } from '../proofs/tools/copy.ts'
import { type Measurement, report } from '../proofs/tools/report.ts'
import {
  createOutcomeDetector,
  createReplyClassifier,
  type FilePair,
  type GitReader,
  type OutcomeDetector,
  openLocalRepository,
} from '../server/test/connectors/outcomes.ts'
import { generateSituations } from './outcomes/generate.ts'
import { type Judged, measurePrecision, measureUnknown, type Share, toRatio } from './outcomes/measure.ts'
import { loadReplies } from './outcomes/replies.ts'
import { loadSituations, type Situation } from './outcomes/situation.ts'
import { measureSpeed } from './outcomes/speed.ts'
import { renderShare } from './wilson.ts'

const MIN_SITUATIONS = 400
const MIN_PRECISION = 0.97
const MAX_UNKNOWN = 0.35

const detectorFile = 'resources/connectors/outcomes/detect.ts'

/** Each of them is a cure: without it the proof must fail. */
const cures: readonly { readonly title: string; readonly edit: SourceEdit }[] = [
  {
    title: 'resolved counts as accepted',
    edit: {
      file: detectorFile,
      name: 'leaveUndecided',
      wrap: '(leave, item, found) => ({ ...leave(item, found), accepted: item.thread?.isResolved || null })',
    },
  },
  {
    title: 'the word of the bot counts without changed lines',
    edit: {
      file: detectorFile,
      name: 'decideByBot',
      wrap: "(decide, item, found) => decide(item, { ...found, lines: 'changed' })",
    },
  },
  {
    title: 'unresolved counts as not accepted without looking at the lines',
    edit: {
      file: detectorFile,
      name: 'decideByThread',
      wrap: `(decide, item, found) => decide(
        { ...item, thread: item.thread && { ...item.thread, isOutdated: false } },
        { ...found, lines: 'unchanged' },
      )`,
    },
  },
]

/** What became of findings is recognized from git and the words of people; where they do not decide, it is unknown. */
export async function prove({ withoutCure, quick, data }: ProofOptions): Promise<void> {
  const generated = data === undefined ? generateSituations(quick || withoutCure) : null
  try {
    const situations = loadSituations(data ?? generated?.file ?? '')
    if (withoutCure) {
      await proveWithoutCures(situations)
      return
    }
    const judged = await judge(situations, createOutcomeDetector())
    reportQuality(
      `outcomes of findings${data === undefined ? '' : ` in ${data}`}`,
      judged,
      data === undefined,
    )
    printKinds(judged)
    await printBaselines(situations)
    if (data === undefined) printReplies()
    if (data === undefined) await measureSpeed(quick ? 3 : 10)
  } finally {
    generated?.remove()
  }
}

async function proveWithoutCures(situations: readonly Situation[]): Promise<void> {
  let stillPasses = 0
  for (const { title, edit } of cures) {
    const copy = await copyWithout([edit])
    try {
      const module = (await import(pathToFileURL(`${copy.folder}/src/${detectorFile}`).href)) as {
        createOutcomeDetector(): OutcomeDetector
      }
      process.exitCode = 0
      reportQuality(
        `outcomes without a cure: ${title}`,
        await judge(situations, module.createOutcomeDetector()),
        true,
      )
      if (process.exitCode === 0) stillPasses++
    } finally {
      await copy.remove()
    }
  }
  process.exitCode = stillPasses > 0 ? 0 : 1
}

async function withRepositories<Result>(
  work: (open: (path: string) => Promise<GitReader>) => Promise<Result>,
): Promise<Result> {
  const opened = new Map<string, Awaited<ReturnType<typeof openLocalRepository>>>()
  try {
    return await work(async (path) => {
      const repository = opened.get(path) ?? (await openLocalRepository(path))
      opened.set(path, repository)
      return repository
    })
  } finally {
    for (const repository of opened.values()) repository.close()
  }
}

function judge(situations: readonly Situation[], detect: OutcomeDetector): Promise<Judged[]> {
  return withRepositories(async (open) => {
    const judged: Judged[] = []
    await prefetchAll(situations, open)
    for (const situation of situations) {
      const { snapshot, findings, labels, verdicts = {}, alerts = {} } = situation
      const review = { reviewers: [], findings, unparsedComments: 0 }
      const known = { verdicts: new Map(Object.entries(verdicts)), alerts: new Map(Object.entries(alerts)) }
      for (const outcome of await detect(snapshot, review, await open(situation.repository), known))
        judged.push({ situation, label: labels[outcome.findingId] ?? null, outcome })
    }
    return judged
  })
}

async function prefetchAll(
  situations: readonly Situation[],
  open: (path: string) => Promise<GitReader>,
): Promise<void> {
  for (const [path, items] of Map.groupBy(situations, ({ repository }) => repository))
    await (await open(path)).prefetch([], items.flatMap(toPairs))
}

/** All files at once: a round trip for each situation takes most of the time on a busy machine. */
function toPairs({ snapshot, findings }: Situation): FilePair[] {
  const heads = [snapshot.headSha, snapshot.mergeSha, ...snapshot.commits.map(({ sha }) => sha)]
  return findings.flatMap(({ commit, file }) =>
    commit === null || file === null
      ? []
      : heads.flatMap((to) => (to === null ? [] : [{ from: commit, to, path: file }])),
  )
}

function reportQuality(title: string, judged: readonly Judged[], isOurs: boolean): void {
  const count = judged.length
  const heldOut = judged.filter(({ situation }) => situation.set === 'held-out')
  const size = {
    measure: 'labelled findings',
    goal: `≥ ${MIN_SITUATIONS}`,
    result: count,
    met: count >= MIN_SITUATIONS,
  }
  report(`${title}: ${count}, of them ${heldOut.length} held out`, [
    ...(isOurs ? [size] : []),
    ...toMeasurements('held out', heldOut),
    ...toMeasurements('all', judged),
    {
      measure: 'decided although nobody can know',
      goal: '0',
      result: judged.filter(({ label, outcome }) => label === null && outcome.accepted !== null).length,
      met: judged.every(({ label, outcome }) => label !== null || outcome.accepted === null),
    },
  ])
}

function toMeasurements(name: string, judged: readonly Judged[]): Measurement[] {
  const precise = (measure: string, share: Share): Measurement => ({
    measure: `${measure}, ${name}`,
    goal: `≥ ${MIN_PRECISION}`,
    result: render(share),
    met: toRatio(share) >= MIN_PRECISION,
  })
  const unknown = measureUnknown(judged)
  return [
    precise('precision of accepted', measurePrecision(judged, true)),
    precise('precision of not accepted', measurePrecision(judged, false)),
    {
      measure: `unknown where the label is known, ${name}`,
      goal: `≤ ${MAX_UNKNOWN}`,
      result: render(unknown),
      met: toRatio(unknown) <= MAX_UNKNOWN,
    },
  ]
}

function render({ right, all }: Share): string {
  return renderShare(right, all)
}

/** Mistakes in held-out situations are only counted: who reads them would tune the rules to them. */
function printKinds(judged: readonly Judged[]): void {
  console.log('\n  right  wrong  unknown  kind')
  for (const [kind, items] of Map.groupBy(judged, ({ situation }) => situation.kind)) {
    const unknown = items.filter(({ outcome }) => outcome.accepted === null).length
    const right = items.filter(
      ({ label, outcome }) => outcome.accepted !== null && outcome.accepted === label,
    ).length
    const cells = [right, items.length - right - unknown, unknown].map((value) => String(value).padStart(5))
    console.log(`  ${cells.join('  ')}    ${kind}`)
  }
}

async function printBaselines(situations: readonly Situation[]): Promise<void> {
  const judgeBy = (decide: (situation: Situation, index: number) => boolean): Judged[] =>
    situations.flatMap((situation, index) =>
      situation.findings.map(({ id }) => ({
        situation,
        label: situation.labels[id] ?? null,
        outcome: { accepted: decide(situation, index), rule: 'undecided' as const },
      })),
    )
  const changed = await withRepositories(async (open) => {
    await prefetchAll(situations, open)
    const results: boolean[] = []
    for (const situation of situations)
      results.push(await isFileChanged(situation, await open(situation.repository)))
    return results
  })
  console.log('\n  precision of baselines: accepted, not accepted')
  const baselines: readonly (readonly [string, Judged[]])[] = [
    ['resolved = accepted', judgeBy(({ snapshot }) => snapshot.threads[0]?.isResolved ?? false)],
    ['file changed later = accepted', judgeBy((_, index) => changed[index] ?? false)],
  ]
  for (const [name, judged] of baselines) {
    const [accepted, not] = [measurePrecision(judged, true), measurePrecision(judged, false)]
    console.log(`    ${name.padEnd(30)} ${render(accepted)}   ${render(not)}`)
  }
}

async function isFileChanged({ snapshot, findings }: Situation, git: GitReader): Promise<boolean> {
  const [finding] = findings
  if (finding?.file == null || finding.commit === null) return false
  const before = await git.readFile(finding.commit, finding.file)
  const after = await git.readFile(snapshot.headSha, finding.file)
  return JSON.stringify(before) !== JSON.stringify(after)
}

function printReplies(): void {
  const classify = createReplyClassifier()
  console.log('\n  replies of people that decline: precision, recall')
  for (const set of ['developed', 'held-out'] as const) {
    const replies = loadReplies().filter((reply) => reply.set === set)
    const called = replies.filter(({ text }) => classify(text) === 'declines')
    const declining = replies.filter(({ meaning }) => meaning === 'declines')
    const right = called.filter(({ meaning }) => meaning === 'declines').length
    const figures = [
      { right, all: called.length },
      { right, all: declining.length },
    ].map(render)
    console.log(`    ${set.padEnd(10)} ${figures.join('   ')}`)
  }
}

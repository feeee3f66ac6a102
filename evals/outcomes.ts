import { dirname, resolve } from 'node:path'
import {
  createDeclineFinder,
  createOutcomeDetector,
  createReplyClassifier,
  createReplyReader,
  type FilePair,
  type GitReader,
  localEmbedder,
  type OutcomeDetector,
  openLocalRepository,
} from '../server/test/connectors/outcomes.ts'
import {
  atLeast,
  type Case,
  type Evaluation,
  getPrecision,
  getRecall,
  type Judged,
  type Measure,
  requireFields,
  type Share,
} from './evaluation.ts'
import { generateSituations, type Reply } from './outcomes/generate.ts'
import { isHistory, mutateHistories, parseHistory } from './outcomes/history.ts'
import type { Situation } from './outcomes/pull-request.ts'
import { measureSpeed } from './outcomes/speed.ts'

const MIN_SITUATIONS = 400
const precise = { min: 0.95 }
const mostlyKnown = { max: 0.5 }
const MIN_RECALL = 0.6
const detectorFile = 'resources/connectors/outcomes/detect.ts'

const RESOLVED = 'if resolved = accepted'
const CHANGED = 'if file changed later = accepted'
const accepted = { name: 'precision of accepted', count: getPrecision('accepted') }
const notAccepted = { name: 'precision of not accepted', count: getPrecision('not accepted') }

const measures: readonly Measure[] = [
  { ...accepted, goals: { 'held-out': precise, all: precise } },
  { ...notAccepted, goals: { 'held-out': precise, all: precise } },
  {
    name: 'unknown where the label is known',
    count: countUndecided,
    goals: { 'held-out': mostlyKnown, all: mostlyKnown },
  },
  { name: 'decided although nobody can know', count: countGuessed, goals: { all: { max: 0 } } },
  ...[RESOLVED, CHANGED].flatMap((by) => [
    { ...accepted, by },
    { ...notAccepted, by },
  ]),
  ...(['declines', 'agrees'] as const).flatMap((answer) => [
    { name: `precision of ${answer}`, count: getPrecision(answer), goals: { 'held-out': precise } },
    { name: `precision of ${answer}`, by: 'by phrases alone', count: getPrecision(answer) },
    { name: `recall of ${answer}`, by: 'by phrases alone', count: getRecall(answer) },
    { name: `recall of ${answer}`, count: getRecall(answer), goals: { 'held-out': { min: MIN_RECALL } } },
  ]),
]

function countUndecided(judged: readonly Judged[]): Share | null {
  const known = judged.filter(({ label }) => label === 'accepted' || label === 'not accepted')
  if (known.length === 0) return null
  return { hits: known.filter(({ answer }) => answer === null).length, all: known.length }
}

function countGuessed(judged: readonly Judged[]): Share | null {
  const unknowable = judged.filter(({ label }) => label === null)
  if (unknowable.length === 0) return null
  return { hits: unknowable.filter(({ answer }) => answer !== null).length, all: unknowable.length }
}

/** What became of findings is recognized from git and the words of people; where they do not decide, it is unknown. */
export const evaluation: Evaluation = {
  data: new URL('data/outcomes', import.meta.url),
  measures,
  cures: [
    {
      title: 'resolved counts as accepted',
      edit: {
        file: detectorFile,
        name: 'gatherThread',
        wrap: `(gather, item, ...others) =>
          item.thread?.isResolved ? [{ kind: 'suggestion_followed', at: null }] : gather(item, ...others)`,
      },
    },
    {
      title: 'the word of the bot counts without a change in substance',
      edit: {
        file: detectorFile,
        name: 'decideByEvidence',
        wrap: `(decide, item, evidence, code) => ({
          ...decide(item, evidence, code),
          ...(evidence.some(({ kind }) => kind === 'bot_addressed') && { accepted: true }),
        })`,
      },
    },
    {
      title: 'unresolved counts as not accepted without looking at the lines',
      edit: {
        file: detectorFile,
        name: 'decideByEvidence',
        wrap: `(decide, item, evidence, code) => ({
          ...decide(item, evidence, code),
          ...(item.thread?.isResolved === false && { accepted: false }),
        })`,
      },
    },
    {
      title: 'what formatters change counts',
      edit: {
        file: 'resources/connectors/outcomes/tokens.ts',
        name: 'tokenize',
        by: `export function tokenize(lines, path, first, last) {
          return lines.slice(Math.max(first, 1) - 1, last).map((text, index) => ({ text, line: first + index }))
        }`,
      },
    },
  ],
  prepare(cases, { quick, withoutCure, data }) {
    const replies = cases.filter((one) => 'text' in one).map(parseReply)
    if (data === undefined) {
      const written = cases.filter(isHistory).map(parseHistory)
      const histories = [...written, ...mutateHistories(written)]
      const { situations, remove } = generateSituations(replies, histories, quick || withoutCure)
      return { cases: [...replies, ...situations], remove }
    }
    const situations = cases.filter((one) => !('text' in one))
    const parse = (given: Case) => parseSituation(given, dirname(resolve(data)))
    return { cases: [...replies, ...situations.map(parse)], remove: () => undefined }
  },
  async judge({ cases, isBrought, options, copy, load }) {
    const situations = cases.filter((one): one is Situation => 'snapshot' in one)
    const module = await load({ createOutcomeDetector }, detectorFile)
    const judged = await withRepositories(situations, async (open) => [
      ...(await judgeSituations(situations, module.createOutcomeDetector(), open)),
      ...(copy === null ? await judgeByBaselines(situations, open) : []),
    ])
    const all = [...judged, ...(await judgeReplies(cases.filter((one) => 'text' in one).map(parseReply)))]
    if (isBrought) return { judged: all }
    const count = judged.filter(({ by }) => by === undefined).length
    const speed = copy === null ? [await measureSpeed(options.quick ? 3 : 10)] : []
    return { judged: all, rows: [atLeast('labelled findings', MIN_SITUATIONS, count), ...speed] }
  },
}

function parseReply(given: Case): Case & Reply {
  return requireFields<Case & Reply>(given, 'label', 'text')
}

/** The repository becomes an absolute path. */
function parseSituation(given: Case, folder: string): Situation {
  const situation = requireFields<Situation>(given, 'repository', 'snapshot', 'findings', 'labels')
  const unlabelled = situation.findings.find(({ id }) => situation.labels[id] === undefined)
  if (unlabelled !== undefined) throw new Error(`${situation.id}: "labels" has no finding "${unlabelled.id}"`)
  return { ...situation, repository: resolve(folder, situation.repository) }
}

type OpenRepository = (path: string) => Promise<GitReader>

/** All files at once: a round trip for each situation takes most of the time on a busy machine. */
async function withRepositories<Result>(
  situations: readonly Situation[],
  work: (open: OpenRepository) => Promise<Result>,
): Promise<Result> {
  const opened = new Map<string, Awaited<ReturnType<typeof openLocalRepository>>>()
  try {
    for (const [path, items] of Map.groupBy(situations, ({ repository }) => repository)) {
      const repository = await openLocalRepository(path)
      opened.set(path, repository)
      await repository.prefetch([], items.flatMap(toPairs))
    }
    return await work(async (path) => opened.get(path) ?? openLocalRepository(path))
  } finally {
    for (const repository of opened.values()) repository.close()
  }
}

function toPairs({ snapshot, findings }: Situation): FilePair[] {
  const heads = [snapshot.headSha, snapshot.mergeSha, ...snapshot.commits.map(({ sha }) => sha)]
  return findings.flatMap(({ commit, file }) =>
    commit === null || file === null
      ? []
      : heads.flatMap((to) => (to === null ? [] : [{ from: commit, to, path: file }])),
  )
}

async function judgeSituations(
  situations: readonly Situation[],
  detect: OutcomeDetector,
  open: OpenRepository,
): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const situation of situations) {
    const { snapshot, findings, verdicts = {}, alerts = {} } = situation
    const review = { reviewers: [], findings, unparsedComments: 0 }
    const known = { verdicts: new Map(Object.entries(verdicts)), alerts: new Map(Object.entries(alerts)) }
    for (const outcome of await detect(snapshot, review, await open(situation.repository), known))
      judged.push(toJudged(situation, outcome.findingId, outcome.accepted))
  }
  return judged
}

async function judgeByBaselines(situations: readonly Situation[], open: OpenRepository): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const situation of situations) {
    const isResolved = situation.snapshot.threads[0]?.isResolved ?? false
    const isChanged = await isFileChanged(situation, await open(situation.repository))
    for (const { id } of situation.findings)
      judged.push(
        { ...toJudged(situation, id, isResolved), by: RESOLVED },
        { ...toJudged(situation, id, isChanged), by: CHANGED },
      )
  }
  return judged
}

async function isFileChanged({ snapshot, findings }: Situation, git: GitReader): Promise<boolean> {
  const [finding] = findings
  if (finding?.file == null || finding.commit === null) return false
  const before = await git.readFile(finding.commit, finding.file)
  const after = await git.readFile(snapshot.headSha, finding.file)
  return JSON.stringify(before) !== JSON.stringify(after)
}

function toJudged(
  { set, source, split, id, kind, findings, labels }: Situation,
  findingId: string,
  isAccepted: boolean | null,
): Judged {
  const name = (known: boolean | null) => (known === null ? null : known ? 'accepted' : 'not accepted')
  return {
    set,
    source,
    split,
    kind,
    id: findings.length === 1 ? id : `${id}, ${findingId}`,
    label: name(labels[findingId] ?? null),
    answer: name(isAccepted),
  }
}

/** By phrases, and what has none by its likeness to examples. */
async function judgeReplies(replies: readonly (Case & Reply)[]): Promise<Judged[]> {
  const [read, classify] = [createReplyReader(), createReplyClassifier()]
  const findDeclining = createDeclineFinder(localEmbedder)
  const judged: Judged[] = []
  for (const reply of replies) {
    const { meaning, open } = read(reply.text)
    const isDeclining = open !== undefined && (await findDeclining(open))
    judged.push({ ...reply, answer: isDeclining ? 'declines' : meaning })
    judged.push({ ...reply, answer: classify(reply.text), by: 'by phrases alone' })
  }
  return judged
}

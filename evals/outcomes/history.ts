// Situations that are written out: a file, a finding in it and what people did, made into commits of a real repository.
import { createRandom } from '../../proofs/tools/random.ts'
import type { ReviewThread } from '../../server/test/connectors/outcomes.ts'
import { type Case, type LabelledCase, requireFields } from '../evaluation.ts'
import type { Git } from './git.ts'
import {
  alice,
  bot,
  createComment,
  createFinding,
  createSnapshot,
  createThread,
  type Situation,
  toTime,
} from './pull-request.ts'

interface Step {
  readonly message: string
  /** Every occurrence of the first text becomes the second. */
  readonly edits?: readonly (readonly [string, string])[]
  /** Other files that it writes. */
  readonly files?: Readonly<Record<string, string>>
  /** The file has another path from now on; null = it is deleted. */
  readonly path?: string | null
  /** It replaces the commits before it. */
  readonly amend?: boolean
}

export type History = LabelledCase<{
  path: string
  code: string
  /** First and last line of the finding, from 1. */
  lines: readonly [number, number]
  /** What the bot wrote. */
  comment: string
  suggestion?: readonly string[]
  steps: readonly Step[]
  bot?: 'addressed'
  resolved?: 'alice' | 'review-bot'
  outdated?: boolean
  /** Of a person, after the steps; `{0}` is the id of the first step. */
  replies?: readonly string[]
  thumbs?: 'down'
  lost?: 'commented' | 'both'
  state?: 'open'
  /** The finding was posted after the merge. */
  late?: boolean
  /** null = nobody can know. */
  accepted: boolean | null
  /** Set by a mutation. */
  crlf?: boolean
}>

export function isHistory(given: Case): boolean {
  return 'steps' in given
}

export function parseHistory(given: Case): History {
  return requireFields<History>(given, 'path', 'code', 'lines', 'comment', 'steps')
}

/** Changes of the form that leave the label as it is. */
const mutations: Readonly<Record<string, (history: History) => History>> = {
  'line ends of Windows': (history) => ({ ...history, crlf: true }),
  'indented at the end': (history) => addStep(history, { message: 'Indent', edits: [['\n', '\n  ']] }),
  'file renamed at the end': (history) => {
    const isDeleted = history.steps.some(({ path }) => path === null)
    return isDeleted ? history : addStep(history, { message: 'Move', path: `moved/${history.path}` })
  },
  'other work between': (history) => ({
    ...history,
    steps: [{ message: 'Other work', files: { 'other/work.txt': 'work\n' } }, ...history.steps],
  }),
  'lines above at the end': (history) => {
    const [first = ''] = history.code.split('\n')
    const added = Array.from({ length: 9 }, (_, index) => `${first} ${index}`).join('\n')
    return addStep(history, { message: 'Imports', edits: [[`${first}\n`, `${added}\n${first}\n`]] })
  },
}

/** Work at the end would change what a commit of a bot or a person names, but not what became of the finding. */
function addStep(history: History, step: Step): History {
  return { ...history, steps: [...history.steps, step] }
}

/** Each history in two other forms, as a source of their own. */
export function mutateHistories(histories: readonly History[]): History[] {
  return histories.flatMap((history) => {
    const random = createRandom(history.id)
    const names = Object.keys(mutations)
    const first = random.below(names.length)
    return [first, first + 1 + random.below(names.length - 1)].map((position) => {
      const name = names[position % names.length] ?? ''
      const mutated = mutations[name]?.(history) ?? history
      return { ...mutated, id: `${history.id}, ${name}`, source: `${history.source}, mutated` }
    })
  })
}

export function importWrittenHistories(git: Git, histories: readonly History[]): Situation[] {
  const marks = histories.map((history, index) => writeCommits(git, history, `h${index}`))
  const ids = git.finishImport()
  return histories.map((history, index) =>
    toSituation(
      history,
      (marks[index] ?? []).map((mark) => ids.get(mark) ?? ''),
      git.repository,
    ),
  )
}

/** Returns the marks of the commit that was commented on and of the steps. */
function writeCommits(git: Git, { path, code, steps, crlf }: History, branch: string): number[] {
  const toContent = (text: string) => (crlf === true ? text.replaceAll('\n', '\r\n') : text)
  const base = git.commit(branch, 'Start', null, { 'notes.txt': 'notes\n' })
  const commented = git.commit(branch, 'Add a feature', base, { [path]: toContent(code) })
  let [parent, text, current] = [commented, code, path as string | null]
  return [
    commented,
    ...steps.map(({ message, edits = [], files = {}, path: next = current, amend }) => {
      text = edits.reduce((before, [from, to]) => before.replaceAll(from, to), text)
      const own = next === null ? {} : { [next]: toContent(text) }
      const gone = current !== null && current !== next ? { [current]: null } : {}
      parent = git.commit(branch, message, amend === true ? base : parent, { ...gone, ...own, ...files })
      current = next
      return parent
    }),
  ]
}

const missing = 'dead'.repeat(10)

function toSituation(history: History, [commented = '', ...steps]: string[], repository: string): Situation {
  const { set, source, split, id, kind, lines, lost, accepted } = history
  const [startLine, endLine] = lines
  const isAmended = history.steps.some(({ amend }) => amend === true)
  const thread = toThread(history, commented, steps[0] ?? '')
  const head = steps.at(-1) ?? commented
  const commits = [commented, ...steps].map((sha, index) => ({
    sha,
    message: index === 0 ? 'Add a feature' : (history.steps[index - 1]?.message ?? ''),
    committedAt: toTime(index === 0 ? 9 : 11 + index),
  }))
  const clues = {
    suggestion: history.suggestion ?? null,
    botOutcome: history.bot ?? null,
    botCommits: history.bot === undefined ? [] : [steps[0] ?? '', head].map((sha) => sha.slice(0, 7)),
  }
  return {
    set,
    source,
    split,
    id,
    kind,
    repository,
    snapshot: createSnapshot({
      ...(history.state === 'open' ? { state: 'open', mergedAt: null, closedAt: null } : {}),
      headSha: lost === 'both' ? missing : head,
      commits: isAmended ? commits.slice(1) : commits,
      threads: [thread],
    }),
    findings: [createFinding(thread, { id: '1', startLine, endLine }, clues)],
    labels: { '1': accepted },
  }
}

function toThread(
  { path, lines, comment, lost, resolved, outdated, late, thumbs, replies = [] }: History,
  commented: string,
  fix: string,
): ReviewThread {
  const [originalStartLine, originalEndLine] = lines
  return createThread({
    id: 't1',
    path,
    originalStartLine,
    originalEndLine,
    originalCommit: lost === undefined ? commented : missing,
    isResolved: resolved !== undefined,
    resolvedBy: resolved === undefined ? null : resolved === 'alice' ? alice : bot,
    isOutdated: outdated ?? false,
    comments: [
      createComment(1, {
        user: bot,
        body: comment,
        createdAt: toTime(late === true ? 19 : 10),
        reactions: thumbs === undefined ? [] : [{ user: alice, content: 'thumbs_down' }],
      }),
      ...replies.map((body, index) =>
        createComment(2 + index, {
          user: alice,
          body: body.replace('{0}', fix.slice(0, 7)),
          createdAt: toTime(17),
        }),
      ),
    ],
  })
}

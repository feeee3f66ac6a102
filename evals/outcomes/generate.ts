// Makes the labelled situations with real git: one repository, one branch for each.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../../proofs/tools/random.ts'
import type {
  ParsedFinding,
  ProviderComment,
  ProviderUser,
  ReviewThread,
} from '../../server/test/connectors/outcomes.ts'
import { type CodeSample, loadSamples } from '../identity/samples.ts'
import { kinds, type Step, type Story, type Target } from './kinds.ts'
import { loadReplies } from './replies.ts'
import type { Situation } from './situation.ts'

/** Every third file. Authors of rules do not look at the mistakes there. */
const isHeldOut = (sample: number) => sample % 3 === 1

export interface GeneratedData {
  /** In the format of --data. */
  readonly file: string
  remove(): void
}

interface Draft {
  readonly id: string
  readonly kind: string
  readonly set: Situation['set']
  readonly target: Target
  readonly story: Story
  readonly landing: 'merge' | 'rebase' | 'squash'
}

/** `quick` lands only some of the pull requests: the result of a merge decides only if the branch is lost. */
export function generateSituations(quick: boolean): GeneratedData {
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-outcomes-'))
  const git = createGit(folder)
  const drafts = draftSituations()
  const commits = importHistories(git, drafts)
  const situations = drafts.map((draft, index) =>
    toSituation(draft, finish(git, draft, commits[index] ?? [], !quick || index % 8 === 0)),
  )
  git.removeWorkTree()
  const file = join(folder, 'situations.jsonl')
  writeFileSync(file, situations.map((situation) => `${JSON.stringify(situation)}\n`).join(''))
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function draftSituations(): Draft[] {
  const replies = loadReplies()
  return loadSamples().flatMap((sample, index) => {
    const set = isHeldOut(index) ? 'held-out' : 'developed'
    const texts = (meaning: 'agrees' | 'declines' | 'unclear') =>
      replies.filter((reply) => reply.set === set && reply.meaning === meaning).map(({ text }) => text)
    const targets = Object.entries(sample.findings).map(([mark, { fixed, edited }]) =>
      toTarget(sample, Number(mark), fixed, edited),
    )
    return targets.flatMap((target, position) =>
      kinds.flatMap(({ name, every, create }): Draft[] => {
        const id = `${sample.path}#${position + 1}: ${name}`
        // The choices of a situation stay when others are added.
        const random = createRandom(id)
        if (random.below(every) !== 0) return []
        const spoken = {
          declining: random.pick(texts('declines')),
          agreeing: random.pick(texts('agrees')),
          unclear: random.pick(texts('unclear')),
        }
        const whole = { ...target, ...spoken }
        const landing = random.pick(['merge', 'rebase', 'squash'] as const)
        return [{ id, kind: name, set, target: whole, story: create(whole, random), landing }]
      }),
    )
  })
}

function toTarget(
  sample: CodeSample,
  mark: number,
  fixed: string,
  edited: string,
): Omit<Target, 'agreeing' | 'declining' | 'unclear'> {
  const marked = sample.code.replaceAll('\n---\n', '\n\n').split('\n')
  const own = marked.flatMap((line, index) => (line.endsWith(`‹${mark}›`) ? [index] : []))
  const clean = (text: string) => text.split('\n').map((line) => line.replace(/\s*‹\d›$/, ''))
  return {
    path: sample.path,
    renamed: sample.renamed,
    lines: clean(marked.join('\n')),
    start: own[0] ?? 0,
    end: own.at(-1) ?? 0,
    fixed,
    edited,
    filler: clean(sample.filler),
    newBlock: clean(sample.newBlock),
    comment: sample.comment,
  }
}

// The commits of a situation: base, base later, commented, steps.

interface Git {
  readonly folder: string
  run(...args: string[]): string
  runWithInput(input: string, ...args: string[]): string
  /** In a work tree. */
  inTree(...args: string[]): string
  removeWorkTree(): void
}

const REPOSITORY = 'repository.git'

function createGit(folder: string): Git {
  const repository = join(folder, REPOSITORY)
  const tree = join(folder, 'tree')
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Alice',
    GIT_AUTHOR_EMAIL: 'alice@example.com',
    GIT_COMMITTER_NAME: 'Alice',
    GIT_COMMITTER_EMAIL: 'alice@example.com',
  }
  const call = (cwd: string, input: string, args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd, env, input, maxBuffer: 64 * 1024 ** 2 })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString()}${stdout.toString()}`)
    return stdout.toString().trimEnd()
  }
  mkdirSync(repository)
  call(repository, '', ['init', '--quiet', '--bare'])
  let hasTree = false
  return {
    folder,
    run: (...args) => call(repository, '', args),
    runWithInput: (input, ...args) => call(repository, input, args),
    inTree: (...args) => {
      if (!hasTree) call(repository, '', ['worktree', 'add', '--quiet', '--detach', tree, args.at(-1) ?? ''])
      hasTree = true
      return call(tree, '', args)
    },
    removeWorkTree: () => {
      rmSync(tree, { recursive: true, force: true })
      call(repository, '', ['worktree', 'prune'])
    },
  }
}

function toContent(lines: readonly string[], crlf = false): string {
  return lines.map((line) => `${line}${crlf ? '\r' : ''}\n`).join('')
}

/** All commits that need no operation of git, in one import. Returns their ids by situation. */
function importHistories(git: Git, drafts: readonly Draft[]): string[][] {
  const stream: string[] = []
  let marks = 0
  const add = (branch: string, message: string, parent: number | null, changes: readonly string[]) => {
    const from = parent === null ? [] : [`from :${parent}`]
    const text = `data ${Buffer.byteLength(message)}\n${message}`
    stream.push(
      `commit refs/heads/${branch}`,
      `mark :${++marks}`,
      `committer Alice <alice@example.com> ${1_793_000_000 + marks} +0000`,
      text,
      ...from,
      ...changes,
      '',
    )
    return marks
  }
  const write = (path: string, content: string) =>
    `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}`
  const marksOf = drafts.map(({ target, story }, index) => {
    const { path, start, comment } = target
    const lines = story.commented ?? target.lines
    const before = lines.with(start, `${comment} to do`)
    // The base changes the file far from the lines of the finding.
    const later = before.toSpliced(
      start > lines.length / 2 ? 2 : lines.length,
      0,
      `${comment} work of others`,
    )
    const touchesFile = story.isRebased === true || story.isBaseMerged === true
    const name = `s${index}`
    const base = add(`${name}-base`, 'Start', null, [
      write(path, toContent(before, story.crlf)),
      write('notes.txt', 'notes\n'),
    ])
    const baseLater = add(`${name}-base`, 'Work of others', base, [
      write(path, toContent(touchesFile ? later : before, story.crlf)),
      write('others.txt', 'others\n'),
    ])
    const commented = add(name, 'Add a feature', base, [write(path, toContent(lines, story.crlf))])
    let parent = commented
    let current = path
    const steps = story.steps.map((step) => {
      parent = add(name, step.message ?? 'Work', parent, toChanges(step, current, story.crlf, write))
      current = step.path ?? current
      return parent
    })
    return [base, baseLater, commented, ...steps]
  })
  const file = join(git.folder, 'marks')
  git.runWithInput(stream.join('\n'), 'fast-import', '--quiet', '--force', `--export-marks=${file}`)
  const ids = new Map(
    spawnSync('cat', [file], { encoding: 'utf8' })
      .stdout.split('\n')
      .map((line) => {
        const [mark = '', id = ''] = line.split(' ')
        return [Number(mark.slice(1)), id]
      }),
  )
  return marksOf.map((list) => list.map((mark) => ids.get(mark) ?? ''))
}

function toChanges(
  step: Step,
  current: string,
  crlf: boolean | undefined,
  write: (path: string, content: string) => string,
): string[] {
  const path = step.path ?? current
  return [
    ...(step.lines === null || path !== current ? [`D ${current}`] : []),
    ...(step.lines === null ? [] : [write(path, toContent(step.lines, crlf))]),
    ...(step.other === undefined ? [] : [write('src/caller.txt', `${step.other}\n`)]),
  ]
}

interface History {
  readonly base: string
  readonly commented: string
  readonly head: string
  readonly merge: string | null
  readonly commits: readonly { readonly sha: string; readonly message: string }[]
}

/** Does with git what people did after their last commit: rebase, merge the base, land. */
function finish(git: Git, { story, landing }: Draft, ids: readonly string[], lands: boolean): History {
  const [base = '', baseLater = '', commented = '', ...steps] = ids
  let head = steps.at(-1) ?? commented
  if (story.isRebased === true) {
    git.inTree('checkout', '--quiet', '--detach', head)
    git.inTree('rebase', '--quiet', '--onto', baseLater, base, head)
    head = git.inTree('rev-parse', 'HEAD')
  }
  if (story.isBaseMerged === true) head = merge(git, head, baseLater, [head, baseLater])
  const isLanded = story.state === undefined && (lands || story.lost === 'head')
  const messages = story.steps.map(({ message = 'Work' }) => message)
  return {
    base,
    commented,
    head,
    merge: isLanded ? land(git, story, landing, { baseLater, base, head }) : null,
    commits: [commented, ...steps].map((sha, index) => ({
      sha,
      message: messages[index - 1] ?? 'Add a feature',
    })),
  }
}

function land(
  git: Git,
  { isRebased, lost }: Story,
  landing: Draft['landing'],
  { baseLater, base, head }: { readonly baseLater: string; readonly base: string; readonly head: string },
): string {
  // After a rebase the branch is on top of the base.
  if (isRebased === true) return head
  if (landing === 'squash' || lost === 'head') return merge(git, baseLater, head, [baseLater])
  if (landing === 'merge') return merge(git, baseLater, head, [baseLater, head])
  try {
    git.inTree('checkout', '--quiet', '--detach', head)
    git.inTree('rebase', '--quiet', '--onto', baseLater, base, head)
    return git.inTree('rev-parse', 'HEAD')
  } catch {
    // A branch that merged the base is not always rebased without conflicts; forges then refuse it, and people squash.
    git.inTree('rebase', '--abort')
    return merge(git, baseLater, head, [baseLater])
  }
}

function merge(git: Git, ours: string, theirs: string, parents: readonly string[]): string {
  const [tree = ''] = git.run('merge-tree', '--write-tree', ours, theirs).split('\n')
  return git.run('commit-tree', tree, '-m', 'Merge', ...parents.flatMap((parent) => ['-p', parent]))
}

const bot: ProviderUser = { id: '101', login: 'review-bot[bot]', isBot: true }
const otherBot: ProviderUser = { id: '102', login: 'other-bot[bot]', isBot: true }
const alice: ProviderUser = { id: '7', login: 'alice', isBot: false }
const time = (hour: number) => `2026-11-02T${String(hour).padStart(2, '0')}:00:00Z`
const MERGED_AT = time(18)

function toSituation(draft: Draft, history: History): Situation {
  const { id, kind, set, story, target } = draft
  const postedAt = story.isPostedAfterMerge === true ? time(19) : time(10)
  const comment = toComment(1, bot, 'A finding.', postedAt, story)
  const lostId = 'dead'.repeat(10)
  const commented = story.lost === 'commented' ? lostId : history.commented
  const isMerged = story.state === undefined
  return {
    id,
    kind,
    set,
    repository: REPOSITORY,
    snapshot: {
      repository: { id: '1', fullName: 'acme/shop', isPrivate: true },
      number: 1,
      url: 'https://forge.example/acme/shop/pull/1',
      state: story.state ?? 'merged',
      author: alice,
      createdAt: time(9),
      readyForReviewAt: null,
      mergedAt: isMerged ? MERGED_AT : null,
      closedAt: story.state === 'open' ? null : MERGED_AT,
      updatedAt: MERGED_AT,
      headSha: story.lost === 'head' ? lostId : history.head,
      mergeSha: history.merge,
      commits: history.commits.map(({ sha, message }, index) => ({
        sha,
        message,
        committedAt: index === 0 ? time(9) : time(12 + index),
      })),
      reviews: [],
      threads: [toThread(story, target, comment, commented)],
      comments: [],
      readAt: time(20),
    },
    findings: [toFinding(story, target, comment, commented, postedAt)],
    ...(story.verdict === undefined ? {} : { verdicts: { '1': { accepted: story.verdict, at: time(19) } } }),
    ...(story.alert === undefined ? {} : { alerts: { '1': { state: story.alert, at: time(17) } } }),
    labels: { '1': story.label },
  }
}

function toThread(story: Story, target: Target, comment: ProviderComment, commit: string): ReviewThread {
  const margin = story.margin ?? 0
  const lines = [
    Math.max(target.start + 1 - margin, 1),
    Math.min(target.end + 1 + margin, target.lines.length),
  ] as const
  const [originalStartLine, originalEndLine] = story.isAboutFile === true ? [null, null] : lines
  return {
    id: 't1',
    path: target.path,
    originalStartLine,
    originalEndLine,
    side: story.side ?? 'right',
    originalCommit: commit,
    isResolved: story.isResolved,
    resolvedBy: story.isResolved ? alice : null,
    resolvedAt: null,
    isOutdated: story.isOutdated ?? false,
    suggestionApplied: story.suggestionApplied ?? null,
    comments: [
      comment,
      ...(story.replyOfBot === undefined ? [] : [toComment(2, otherBot, story.replyOfBot, time(11))]),
      ...(story.reply === undefined ? [] : [toComment(3, alice, story.reply, time(12))]),
    ],
  }
}

function toFinding(
  { suggestion, botOutcome }: Story,
  target: Target,
  comment: ProviderComment,
  commit: string,
  postedAt: string,
): ParsedFinding {
  return {
    id: '1',
    reviewer: 'review-bot',
    severity: null,
    category: null,
    rawSeverity: null,
    botKey: null,
    parser: 'review-bot@1',
    postedAs: 'inline',
    postedAt,
    url: comment.url,
    file: target.path,
    startLine: target.start + 1,
    endLine: target.end + 1,
    commit,
    threadId: 't1',
    sketch: [],
    clues: { suggestion: suggestion ?? null, botOutcome: botOutcome ?? null, botCommits: [] },
  }
}

function toComment(
  number: number,
  user: ProviderUser,
  body: string,
  createdAt: string,
  { thumbsDown, thumbsUp }: Pick<Story, 'thumbsDown' | 'thumbsUp'> = {},
): ProviderComment {
  const toReaction = (by: 'bot' | 'person' | undefined, content: 'thumbs_down' | 'thumbs_up') =>
    by === undefined ? [] : [{ user: by === 'bot' ? otherBot : alice, content }]
  return {
    id: String(number),
    url: `https://forge.example/acme/shop/pull/1#c${number}`,
    user,
    body,
    createdAt,
    updatedAt: createdAt,
    reactions: [...toReaction(thumbsDown, 'thumbs_down'), ...toReaction(thumbsUp, 'thumbs_up')],
  }
}

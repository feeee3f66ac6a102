// Makes the labelled situations with real git: one repository, one branch for each.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../../proofs/tools/random.ts'
import type { ProviderComment, ReviewThread } from '../../server/test/connectors/outcomes.ts'
import { type CodeSample, loadSamples } from '../identity/samples.ts'
import { createGit, type Git } from './git.ts'
import { importWrittenHistories, type History as WrittenHistory } from './history.ts'
import {
  alice,
  bot,
  createComment,
  createFinding,
  createSnapshot,
  createThread,
  otherBot,
  type Situation,
  toTime,
} from './pull-request.ts'
import { loadStories, type Story, type Target, tellStory } from './story.ts'

/** A reply of a person to a finding. */
export interface Reply {
  readonly source: string
  readonly label: string
  readonly text: string
}

interface Draft {
  readonly id: string
  readonly target: Target
  readonly story: Story
  readonly landing: 'merge' | 'rebase' | 'squash'
}

/** `quick` lands only some of the pull requests: the result of a merge decides only if the branch is lost. */
export function generateSituations(
  replies: readonly Reply[],
  written: readonly WrittenHistory[],
  quick: boolean,
): { readonly situations: readonly Situation[]; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-outcomes-'))
  const git = createGit(folder)
  const drafts = draftSituations(replies)
  const own = importWrittenHistories(git, written)
  const commits = importHistories(git, drafts)
  const situations = drafts.map((draft, index) => {
    const history = finish(git, draft, commits[index] ?? [], !quick || index % 8 === 0)
    return toSituation(draft, history, git.repository)
  })
  git.removeWorkTree()
  return {
    situations: [...situations, ...own],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Findings of code samples, each with some of the stories and with replies. Rules were chosen on them. */
function draftSituations(replies: readonly Reply[]): Draft[] {
  const stories = loadStories()
  return loadSamples().flatMap((sample) => {
    const texts = (label: string) =>
      replies.filter((reply) => reply.source === 'by hand' && reply.label === label).map(({ text }) => text)
    return Object.keys(sample.findings).flatMap((mark, position) =>
      stories.flatMap((line): Draft[] => {
        const id = `${sample.id}#${position + 1}: ${line.id}`
        // The choices of a situation stay when others are added.
        const random = createRandom(id)
        if (random.below(line.every) !== 0) return []
        const words = [
          ['declining', random.pick(texts('declines'))],
          ['agreeing', random.pick(texts('agrees'))],
          ['unclear', random.pick(texts('unclear'))],
        ] as const
        const target = toTarget(sample, mark, words)
        const landing = random.pick(['merge', 'rebase', 'squash'] as const)
        return [{ id, target, story: tellStory(line, target, random), landing }]
      }),
    )
  })
}

function toTarget(sample: CodeSample, mark: string, words: readonly (readonly [string, string])[]): Target {
  const { fixed = '', edited = '' } = sample.findings[mark] ?? {}
  const own = sample.code.flatMap((line, index) => (line.endsWith(`‹${mark}›`) ? [index] : []))
  const clean = (texts: readonly string[]) => texts.map((text) => text.replace(/\s*‹\d›$/, ''))
  const lines = clean(sample.code.map((line) => (line === '---' ? '' : line)))
  const [start = 0, end = start] = [own[0], own.at(-1)]
  const requoted = fixed.replaceAll("'", '"')
  const polished = fixed
    .replace(/\(([^()]*)\)(?!.*\()/, '( $1 )')
    .replace(/;?$/, (close) => ` /* checked */${close}`)
  return {
    path: sample.id,
    renamed: sample.renamed,
    lines,
    start,
    end,
    filler: clean(sample.filler),
    newBlock: clean(sample.newBlock),
    words: new Map([
      ...words,
      ['fixed', fixed],
      // A change that leaves the fault in.
      ['edited', edited],
      ['requoted', requoted],
      ['polished', polished],
      ['indent', /^\s*/.exec(lines[start] ?? '')?.[0] ?? ''],
      ['comment', sample.comment],
      ['above', lines[start - 1] ?? ''],
      ['below', lines[end + 1] ?? '}'],
    ]),
  }
}

// The commits of a situation: base, base later, commented, steps.

/** All commits that need no operation of git, in one import. Returns their ids by situation. */
function importHistories(git: Git, drafts: readonly Draft[]): string[][] {
  const marksOf = drafts.map(({ target: { path, start, words }, story }, index) => {
    const toContent = (lines: readonly string[]) =>
      lines.map((line) => `${line}${story.crlf === true ? '\r' : ''}\n`).join('')
    const { commented: lines } = story
    const comment = words.get('comment') ?? ''
    const before = lines.with(start, `${comment} to do`)
    // The base changes the file far from the lines of the finding.
    const later = before.toSpliced(
      start > lines.length / 2 ? 2 : lines.length,
      0,
      `${comment} work of others`,
    )
    const touchesFile = story.isRebased === true || story.isBaseMerged === true
    const name = `s${index}`
    const base = git.commit(`${name}-base`, 'Start', null, {
      [path]: toContent(before),
      'notes.txt': 'notes\n',
    })
    const baseLater = git.commit(`${name}-base`, 'Work of others', base, {
      [path]: toContent(touchesFile ? later : before),
      'others.txt': 'others\n',
    })
    const commented = git.commit(name, 'Add a feature', base, { [path]: toContent(lines) })
    let [parent, current] = [commented, path]
    const steps = story.steps.map((step) => {
      const isGone = step.lines === null || step.path !== current
      parent = git.commit(name, step.message, parent, {
        ...(isGone ? { [current]: null } : {}),
        ...(step.lines === null ? {} : { [step.path]: toContent(step.lines) }),
        ...(step.other === undefined ? {} : { 'src/caller.txt': `${step.other}\n` }),
      })
      current = step.path
      return parent
    })
    return [base, baseLater, commented, ...steps]
  })
  const ids = git.finishImport()
  return marksOf.map((list) => list.map((mark) => ids.get(mark) ?? ''))
}

interface History {
  readonly commented: string
  readonly head: string
  readonly merge: string | null
  readonly commits: readonly { readonly sha: string; readonly message: string }[]
}

/** Does with git what people did after their last commit: rebase, merge the base, land. */
function finish(git: Git, { story, landing }: Draft, ids: readonly string[], lands: boolean): History {
  const [base = '', baseLater = '', commented = '', ...steps] = ids
  let head = steps.at(-1) ?? commented
  if (story.isRebased === true) head = rebase(git, head, base, baseLater)
  if (story.isBaseMerged === true) head = merge(git, head, baseLater, [head, baseLater])
  const isLanded = story.state === undefined && (lands || story.lost === 'head')
  const messages = ['Add a feature', ...story.steps.map(({ message }) => message)]
  return {
    commented,
    head,
    merge: isLanded ? land(git, story, landing, { baseLater, base, head }) : null,
    commits: [commented, ...steps].map((sha, index) => ({ sha, message: messages[index] ?? '' })),
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
    return rebase(git, head, base, baseLater)
  } catch {
    // A branch that merged the base is not always rebased without conflicts; forges then refuse it, and people squash.
    git.inTree('rebase', '--abort')
    return merge(git, baseLater, head, [baseLater])
  }
}

function rebase(git: Git, head: string, base: string, onto: string): string {
  git.inTree('checkout', '--quiet', '--detach', head)
  git.inTree('rebase', '--quiet', '--onto', onto, base, head)
  return git.inTree('rev-parse', 'HEAD')
}

function merge(git: Git, ours: string, theirs: string, parents: readonly string[]): string {
  const [tree = ''] = git.run('merge-tree', '--write-tree', ours, theirs).split('\n')
  return git.run('commit-tree', tree, '-m', 'Merge', ...parents.flatMap((parent) => ['-p', parent]))
}

function toSituation({ id, story, target }: Draft, history: History, repository: string): Situation {
  const lost = 'dead'.repeat(10)
  const state = story.state ?? 'merged'
  const thread = toThread(story, target, story.lost === 'commented' ? lost : history.commented)
  const lines = { startLine: target.start + 1, endLine: target.end + 1 }
  const clues = { suggestion: story.suggestion ?? null, botOutcome: story.botOutcome ?? null }
  const { verdict, alert, label } = story
  return {
    set: 'situations',
    source: 'generator',
    split: 'calibration',
    id,
    kind: story.id,
    repository,
    snapshot: createSnapshot({
      state,
      ...(state === 'merged' ? {} : { mergedAt: null }),
      ...(state === 'open' ? { closedAt: null } : {}),
      headSha: story.lost === 'head' ? lost : history.head,
      mergeSha: history.merge,
      commits: history.commits.map((commit, index) => ({
        ...commit,
        committedAt: toTime(index === 0 ? 9 : 12 + index),
      })),
      threads: [thread],
    }),
    findings: [createFinding(thread, { id: '1', ...lines }, clues)],
    ...(verdict === undefined ? {} : { verdicts: { '1': { accepted: verdict, at: toTime(19) } } }),
    ...(alert === undefined ? {} : { alerts: { '1': { state: alert, at: toTime(17) } } }),
    labels: { '1': label === null ? null : label === 'accepted' },
  }
}

function toThread(story: Story, { path, start, end, lines }: Target, originalCommit: string): ReviewThread {
  const { margin = 0, isResolved, reply, replyOfBot } = story
  const [originalStartLine, originalEndLine] =
    story.isAboutFile === true
      ? [null, null]
      : [Math.max(start + 1 - margin, 1), Math.min(end + 1 + margin, lines.length)]
  const createdAt = toTime(story.isPostedAfterMerge === true ? 19 : 10)
  const reactions = toReactions(story)
  return createThread({
    id: 't1',
    path,
    originalStartLine,
    originalEndLine,
    side: story.side ?? 'right',
    originalCommit,
    isResolved,
    resolvedBy: isResolved ? alice : null,
    isOutdated: story.isOutdated ?? false,
    suggestionApplied: story.suggestionApplied ?? null,
    comments: [
      createComment(1, { user: bot, body: 'A finding.', createdAt, reactions }),
      ...(replyOfBot == null
        ? []
        : [createComment(2, { user: otherBot, body: replyOfBot, createdAt: toTime(11) })]),
      ...(reply == null ? [] : [createComment(3, { user: alice, body: reply, createdAt: toTime(12) })]),
    ],
  })
}

function toReactions({ thumbsDown, thumbsUp }: Story): ProviderComment['reactions'] {
  const by = { bot: otherBot, person: alice }
  return [
    ...(thumbsDown === undefined ? [] : [{ user: by[thumbsDown], content: 'thumbs_down' as const }]),
    ...(thumbsUp === undefined ? [] : [{ user: by[thumbsUp], content: 'thumbs_up' as const }]),
  ]
}

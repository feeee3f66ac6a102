// What git says about the code of a finding.
import type { Evidence, ParsedFinding } from '../finding.ts'
import type { ChangedFile, GitReader } from '../git/git-reader.ts'
import type { Commit, ProviderComment, PullRequestSnapshot, ReviewThread } from '../snapshot.ts'
import { countTokens, findLineChange, isSubstance, type LineChange, type LineRange } from './line-change.ts'
import { getBlock, isAddedTo, measureFollowing, type Proposal, readProposal } from './proposal.ts'
import { isSuggestionPresent } from './suggestion.ts'

export interface FindingCase {
  readonly snapshot: PullRequestSnapshot
  readonly finding: ParsedFinding
  readonly thread: ReviewThread | null
  readonly comment: ProviderComment | null
  /** null: the lines are not known, or are lines that the pull request removed. */
  readonly range: LineRange | null
  /** The commit that was commented on. */
  readonly commit: string | null
  /** Commits that may be the fix, oldest first. */
  readonly laterCommits: readonly Commit[]
  /** Those of them that the Git provider made when somebody applied suggestions. */
  readonly suggestionCommits: readonly Commit[]
}

export interface Code {
  /** null: nothing could be read. */
  readonly lines: LineChange | null
  readonly isCommitLost: boolean
  /** The commit that was commented on is the last one. */
  readonly isLast: boolean
  /** The suggested change is in place of the lines. */
  readonly suggestion: Evidence | null
  /** Kind of evidence: whether the change has what the finding asks for. */
  readonly proposal: string | null
  /** Something was changed that a commit may have fixed. */
  readonly isChanged: boolean
}

export interface FixedCode extends Code {
  readonly fix: Commit | null
}

export const unreadable: Code = {
  lines: null,
  isCommitLost: false,
  isLast: false,
  suggestion: null,
  proposal: null,
  isChanged: false,
}

/** The lines may be in another file. */
const gone: ReadonlySet<LineChange> = new Set(['changed', 'deleted'])
/** A shorter text is elsewhere by chance. */
const MIN_MOVED_TOKENS = 6

export async function readCode(item: FindingCase, git: GitReader | null): Promise<Code> {
  const { snapshot, range, commit } = item
  if (git === null || range === null || commit === null || snapshot.state === 'open') return unreadable
  const head = await findHead(snapshot, git)
  if (head === null || !(await git.hasCommit(commit))) return { ...unreadable, isCommitLost: true }
  const code = await compareCode(item, git, range, { from: commit, to: head })
  return { ...code, isLast: commit === snapshot.headSha }
}

interface Commits {
  readonly from: string
  readonly to: string
}

async function compareCode(
  item: FindingCase,
  git: GitReader,
  range: LineRange,
  commits: Commits,
): Promise<Code> {
  const { from, to } = commits
  const read = (before: readonly string[]) =>
    readProposal(item.finding, item.comment?.body ?? '', before, range)
  const change = await findLineChange(git, from, to, range, (before) => read(before).added)
  const suggestion = await findSuggestion(item, git, range, commits, change.kind)
  const code = { ...unreadable, suggestion, lines: change.kind, isChanged: true }
  if (suggestion !== null) return code
  if (range.start === null || !isSubstance(change.kind))
    return { ...code, isChanged: isSubstance(change.kind) }
  const before = (await git.readFile(from, range.path)) ?? []
  const proposal = read(before)
  const followed = measureFollowing(proposal, change)
  const files = gone.has(change.kind) && followed !== 'followed' ? await git.readChanges(from, to) : []
  const elsewhere = findElsewhere(proposal, getBlock(before, range), range.path, files)
  if (elsewhere === 'moved') return { ...code, lines: 'moved', isChanged: false }
  const name = proposal.isWhole ? 'suggestion' : 'description'
  return { ...code, proposal: elsewhere ?? (followed && `${name}_${followed}`) }
}

/** Whether another file got the lines of the finding, or what was suggested. */
function findElsewhere(
  proposal: Proposal,
  block: readonly string[],
  own: string,
  files: readonly ChangedFile[],
): 'moved' | 'suggestion_elsewhere' | null {
  for (const { path, before, after } of files) {
    if (path === own) continue
    const count = (lines: readonly string[]) => countTokens(lines, path, block, MIN_MOVED_TOKENS)
    if (count(after) > count(before)) return 'moved'
    if (isAddedTo(proposal, before, after, path)) return 'suggestion_elsewhere'
  }
  return null
}

/** What was merged; if the branch is lost, what the merge made of it. */
async function findHead(snapshot: PullRequestSnapshot, git: GitReader): Promise<string | null> {
  if (await git.hasCommit(snapshot.headSha)) return snapshot.headSha
  const { mergeSha } = snapshot
  return mergeSha !== null && (await git.hasCommit(mergeSha)) ? mergeSha : null
}

async function findSuggestion(
  { snapshot, finding, suggestionCommits }: FindingCase,
  git: GitReader,
  range: LineRange,
  { from, to }: Commits,
  lines: LineChange,
): Promise<Evidence | null> {
  const { suggestion } = finding.clues
  if (suggestion === null) return null
  if (await isSuggestionPresent(git, from, to, range, suggestion))
    return { kind: 'suggestion_present', at: snapshot.mergedAt }
  // It was applied and edited later; but a revert brings the old lines back.
  if (lines !== 'changed') return null
  for (const { sha, committedAt } of suggestionCommits)
    if (await isSuggestionPresent(git, from, sha, range, suggestion))
      return { kind: 'suggestion_commit', at: committedAt }
  return null
}

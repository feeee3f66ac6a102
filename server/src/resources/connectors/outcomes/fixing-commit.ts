import type { ParsedFinding } from '../finding.ts'
import type { GitReader } from '../git/git-reader.ts'
import type { Commit, PullRequestSnapshot } from '../snapshot.ts'
import type { Code, FindingCase } from './code.ts'
import { findLineChange } from './line-change.ts'
import { isSuggestionPresent } from './suggestion.ts'

/** Each is fetched. If more follow and none of the first is the fix, the time to the fix is unknown. */
const MAX_COMMITS = 20

/** The commits after a finding, oldest first. */
export function selectLaterCommits({ commits }: PullRequestSnapshot, { postedAt }: ParsedFinding): Commit[] {
  const toTime = ({ committedAt }: Commit) => Date.parse(committedAt)
  return commits
    .filter((commit) => toTime(commit) > Date.parse(postedAt))
    .toSorted((a, b) => toTime(a) - toTime(b))
    .slice(0, MAX_COMMITS)
}

/** As the Git providers word it. */
export function appliesSuggestion({ message }: Commit): boolean {
  return /^(?:apply suggestions? from|apply \d+ suggestions? to \d+ files?|apply \d+ suggestion\(s\) to)/i.test(
    message,
  )
}

/** The first commit with the suggestion; else the first that changed the lines as they are changed in the end. */
export async function findFix(
  { commit: from, range, laterCommits, finding }: FindingCase,
  { suggestion, lines }: Code,
  git: GitReader,
): Promise<Commit | null> {
  if (from === null || range === null) return null
  const wanted = suggestion === null ? null : finding.clues.suggestion
  for (const commit of laterCommits) {
    const isFix =
      wanted === null
        ? (await findLineChange(git, from, commit.sha, range)).kind === lines
        : await isSuggestionPresent(git, from, commit.sha, range, wanted)
    if (isFix) return commit
  }
  return null
}

/** Whether the commit is one of those that a bot names, or between two of them. */
export function isAmong({ sha }: Commit, names: readonly string[], commits: readonly Commit[]): boolean {
  const named = commits.flatMap((commit, index) =>
    names.some((name) => name !== '' && commit.sha.startsWith(name)) ? [index] : [],
  )
  const index = commits.findIndex((commit) => commit.sha === sha)
  return named.length === 0 || (index >= Math.min(...named) && index <= Math.max(...named))
}

const review =
  /\b(?:review(?:er)?s?|feedback|nits?|suggestions?|(?:pr|code) comments?|address\w* comments?|coderabbit\w*|copilot|sourcery|gemini|bugbot|greptile|qodo|codex)\b/i
const baseMerge = /^merge (?:remote-tracking )?(?:branch|commit|tag|upstream|origin|main|master|develop)\b/i

/** The title and the start of the text of a finding. */
const MAX_TEXT = 800
const MIN_SHARED_WORDS = 2
const MIN_SHARE = 0.4
/** A text with fewer words says too little to be compared. */
const MIN_WORDS = 5

/** What the message of the commit that changed the lines says about the finding, as a kind of evidence; null = nothing. */
export function readMessage(
  commit: Commit,
  { snapshot: { commits }, commit: commented, finding, comment }: FindingCase,
): string | null {
  const { message } = commit
  const [subject = ''] = message.slice(0, MAX_TEXT).split('\n')
  if (baseMerge.test(subject)) return 'commit_merges_base'
  // That of this finding would have been found in place of its lines.
  if (appliesSuggestion(commit)) return 'commit_applies_other'
  if (message.includes(finding.url) || review.test(subject)) return 'commit_names_review'
  const [own, text] = [listStems(subject), listStems(comment?.body.slice(0, MAX_TEXT) ?? '')]
  const shared = [...own].filter((stem) => text.has(stem)).length
  if (shared >= MIN_SHARED_WORDS && shared >= MIN_SHARE * own.size) return 'commit_names_finding'
  // An amended commit keeps the message of the work that was reviewed.
  const isAmended = commits.every(({ sha }) => sha !== commented)
  const canTell = own.size > 0 && text.size >= MIN_WORDS && !isAmended
  return canTell && shared === 0 ? 'commit_names_other' : null
}

const generalWords = new Set(
  'address addresses changes clean cleanup fixes fixed fixup minor misc more polish refactor remaining some small stuff tests tidy tweak tweaks update updates various with work'.split(
    ' ',
  ),
)

/** The first letters of words, so that "closes" and "closed" are the same. */
function listStems(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
  return new Set(words.filter((word) => !generalWords.has(word)).map((word) => word.slice(0, 5)))
}

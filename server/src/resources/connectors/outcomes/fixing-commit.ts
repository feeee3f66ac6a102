import type { DetectedOutcome, Evidence, ParsedFinding } from '../finding.ts'
import type { GitReader } from '../git/git-reader.ts'
import type { Commit, PullRequestSnapshot } from '../snapshot.ts'
import { findLineChange, isFix, type LineRange } from './line-change.ts'
import { isSuggestionPresent } from './suggestion.ts'

export interface FixedCase {
  readonly snapshot: PullRequestSnapshot
  readonly finding: ParsedFinding
  /** null: the lines are not known, or are lines that the pull request removed. */
  readonly range: LineRange | null
  /** The commit that was commented on. */
  readonly commit: string | null
  /** Commits that may be the fix, if the finding can be accepted by one. */
  readonly laterCommits: readonly Commit[]
}

/** Each is fetched. If more follow and none of the first is the fix, the time to the fix is unknown. */
const MAX_COMMITS = 20
/** A verdict and an alert rest on no commit. */
const kindsWithCommit = new Set([
  'bot_addressed',
  'suggestion_applied',
  'suggestion_commit',
  'suggestion_present',
])

/** The commits after a finding, oldest first. */
export function selectLaterCommits({ commits }: PullRequestSnapshot, { postedAt }: ParsedFinding): Commit[] {
  const toTime = ({ committedAt }: Commit) => Date.parse(committedAt)
  return commits
    .filter((commit) => toTime(commit) > Date.parse(postedAt))
    .toSorted((a, b) => toTime(a) - toTime(b))
    .slice(0, MAX_COMMITS)
}

/** Adds the commit that fixed an accepted finding to its evidence, for the time to the fix. */
export async function addFixingCommit(
  item: FixedCase,
  outcome: DetectedOutcome,
  git: GitReader,
): Promise<DetectedOutcome> {
  const isFixed = outcome.accepted === true && outcome.evidence.some(({ kind }) => kindsWithCommit.has(kind))
  if (!isFixed || item.snapshot.state === 'open') return outcome
  const suggestion = outcome.rule === 'addressed' ? null : item.finding.clues.suggestion
  const fix = await findFixingCommit(item, suggestion, git)
  return fix === null ? outcome : { ...outcome, evidence: [...outcome.evidence, fix] }
}

/** The first commit with the suggestion; without a suggestion, the first that changed the lines. */
async function findFixingCommit(
  { commit: from, range, laterCommits }: FixedCase,
  suggestion: readonly string[] | null,
  git: GitReader,
): Promise<Evidence | null> {
  if (from === null || range === null) return null
  for (const { sha, committedAt } of laterCommits) {
    const isFixed =
      suggestion === null
        ? isFix(await findLineChange(git, from, sha, range))
        : await isSuggestionPresent(git, from, sha, range, suggestion)
    if (isFixed) return { kind: 'commit', at: committedAt }
  }
  return null
}

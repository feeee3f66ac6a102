import type { Category, Severity } from '../../metrics-store/findings.ts'

/** A finding of a bot, as a parser reads it from a comment. It has no text: a sketch and digests only. */
export interface ParsedFinding {
  /** Unique in the pull request and the same at every read, for example the id of the comment. */
  readonly id: string
  /** Stable name of the bot, for example `coderabbit`. */
  readonly reviewer: string
  readonly severity: Severity | null
  readonly category: Category | null
  /** As the bot wrote it, for example `Major` or `P1`. */
  readonly rawSeverity: string | null
  /** The bot's own id of the finding, the same when it is posted again. */
  readonly botKey: string | null
  /** Name and version of the parser, for example `coderabbit@2`. */
  readonly parser: string
  readonly postedAs: 'inline' | 'body' | 'suppressed' | 'annotation'
  readonly postedAt: string
  readonly url: string
  readonly file: string | null
  readonly startLine: number | null
  readonly endLine: number | null
  readonly commit: string | null
  /** The thread that has it; null for findings in bodies and checks. */
  readonly threadId: string | null
  /** MinHash of the words of title and quoted code: compares findings without their text. */
  readonly sketch: readonly number[]
  /** For the outcome detector; never stored. */
  readonly clues: FindingClues
}

export interface FindingClues {
  /** Code that the comment suggests to put in place of its lines; null = none. */
  readonly suggestion: readonly string[] | null
  /** The bot says itself that the finding was addressed, or resolved, or dismissed. */
  readonly botOutcome: 'addressed' | 'dismissed' | null
  /** Commits that the bot names with its outcome. */
  readonly botCommits: readonly string[]
}

/** What all parsers found in one pull request. */
export interface ParsedReview {
  /** Bots that reviewed, also those without a finding. A bot whose limit was reached did not review. */
  readonly reviewers: readonly string[]
  readonly findings: readonly ParsedFinding[]
  /** Comments of known bots that look like findings, but that no parser understands. */
  readonly unparsedComments: number
}

/** `at` is the Git provider's time of the evidence; null where it reports none. */
export interface Evidence {
  readonly kind: string
  readonly at: string | null
}

/** `evidence`: its sum decided. */
export type OutcomeRule = 'verdict' | 'provider' | 'suggestion' | 'evidence' | 'undecided'

export interface DetectedOutcome {
  readonly findingId: string
  /** null = unknown. */
  readonly accepted: boolean | null
  readonly source: 'person' | 'provider' | 'detector'
  readonly rule: OutcomeRule
  readonly evidence: readonly Evidence[]
}

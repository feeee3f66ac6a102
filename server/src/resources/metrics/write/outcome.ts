import type { Evidence } from './finding-details.ts'

/** The sources of outcomes. An earlier one counts before the later ones, whatever their times. */
export const outcomeSources = ['person', 'provider', 'detector'] as const
export type OutcomeSource = (typeof outcomeSources)[number]

/** The latest outcome of a finding that a source reported. */
export interface SourceOutcome {
  readonly event_id: string
  readonly accepted: boolean | null
  readonly source: OutcomeSource
  readonly at: string
  readonly rule: string | null
  readonly evidence: readonly Evidence[]
}

export type OutcomesBySource = ReadonlyMap<OutcomeSource, SourceOutcome>

/** The outcome that counts. `source` is null when no source has a verdict or a reason. */
export interface ResolvedOutcome {
  readonly accepted: boolean | null
  readonly source: OutcomeSource | null
  readonly rule: string | null
  readonly evidence: readonly Evidence[]
  /** When it came to count: a withdrawal lets an earlier verdict of another source count. */
  readonly at: string
}

/**
 * A source with `accepted: null` has no verdict, so the next source counts. Where no source has one, a reason for that is
 * shown, such as the rule of a detector that could not decide.
 */
export function resolveOutcome(bySource: OutcomesBySource): ResolvedOutcome {
  let at = ''
  let undecided: SourceOutcome | null = null
  for (const name of outcomeSources) {
    const outcome = bySource.get(name)
    if (outcome === undefined) continue
    if (outcome.at > at) at = outcome.at
    if (outcome.accepted !== null) return { ...pickReason(outcome), at }
    if (outcome.rule !== null || outcome.evidence.length > 0) undecided = outcome
  }
  if (undecided !== null) return { ...pickReason(undecided), at }
  return { accepted: null, source: null, rule: null, evidence: [], at }
}

function pickReason({ accepted, source, rule, evidence }: SourceOutcome): Omit<ResolvedOutcome, 'at'> {
  return { accepted, source, rule, evidence }
}

/** By time, then by the bytes of the id, as in SQL (`collate "C"`). */
export function compareOutcomes(
  one: Pick<SourceOutcome, 'at' | 'event_id'>,
  other: Pick<SourceOutcome, 'at' | 'event_id'>,
): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1
  return Buffer.compare(Buffer.from(one.event_id), Buffer.from(other.event_id))
}

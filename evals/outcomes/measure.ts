import type { DetectedOutcome } from '../../server/test/connectors/outcomes.ts'
import type { Situation } from './situation.ts'

/** A finding with its label and what a detector said. */
export interface Judged {
  readonly situation: Situation
  readonly label: boolean | null
  readonly outcome: Pick<DetectedOutcome, 'accepted' | 'rule'>
}

export interface Share {
  readonly right: number
  readonly all: number
}

/** The share of labelled findings called accepted (or not accepted) that really were. */
export function measurePrecision(judged: readonly Judged[], accepted: boolean): Share {
  const called = judged.filter(({ label, outcome }) => label !== null && outcome.accepted === accepted)
  return { right: called.filter(({ label }) => label === accepted).length, all: called.length }
}

/** The share of labelled findings left unknown. */
export function measureUnknown(judged: readonly Judged[]): Share {
  const labelled = judged.filter(({ label }) => label !== null)
  return { right: labelled.filter(({ outcome }) => outcome.accepted === null).length, all: labelled.length }
}

export function toRatio({ right, all }: Share): number {
  return all === 0 ? 0 : right / all
}

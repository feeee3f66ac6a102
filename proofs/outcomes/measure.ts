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

/** Of the findings that were called accepted (or not accepted) and have a label, those that were. */
export function measurePrecision(judged: readonly Judged[], accepted: boolean): Share {
  const called = judged.filter(({ label, outcome }) => label !== null && outcome.accepted === accepted)
  return { right: called.filter(({ label }) => label === accepted).length, all: called.length }
}

/** Of the findings with a label, those left unknown. */
export function measureUnknown(judged: readonly Judged[]): Share {
  const labelled = judged.filter(({ label }) => label !== null)
  return { right: labelled.filter(({ outcome }) => outcome.accepted === null).length, all: labelled.length }
}

export function toRatio({ right, all }: Share): number {
  return all === 0 ? 0 : right / all
}

import type { InstanceId, OrganizationId } from '../../ids.ts'
import { ownPlace, type Place, type Placed, sharedPlaces } from './grain.ts'
import { addFindings, type CountedFinding, changesNothing, type Tally } from './tally.ts'

/** A pull request, as far as its findings are counted. */
export interface CountedPullRequest extends Placed {
  readonly organization_id: OrganizationId
  readonly instance_id: InstanceId | null
  /** JSON; and what it says, where that is known. */
  readonly findings: string
  readonly counted?: readonly CountedFinding[]
  /** Null: it is not counted. */
  readonly entry: string | null
}

/** What is written of a pull request, and what was there before. */
export interface Rewritten {
  readonly before: CountedPullRequest | undefined
  readonly after: CountedPullRequest
}

export interface CountChange extends Place {
  readonly organization_id: OrganizationId
  readonly instance_id: InstanceId | null
  readonly tally: Tally
}

export interface Changes {
  /** Counts of one pull request each, to be written whole. */
  readonly own: CountChange[]
  /** Where pull requests have been counted alone and are not any more. */
  readonly left: CountChange[]
  /** To be added to what is counted there: new counts less old ones. */
  readonly shared: CountChange[]
}

/** Each pull request leaves the places where it was counted and comes to those where it is now. */
export function changesOf(rewritten: readonly Rewritten[]): Changes {
  const own = new Map<string, CountChange>()
  const left = new Map<string, CountChange>()
  const shared = new Map<string, CountChange>()
  for (const { before, after } of rewritten) {
    if (before !== undefined) count(before, -1, left, shared)
    count(after, 1, own, shared)
  }
  for (const name of own.keys()) left.delete(name)
  const changed = [...shared.values()].filter(({ tally }) => !changesNothing(tally))
  return { own: [...own.values()], left: [...left.values()], shared: changed }
}

function count(
  pullRequest: CountedPullRequest,
  sign: 1 | -1,
  alone: Map<string, CountChange>,
  shared: Map<string, CountChange>,
): void {
  if (pullRequest.entry === null) return
  const findings = pullRequest.counted ?? (JSON.parse(pullRequest.findings) as CountedFinding[])
  addFindings(changeAt(alone, pullRequest, ownPlace(pullRequest)).tally, findings, sign)
  for (const place of sharedPlaces(pullRequest))
    addFindings(changeAt(shared, pullRequest, place).tally, findings, sign)
}

function changeAt(
  changes: Map<string, CountChange>,
  { organization_id, instance_id }: CountedPullRequest,
  place: Place,
): CountChange {
  const { grain, period, repository_id, author_id, number } = place
  const name = `${organization_id}\n${grain}\n${period}\n${repository_id}\n${author_id}\n${number}`
  let change = changes.get(name)
  if (change === undefined) {
    change = { ...place, organization_id, instance_id, tally: new Map() }
    changes.set(name, change)
  }
  return change
}

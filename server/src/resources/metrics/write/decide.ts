import type { ResolvedEvent } from '../../../bus/queue/resolve.ts'
import type { OrganizationId } from '../../../ids.ts'
import { tallyFindings } from '../../../metrics-store/counts/tally.ts'
import { toWeekNumber } from '../../../metrics-store/week.ts'
import {
  type PullRequestKey,
  toKeyString,
  toPullRequestKey,
} from '../../../metrics-store/write/pull-request-sql.ts'
import { type ChangedOutcome, renderEntry, renderOutcome, renderRemoval } from '../review-comments/entry.ts'
import type { ChangeRow } from '../review-comments/sql.ts'
import { renderReview } from '../reviews/entry.ts'
import {
  compareOutcomes,
  type OutcomesBySource,
  type ResolvedOutcome,
  resolveOutcome,
  type SourceOutcome,
} from './outcome.ts'
import {
  createFinding,
  createFindingDetails,
  type PullRequestFacts,
  parseDetails,
  parseFindings,
  renderDetails,
  toPullRequestFacts,
  withOutcome,
} from './pull-request.ts'
import {
  cutToEvent,
  type FinalizedEvent,
  getFinalizedTime,
  type OutcomeEvent,
  type ReviewEvent,
} from './review-payload.ts'
import type { OutcomeRow, PullRequestRow } from './sql.ts'

/** The events of one pull request, in the order of arrival. */
export interface PullRequestGroup {
  readonly keyString: string
  readonly key: PullRequestKey
  readonly finalized: ResolvedEvent<FinalizedEvent>[]
  readonly outcomes: ResolvedEvent<OutcomeEvent>[]
}

/** By finding id. */
export type StoredOutcomes = ReadonlyMap<string, OutcomesBySource>

/** The stored rows of the pull requests of some groups, by key string. */
export interface StoredState {
  readonly rows: ReadonlyMap<string, PullRequestRow>
  readonly currentOutcomes: ReadonlyMap<string, StoredOutcomes>
  /** Outcomes that are stored already with the same id and the same or a later time. */
  readonly duplicates: ReadonlySet<OutcomeEvent>
}

export interface PlanOptions {
  /** New positions follow this one; at most `countPositions` are used. */
  readonly basePosition: number
  /** The organizations that the credential may change; null = all of the root. */
  readonly organizations: readonly OrganizationId[] | null
  readonly repositoryNames: RepositoryNames
}

/** By toRepositoryKey: the names of repositories whose events omit them. */
export type RepositoryNames = ReadonlyMap<string, string>

export function toRepositoryKey(organization: OrganizationId, repositoryId: string): string {
  return `${organization}\n${repositoryId}`
}

/** A pull_request row and its row of `review`. */
export interface WrittenRow extends PullRequestRow {
  readonly review: string
  /** The counts of its findings; null when they are not counted in metrics. */
  readonly tally: string | null
}

export interface ReviewWritePlan {
  readonly created: WrittenRow[]
  readonly changed: WrittenRow[]
  readonly outcomes: OutcomeRow[]
  readonly changes: ChangeRow[]
  /** Events of a pull request that belongs to an organization outside the credential. */
  readonly refused: ReviewEvent[]
}

interface PlanBuilder extends ReviewWritePlan {
  readonly nextPosition: () => number
}

export function groupByPullRequest(events: readonly ResolvedEvent<ReviewEvent>[]): PullRequestGroup[] {
  const groups = new Map<string, PullRequestGroup>()
  for (const { event, organization } of events) {
    const key = toPullRequestKey(event.payload)
    const name = toKeyString(key)
    const group = groups.get(name) ?? { keyString: name, key, finalized: [], outcomes: [] }
    groups.set(name, group)
    if (event.type === 'finding.outcome') group.outcomes.push({ event, organization })
    else group.finalized.push({ event, organization })
  }
  return [...groups.values()]
}

/** A rewrite takes up to two positions (removal and new entry), an outcome one. */
export function countPositions(groups: readonly PullRequestGroup[]): number {
  return groups.reduce((sum, { outcomes }) => sum + 2 + outcomes.length, 0)
}

/**
 * The final state depends on the timestamps of the events, not on their order of arrival. Of two pull request events with
 * the same timestamp, the one that arrived first wins.
 */
export function planWrites(
  groups: readonly PullRequestGroup[],
  state: StoredState,
  { basePosition, organizations, repositoryNames }: PlanOptions,
): ReviewWritePlan {
  let position = basePosition
  const plan: PlanBuilder = {
    created: [],
    changed: [],
    outcomes: [],
    changes: [],
    refused: [],
    nextPosition() {
      position += 1
      return position
    },
  }
  for (const group of groups) {
    const stored = state.rows.get(group.keyString)
    const finalized = group.finalized.filter(({ event }) => isNewer(event, stored))
    const outcomes = group.outcomes.filter(({ event }) => !state.duplicates.has(event))
    if (stored !== undefined && organizations?.includes(stored.organization_id) === false) {
      plan.refused.push(...[...finalized, ...outcomes].map(({ event }) => event))
      continue
    }
    const currentOutcomes = recordOutcomes(
      plan,
      group.key,
      outcomes,
      state.currentOutcomes.get(group.keyString),
    )
    const newest = finalized.reduce<ResolvedEvent<FinalizedEvent> | undefined>(pickLater, undefined)
    if (newest !== undefined)
      rewritePullRequest(plan, newest, stored, createRow(newest, repositoryNames, currentOutcomes))
    else if (stored !== undefined && outcomes.length > 0)
      applyOutcomes(plan, stored, outcomes, currentOutcomes)
  }
  return plan
}

function isNewer({ occurred_at }: FinalizedEvent, stored: PullRequestRow | undefined): boolean {
  return stored === undefined || occurred_at > stored.event_at
}

function pickLater(
  one: ResolvedEvent<FinalizedEvent> | undefined,
  other: ResolvedEvent<FinalizedEvent>,
): ResolvedEvent<FinalizedEvent> {
  return one === undefined || other.event.occurred_at > one.event.occurred_at ? other : one
}

/** Adds new outcomes to the history and returns the latest outcomes of each finding. */
function recordOutcomes(
  { outcomes }: PlanBuilder,
  key: PullRequestKey,
  fresh: readonly ResolvedEvent<OutcomeEvent>[],
  before: StoredOutcomes = new Map(),
): StoredOutcomes {
  if (fresh.length === 0) return before
  const currentOutcomes = new Map(before)
  const seen = new Set<string>()
  const sortedOutcomes = fresh.map((resolved) => ({ ...resolved, outcome: toSourceOutcome(resolved.event) }))
  sortedOutcomes.sort((a, b) => compareOutcomes(a.outcome, b.outcome))
  for (const { event, organization, outcome } of sortedOutcomes) {
    const { finding_id } = event.payload
    if (seen.has(`${finding_id}\n${event.id}`)) continue
    seen.add(`${finding_id}\n${event.id}`)
    const current = currentOutcomes.get(finding_id) ?? new Map()
    const { organization_id, instance_id } = organization
    outcomes.push({
      ...key,
      ...outcome,
      finding_id,
      organization_id,
      instance_id,
      accepted_before: resolveOutcome(current).accepted,
      evidence: outcome.evidence.length === 0 ? null : JSON.stringify(outcome.evidence),
    })
    const latest = current.get(outcome.source)
    if (latest === undefined || compareOutcomes(outcome, latest) > 0)
      currentOutcomes.set(finding_id, new Map([...current, [outcome.source, outcome]]))
  }
  return currentOutcomes
}

function toSourceOutcome({ id, occurred_at, payload }: OutcomeEvent): SourceOutcome {
  const { accepted, source, rule = null, evidence = [] } = payload
  return {
    event_id: id,
    accepted,
    source,
    at: occurred_at,
    rule,
    evidence: evidence.map(({ kind, at }) => ({ kind, at: cutToEvent(at, occurred_at) })),
  }
}

/** Gives the row a new position. If the entry is gone, or moved to another organization, URL or day, its removal is a change. */
function rewritePullRequest(
  { created, changed, changes, nextPosition }: PlanBuilder,
  { event }: ResolvedEvent<FinalizedEvent>,
  stored: PullRequestRow | undefined,
  row: Omit<WrittenRow, 'position'>,
): void {
  if (stored !== undefined && stored.entry !== null) {
    const moved =
      stored.organization_id !== row.organization_id || stored.url !== row.url || stored.day !== row.day
    if (moved || row.entry === null) {
      const position = nextPosition()
      changes.push(toChangeRow(stored, position, renderRemoval(position, stored, event.occurred_at)))
    }
  }
  const rows = stored === undefined ? created : changed
  rows.push({ ...row, position: nextPosition() })
}

function createRow(
  { event, organization: { organization_id, instance_id, name } }: ResolvedEvent<FinalizedEvent>,
  repositoryNames: RepositoryNames,
  currentOutcomes: StoredOutcomes,
): Omit<WrittenRow, 'position'> {
  const { id, occurred_at, payload } = event
  const { organization, repository, status } = payload
  const merged_at = status === 'merged' ? cutToEvent(payload.merged_at, occurred_at) : null
  const closed_at = cutToEvent(payload.closed_at, occurred_at)
  const resolved = payload.findings.map(({ id: finding }) => resolveFinding(currentOutcomes, finding))
  const findings = payload.findings.map((finding, index) =>
    createFinding(finding, resolved[index]?.accepted ?? null),
  )
  const details = payload.findings.map((finding, index) =>
    createFindingDetails(finding, resolved[index] ?? null, occurred_at),
  )
  const day = getFinalizedTime(payload, occurred_at).time.slice(0, 10)
  const published = {
    provider_organization_id: organization.id,
    repository_id: repository.id,
    url: payload.url,
    author_id: payload.author?.id ?? null,
    status,
    merged_at,
    closed_at,
  }
  const facts = toPullRequestFacts(payload, {
    organization: name,
    repository: repositoryNames.get(toRepositoryKey(organization_id, repository.id)) ?? null,
  })
  const isCounted = status === 'merged' && findings.length > 0
  return {
    provider: organization.provider,
    host: organization.host,
    number: payload.number,
    organization_id,
    instance_id,
    ...published,
    day,
    week: toWeekNumber(day),
    event_id: id,
    event_at: occurred_at,
    facts: JSON.stringify(facts),
    findings: JSON.stringify(findings),
    details: renderDetails({ reviewers: payload.reviewers ?? [], findings: details }),
    entry: isCounted ? renderEntry(published, findings) : null,
    review: renderReview(published, facts, findings),
    tally: isCounted ? tallyFindings(findings) : null,
  }
}

function resolveFinding(currentOutcomes: StoredOutcomes, findingId: string): ResolvedOutcome | null {
  const outcomes = currentOutcomes.get(findingId)
  return outcomes === undefined ? null : resolveOutcome(outcomes)
}

/** The row keeps its position; each outcome that changes for readers is recorded as a change. */
function applyOutcomes(
  { changed, changes, nextPosition }: PlanBuilder,
  stored: PullRequestRow,
  fresh: readonly ResolvedEvent<OutcomeEvent>[],
  currentOutcomes: StoredOutcomes,
): void {
  const affectedIds = new Set(fresh.map(({ event }) => event.payload.finding_id))
  const published: ChangedOutcome[] = []
  const storedDetails = parseDetails(stored.details)
  const details = new Map(storedDetails.findings?.map((finding) => [finding.finding_id, finding]))
  const findings = parseFindings(stored.findings).map((finding) => {
    const { finding_id } = finding
    const outcome = affectedIds.has(finding_id) ? resolveFinding(currentOutcomes, finding_id) : null
    if (outcome === null) return finding
    details.set(finding_id, withOutcome(details.get(finding_id) ?? { finding_id }, outcome))
    const { accepted, at } = outcome
    if (accepted === finding.accepted) return finding
    published.push({ finding_id, accepted, at })
    return { ...finding, accepted }
  })
  const rendered = renderDetails({ ...storedDetails, findings: [...details.values()] })
  if (published.length === 0 && rendered === stored.details) return
  const isCounted = stored.entry !== null
  changed.push({
    ...stored,
    findings: JSON.stringify(findings),
    details: rendered,
    entry: isCounted ? renderEntry(stored, findings) : null,
    review: renderReview(stored, JSON.parse(stored.facts) as PullRequestFacts, findings),
    tally: isCounted ? tallyFindings(findings) : null,
  })
  if (!isCounted) return
  for (const change of published) {
    const position = nextPosition()
    changes.push(toChangeRow(stored, position, renderOutcome(position, stored, change)))
  }
}

function toChangeRow(stored: PullRequestRow, position: number, entry: string): ChangeRow {
  const { provider, host, repository_id, number, organization_id, instance_id } = stored
  return { provider, host, repository_id, number, organization_id, instance_id, position, entry }
}

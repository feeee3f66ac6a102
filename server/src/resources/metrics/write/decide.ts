import type { ResolvedEvent } from '../../../bus/queue/resolve.ts'
import type { OrganizationId, RootId } from '../../../ids.ts'
import { toPullRequestKey } from '../../../metrics-store/write/pull-request-sql.ts'
import { type ChangedOutcome, renderOutcome, renderRemoval } from '../review-comments/entry.ts'
import type { ChangeRow } from '../review-comments/sql.ts'
import {
  compareOutcomes,
  type OutcomesBySource,
  type ResolvedOutcome,
  resolveOutcome,
  type SourceOutcome,
} from './outcome.ts'
import { cutToEvent, type FinalizedEvent, type OutcomeEvent, type ReviewEvent } from './review-payload.ts'
import {
  type FindingRow,
  type PullRequestChange,
  type PullRequestRow,
  renderDocuments,
  type StoredPullRequest,
  toFindingRow,
  toOutcomeColumns,
  toPullRequestRow,
} from './rows.ts'
import type { ChangedDocuments, ChangedFinding, OutcomeRow, RenderedPullRequest, WeekRow } from './sql.ts'
import { countWeeks } from './weeks.ts'

/** The events of one pull request, in the order of arrival. */
export interface PullRequestGroup {
  readonly key: string
  readonly finalized: ResolvedEvent<FinalizedEvent>[]
  readonly outcomes: ResolvedEvent<OutcomeEvent>[]
}

/** By finding id. */
export type StoredOutcomes = ReadonlyMap<string, OutcomesBySource>

/** What is stored of the pull requests of some groups, by key. */
export interface StoredState {
  readonly pullRequests: ReadonlyMap<string, StoredPullRequest>
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

export interface ReviewWritePlan {
  readonly created: RenderedPullRequest[]
  /** Sent again: everything of them is written, at a new position. */
  readonly rewritten: RenderedPullRequest[]
  /** Outcomes of findings of stored pull requests, which keep their position. */
  readonly findings: ChangedFinding[]
  readonly documents: ChangedDocuments[]
  readonly outcomes: OutcomeRow[]
  readonly changes: ChangeRow[]
  readonly weeks: WeekRow[]
  /** Events of a pull request that belongs to an organization outside the credential. */
  readonly refused: ReviewEvent[]
}

export function groupByPullRequest(
  root: RootId,
  events: readonly ResolvedEvent<ReviewEvent>[],
): PullRequestGroup[] {
  const groups = new Map<string, PullRequestGroup>()
  for (const { event, organization } of events) {
    const key = toPullRequestKey(root, event.payload)
    const group = groups.get(key) ?? { key, finalized: [], outcomes: [] }
    groups.set(key, group)
    if (event.type === 'finding.outcome') group.outcomes.push({ event, organization })
    else group.finalized.push({ event, organization })
  }
  return [...groups.values()]
}

/** A rewrite takes up to two positions (removal and new entry), an outcome one. */
export function countPositions(groups: readonly PullRequestGroup[]): number {
  return groups.reduce((sum, { outcomes }) => sum + 2 + outcomes.length, 0)
}

interface PlanBuilder extends Omit<ReviewWritePlan, 'weeks'> {
  readonly written: PullRequestChange[]
  readonly nextPosition: () => number
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
    rewritten: [],
    findings: [],
    documents: [],
    outcomes: [],
    changes: [],
    refused: [],
    written: [],
    nextPosition() {
      position += 1
      return position
    },
  }
  for (const group of groups) {
    const stored = state.pullRequests.get(group.key)
    const finalized = group.finalized.filter(({ event }) => isNewer(event, stored))
    const outcomes = group.outcomes.filter(({ event }) => !state.duplicates.has(event))
    if (stored !== undefined && organizations?.includes(stored.row.organization_id) === false) {
      plan.refused.push(...[...finalized, ...outcomes].map(({ event }) => event))
      continue
    }
    const current = recordOutcomes(plan, group.key, outcomes, state.currentOutcomes.get(group.key))
    const newest = finalized.reduce<ResolvedEvent<FinalizedEvent> | undefined>(pickLater, undefined)
    if (newest !== undefined)
      writePullRequest(plan, newest, stored, readEvent(group.key, newest, repositoryNames, current))
    else if (stored !== undefined && outcomes.length > 0) applyOutcomes(plan, stored, outcomes, current)
  }
  const { written, nextPosition: _, ...writes } = plan
  return { ...writes, weeks: countWeeks(written) }
}

function isNewer({ occurred_at }: FinalizedEvent, stored: StoredPullRequest | undefined): boolean {
  return stored === undefined || occurred_at > stored.row.event_at
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
  key: string,
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
      pull_request_key: key,
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

/** What is stored of a pull request, before it has a position. */
interface SentPullRequest {
  readonly row: Omit<PullRequestRow, 'position'>
  readonly findings: readonly FindingRow[]
}

function readEvent(
  key: string,
  { event, organization }: ResolvedEvent<FinalizedEvent>,
  repositoryNames: RepositoryNames,
  currentOutcomes: StoredOutcomes,
): SentPullRequest {
  const { payload, occurred_at } = event
  const repository = toRepositoryKey(organization.organization_id, payload.repository.id)
  const inventory = { organization: organization.name, repository: repositoryNames.get(repository) ?? null }
  return {
    row: toPullRequestRow({ pull_request_key: key }, event, organization, inventory),
    findings: payload.findings.map((finding, ordinal) =>
      toFindingRow(finding, ordinal, resolveFinding(currentOutcomes, finding.id), occurred_at),
    ),
  }
}

/** Gives it a new position. If the entry is gone, or moved to another organization, URL or day, its removal is a change. */
function writePullRequest(
  { created, rewritten, written, changes, nextPosition }: PlanBuilder,
  { event }: ResolvedEvent<FinalizedEvent>,
  before: StoredPullRequest | undefined,
  { row, findings }: SentPullRequest,
): void {
  if (before?.row.counted) {
    const stored = before.row
    const moved =
      stored.organization_id !== row.organization_id || stored.url !== row.url || stored.day !== row.day
    if (moved || !row.counted) {
      const position = nextPosition()
      changes.push(toChangeRow(stored, position, renderRemoval(position, stored, event.occurred_at)))
    }
  }
  const after = { row: { ...row, position: nextPosition() }, findings }
  const rows = before === undefined ? created : rewritten
  rows.push({ ...after, ...renderDocuments(after) })
  written.push({ before, after })
}

function resolveFinding(currentOutcomes: StoredOutcomes, findingId: string): ResolvedOutcome | null {
  const outcomes = currentOutcomes.get(findingId)
  return outcomes === undefined ? null : resolveOutcome(outcomes)
}

/** The pull request keeps its position; each outcome that changes for readers is recorded as a change. */
function applyOutcomes(
  plan: PlanBuilder,
  before: StoredPullRequest,
  fresh: readonly ResolvedEvent<OutcomeEvent>[],
  currentOutcomes: StoredOutcomes,
): void {
  const { row } = before
  const { pull_request_key } = row
  const affectedIds = new Set(fresh.map(({ event }) => event.payload.finding_id))
  const published: ChangedOutcome[] = []
  const findings = before.findings.map((finding) => {
    const { finding_id, ordinal } = finding
    const outcome = affectedIds.has(finding_id) ? resolveFinding(currentOutcomes, finding_id) : null
    if (outcome === null) return finding
    const columns = toOutcomeColumns(outcome)
    plan.findings.push({ pull_request_key, ordinal, ...columns })
    if (columns.accepted !== finding.accepted)
      published.push({ finding_id, accepted: columns.accepted, at: outcome.at })
    return { ...finding, ...columns }
  })
  if (published.length === 0) return
  const after = { row, findings }
  plan.documents.push({ pull_request_key, ...renderDocuments(after) })
  plan.written.push({ before, after })
  if (!row.counted) return
  for (const change of published) {
    const position = plan.nextPosition()
    plan.changes.push(toChangeRow(row, position, renderOutcome(position, row, change)))
  }
}

function toChangeRow(
  { pull_request_key, organization_id, instance_id }: PullRequestRow,
  position: number,
  entry: string,
): ChangeRow {
  return { pull_request_key, organization_id, instance_id, position, entry }
}

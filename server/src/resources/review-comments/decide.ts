import type { ResolvedEvent } from '../../bus/ingest/resolve.ts'
import type { OrganizationId } from '../../ids.ts'
import { tallyFindings } from '../../metrics-store/counts/tally.ts'
import { toWeekNumber } from '../../metrics-store/week.ts'
import {
  type PullRequestKey,
  toKeyString,
  toPullRequestKey,
} from '../../metrics-store/write/pull-request-sql.ts'
import type { FinalizedEvent, OutcomeEvent, ReviewEvent } from './payload.ts'
import {
  factsOf,
  makeFinding,
  parseFacts,
  parseFindings,
  renderEntry,
  renderFacts,
  renderFindings,
  renderOutcome,
  renderRemoval,
  renderReview,
} from './render.ts'
import type { ChangeRow, OutcomeInForce, OutcomeRow, PullRequestRow } from './write-sql.ts'

/** The events of one pull request, in the order they came. */
export interface Group {
  readonly keyString: string
  readonly key: PullRequestKey
  readonly finalized: ResolvedEvent<FinalizedEvent>[]
  readonly outcomes: ResolvedEvent<OutcomeEvent>[]
}

type InForce = Pick<OutcomeInForce, 'event_id' | 'accepted' | 'at'>

/** What the store knows of the pull requests of some groups, each by its name. */
export interface StoredState {
  readonly rows: ReadonlyMap<string, PullRequestRow>
  /** By the id of the finding. */
  readonly inForce: ReadonlyMap<string, ReadonlyMap<string, InForce>>
  /** Outcomes that are stored already. */
  readonly repeated: ReadonlySet<OutcomeEvent>
}

export interface Terms {
  /** Positions are taken behind this one: at most `positionsFor` of them. */
  readonly base: number
  /** The organizations that may be changed; null = every one of the root. */
  readonly organizations: readonly OrganizationId[] | null
}

/** A pull request, and what GET /v1/metrics/reviews tells of it. */
export interface WrittenRow extends PullRequestRow {
  readonly review: string
  /** Its findings, counted; null when no metric tells of them. */
  readonly tally: string | null
}

/** What is to be written. */
export interface Decision {
  readonly created: WrittenRow[]
  readonly changed: WrittenRow[]
  readonly outcomes: OutcomeRow[]
  readonly changes: ChangeRow[]
  /** Events that would change a pull request of another organization. */
  readonly refused: ReviewEvent[]
}

interface Pen extends Decision {
  readonly next: () => number
}

export function groupByPullRequest(events: readonly ResolvedEvent<ReviewEvent>[]): Group[] {
  const groups = new Map<string, Group>()
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

/** A pull request that is written again may first be removed; an outcome is one change. */
export function positionsFor(groups: readonly Group[]): number {
  return groups.reduce((sum, { outcomes }) => sum + 2 + outcomes.length, 0)
}

/**
 * What is stored in the end depends on the times of the events, not on the order in which they came; of pull requests
 * of the same time the first counts.
 */
export function decide(
  groups: readonly Group[],
  state: StoredState,
  { base, organizations }: Terms,
): Decision {
  let position = base
  const pen: Pen = {
    created: [],
    changed: [],
    outcomes: [],
    changes: [],
    refused: [],
    next() {
      position += 1
      return position
    },
  }
  for (const group of groups) {
    const stored = state.rows.get(group.keyString)
    const finalized = group.finalized.filter(({ event }) => isNewer(event, stored))
    const outcomes = group.outcomes.filter(({ event }) => !state.repeated.has(event))
    if (stored !== undefined && organizations?.includes(stored.organization_id) === false) {
      pen.refused.push(...[...finalized, ...outcomes].map(({ event }) => event))
      continue
    }
    const inForce = recordOutcomes(pen, group.key, outcomes, state.inForce.get(group.keyString))
    const newest = finalized.reduce<ResolvedEvent<FinalizedEvent> | undefined>(pickLater, undefined)
    if (newest !== undefined) writeAnew(pen, newest, stored, inForce)
    else if (stored !== undefined && outcomes.length > 0) applyOutcomes(pen, stored, outcomes, inForce)
  }
  return pen
}

function isNewer({ id, occurred_at }: FinalizedEvent, stored: PullRequestRow | undefined): boolean {
  return stored === undefined || (id !== stored.event_id && occurred_at > stored.event_at)
}

function pickLater(
  one: ResolvedEvent<FinalizedEvent> | undefined,
  other: ResolvedEvent<FinalizedEvent>,
): ResolvedEvent<FinalizedEvent> {
  return one === undefined || other.event.occurred_at > one.event.occurred_at ? other : one
}

/** Adds to the history; returns what is in force then. */
function recordOutcomes(
  { outcomes }: Pen,
  key: PullRequestKey,
  fresh: readonly ResolvedEvent<OutcomeEvent>[],
  before: ReadonlyMap<string, InForce> = new Map(),
): ReadonlyMap<string, InForce> {
  if (fresh.length === 0) return before
  const inForce = new Map(before)
  const seen = new Set<string>()
  const inOrder = fresh.map(({ event, organization }) => {
    const { finding_id, accepted, source } = event.payload
    return { finding_id, event_id: event.id, accepted, source, at: event.occurred_at, organization }
  })
  inOrder.sort(compareOutcomes)
  for (const { organization, ...outcome } of inOrder) {
    const { finding_id, event_id, accepted, at } = outcome
    if (seen.has(`${finding_id}\n${event_id}`)) continue
    seen.add(`${finding_id}\n${event_id}`)
    const present = inForce.get(finding_id)
    const { organization_id, instance_id } = organization
    const accepted_before = present?.accepted ?? null
    outcomes.push({ ...key, ...outcome, organization_id, instance_id, accepted_before })
    if (present === undefined || compareOutcomes(outcome, present) > 0) {
      inForce.set(finding_id, { event_id, accepted, at })
    }
  }
  return inForce
}

/** By time, then by the bytes of the id, as the store does. */
function compareOutcomes(one: InForce, other: InForce): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1
  return Buffer.compare(Buffer.from(one.event_id), Buffer.from(other.event_id))
}

/** It takes a new place in the order. What readers knew it by, and will not find there, is told as removed. */
function writeAnew(
  { created, changed, changes, next }: Pen,
  { event, organization }: ResolvedEvent<FinalizedEvent>,
  stored: PullRequestRow | undefined,
  inForce: ReadonlyMap<string, InForce>,
): void {
  const row = makeRow(event, organization, inForce)
  if (stored !== undefined && stored.entry !== null) {
    const moved = stored.organization_id !== row.organization_id || stored.url !== row.url
    if (moved || row.entry === null) {
      const { organization_id, instance_id } = stored
      const position = next()
      const entry = renderRemoval(position, stored, event.occurred_at)
      changes.push({ position, organization_id, instance_id, entry })
    }
  }
  const rows = stored === undefined ? created : changed
  rows.push({ ...row, position: next() })
}

function makeRow(
  { id, occurred_at, payload }: FinalizedEvent,
  { organization_id, instance_id, name }: ResolvedEvent['organization'],
  inForce: ReadonlyMap<string, InForce>,
): Omit<WrittenRow, 'position'> {
  const { organization, status, closed_at } = payload
  const merged_at = status === 'merged' ? payload.merged_at : null
  const findings = payload.findings.map((finding) =>
    makeFinding(finding, inForce.get(finding.id)?.accepted ?? null),
  )
  const day = (merged_at ?? closed_at ?? occurred_at).slice(0, 10)
  const published = {
    provider_organization_id: organization.id,
    repository_id: payload.repository.id,
    url: payload.url,
    author_id: payload.author?.id ?? null,
    status,
    merged_at,
    closed_at,
  }
  const facts = factsOf(payload, name)
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
    facts: renderFacts(facts),
    findings: renderFindings(findings),
    entry: isCounted ? renderEntry(published, findings) : null,
    review: renderReview(published, facts, findings),
    tally: isCounted ? tallyFindings(findings) : null,
  }
}

/** It stays where it is in the order; each outcome that readers see change is told. */
function applyOutcomes(
  { changed, changes, next }: Pen,
  stored: PullRequestRow,
  fresh: readonly ResolvedEvent<OutcomeEvent>[],
  inForce: ReadonlyMap<string, InForce>,
): void {
  const concerned = new Set(fresh.map(({ event }) => event.payload.finding_id))
  const published: { readonly finding_id: string; readonly accepted: boolean | null; readonly at: string }[] =
    []
  const findings = parseFindings(stored.findings).map((finding) => {
    const { finding_id } = finding
    const outcome = concerned.has(finding_id) ? inForce.get(finding_id) : undefined
    if (outcome === undefined || outcome.accepted === finding.accepted) return finding
    const { accepted, at } = outcome
    published.push({ finding_id, accepted, at })
    return { ...finding, accepted }
  })
  if (published.length === 0) return
  const isCounted = stored.entry !== null
  changed.push({
    ...stored,
    findings: renderFindings(findings),
    entry: isCounted ? renderEntry(stored, findings) : null,
    review: renderReview(stored, parseFacts(stored.facts), findings),
    tally: isCounted ? tallyFindings(findings) : null,
  })
  if (!isCounted) return
  const { organization_id, instance_id } = stored
  for (const change of published) {
    const position = next()
    changes.push({ position, organization_id, instance_id, entry: renderOutcome(position, stored, change) })
  }
}

import { hash } from 'node:crypto'
import type { OrganizationId } from '../../ids.ts'
import { uuidVersion5 } from '../../text/identity.ts'
import type { MatchedPairs } from './columns.ts'
import type { Finding } from './finding.ts'
import { unpackCode } from './identity/traits.ts'
import type { KnownFinding, WrittenFinding } from './sql.ts'
import {
  computeFindingStatus,
  isLater,
  type LastSeenBySeries,
  type OrderedTimestamp,
  recordSighting,
  type ScanSeriesKey,
  toScanSeriesKey,
} from './state.ts'

// Random and fixed: another namespace would change the id of every finding.
const NAMESPACE = '9a1c5b0e-6f0d-4e55-8f0b-7a3b2f6d41c8'
const DIGEST_LENGTH = 22

/** A scan with its organization and repository. */
export interface ScanInRepository {
  readonly organization: OrganizationId
  readonly repository: string
  readonly tool: string
  readonly branch: string
  readonly category: string
  readonly timestamp: OrderedTimestamp
  readonly findings: readonly Finding[]
}

/** Lazy: computing all changes of a large scan at once would block the event loop. */
export interface FindingChanges {
  readonly created: Iterable<WrittenFinding>
  readonly changed: Iterable<WrittenFinding>
}

/**
 * Computes what a scan changes in the known findings of its tool and repository. `completed` has the latest complete scan
 * of each series, including this one; `pairs` match known findings with those of the scan.
 */
export function computeFindingChanges(
  scan: ScanInRepository,
  known: readonly KnownFinding[],
  completed: ReadonlyMap<ScanSeriesKey, OrderedTimestamp>,
  pairs: MatchedPairs,
): FindingChanges {
  const seen = new Map<KnownFinding, Finding>()
  for (let at = 0; at < pairs.length; at += 2) {
    const [old, found] = [known[pairs[at] ?? -1], scan.findings[pairs[at + 1] ?? -1]]
    if (old !== undefined && found !== undefined) seen.set(old, found)
  }
  const paired = new Set(seen.values())
  const seriesKey = toScanSeriesKey(scan)
  const allocateId = createIdAllocator(scan, known)
  return {
    changed: known.values().flatMap((old) => {
      const found = seen.get(old)
      const now =
        found === undefined
          ? updateMissedFinding(old, completed)
          : updateSeenFinding(old, found, scan, seriesKey, completed)
      return now === null ? [] : [now]
    }),
    created: scan.findings
      .filter((found) => !paired.has(found))
      .toSorted(byLocation)
      .values()
      .map((found) => createFinding(found, scan, seriesKey, completed, allocateId(found))),
  }
}

function updateMissedFinding(
  old: KnownFinding,
  completed: ReadonlyMap<ScanSeriesKey, OrderedTimestamp>,
): WrittenFinding | null {
  const status = computeFindingStatus(old, completed)
  return status.state === old.state ? null : { ...old, ...status, moves: true, facts: null }
}

function updateSeenFinding(
  old: KnownFinding,
  found: Finding,
  { timestamp }: ScanInRepository,
  seriesKey: ScanSeriesKey,
  completed: ReadonlyMap<ScanSeriesKey, OrderedTimestamp>,
): WrittenFinding {
  const isNewest = !isLater({ at: old.last_seen_at, id: old.scan_id }, timestamp)
  const lanes = recordSighting(old.lanes, seriesKey, timestamp)
  const suppression = isNewest ? (found.suppression ?? null) : old.suppression
  const status = computeFindingStatus({ lanes, decision: old.decision, suppression }, completed)
  const first_seen_at = earliest(old.first_seen_at, timestamp.at, found.firstSeen)
  const facts_hash = isNewest ? hashFacts(found) : old.facts_hash
  const factsChanged = facts_hash !== old.facts_hash
  const codeChanged = found.code !== old.code || (found.fingerprint ?? null) !== old.given_fingerprint
  return {
    ...old,
    ...status,
    lanes,
    suppression,
    first_seen_at,
    last_seen_at: isNewest ? timestamp.at : old.last_seen_at,
    scan_id: isNewest ? timestamp.id : old.scan_id,
    facts_hash,
    // A visible change moves the finding to the end of the write order.
    moves: factsChanged || status.state !== old.state || first_seen_at !== old.first_seen_at,
    facts: isNewest && (factsChanged || codeChanged) ? found : null,
  }
}

function createFinding(
  found: Finding,
  { timestamp }: ScanInRepository,
  seriesKey: ScanSeriesKey,
  completed: ReadonlyMap<ScanSeriesKey, OrderedTimestamp>,
  identity: FindingIdentity,
): WrittenFinding {
  const lanes: LastSeenBySeries = { [seriesKey]: timestamp }
  const suppression = found.suppression ?? null
  return {
    ...identity,
    ...computeFindingStatus({ lanes, decision: null, suppression }, completed),
    lanes,
    decision: null,
    suppression,
    first_seen_at: earliest(timestamp.at, found.firstSeen),
    last_seen_at: timestamp.at,
    scan_id: timestamp.id,
    facts_hash: hashFacts(found),
    moves: true,
    facts: found,
  }
}

interface FindingIdentity {
  readonly id: string
  readonly fingerprint: string
}

/** Derives ids from what identifies a finding, with a number if several findings share it. */
function createIdAllocator(
  { organization, repository, tool }: ScanInRepository,
  known: readonly KnownFinding[],
) {
  const takenIds = new Set(known.map(({ id }) => id))
  const counts = new Map<string, number>()
  return (found: Finding): FindingIdentity => {
    const { rule, path, title, fingerprint } = found
    const { snippet } = unpackCode(found.code)
    const name = fingerprint ?? digest([rule, snippet ?? [path, title]])
    const key = JSON.stringify([rule, name])
    for (let count = counts.get(key) ?? 0; ; count++) {
      const id = uuidVersion5(NAMESPACE, JSON.stringify([organization, repository, tool, rule, name, count]))
      counts.set(key, count + 1)
      if (takenIds.has(id)) continue
      takenIds.add(id)
      return { id, fingerprint: fingerprint ?? `${name}:${count + 1}` }
    }
  }
}

function hashFacts({
  rule,
  severity,
  cwe,
  title,
  description,
  path,
  start,
  end,
  suppression,
}: Finding): string {
  return digest([rule, severity, cwe, title, description, path, start, end, suppression])
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, DIGEST_LENGTH)
}

function earliest(...times: readonly (string | undefined)[]): string {
  return times.reduce<string>(
    (first, time) => (time !== undefined && time < first ? time : first),
    times[0] ?? '',
  )
}

function byLocation(one: Finding, other: Finding): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1
  return (one.start ?? 0) - (other.start ?? 0)
}

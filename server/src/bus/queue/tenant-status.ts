import type { RootId } from '../../ids.ts'
import type { Bus } from '../connect.ts'
import { findCredential, toRootFilters } from '../dead-letters.ts'
import type { OrganizationRef } from './shapes.ts'
import { computeLag, countBySubject, countMessages, readNamedMarks } from './status.ts'
import {
  digestOrganization,
  type HandledMark,
  type SentMark,
  type StoredMark,
  toStatusFilter,
  toStoredSubject,
  type WaitingMessage,
} from './status-messages.ts'
import { toRootFilter } from './subjects.ts'

/** What the bus knows about the events of a tenant root, or of one of its organizations. */
export interface TenantIngestStatus {
  /** When the latest event was accepted; of an organization, the latest one that is stored. */
  readonly last_event_at: string | null
  /** Messages of the root in the queue. */
  readonly queued: number
  readonly lag_seconds: number
  /** Messages whose events wait for a retry. */
  readonly parked: number
  /** Dead letters of the root by credential; null = the subject names none. */
  readonly dead_letters: ReadonlyMap<string | null, number>
}

/** Reads the bus alone. `organization` null = the whole root. */
export async function readTenantStatus(
  bus: Bus,
  root: RootId,
  organization: OrganizationRef | null,
): Promise<TenantIngestStatus> {
  const [queued, dead_letters, waiting, progress] = await Promise.all([
    countMessages(bus, 'QUEUE', toRootFilter(bus, root)),
    countDeadLettersByCredential(bus, root),
    readNamedMarks<WaitingMessage>(bus, toStatusFilter(bus, 'waiting', root)),
    organization === null
      ? readRootProgress(bus, root)
      : readOrganizationProgress(bus, root, digestOrganization(organization)),
  ])
  const digest = organization && digestOrganization(organization)
  const parked = waiting.filter(({ mark }) => digest === null || mark.organizations?.includes(digest))
  return {
    last_event_at: progress.last_event_at,
    queued,
    // Marks can outlive their message if a worker stops.
    lag_seconds: queued === 0 ? 0 : progress.lag_seconds,
    parked: Math.min(queued, parked.length),
    dead_letters,
  }
}

interface Progress {
  readonly last_event_at: string | null
  readonly lag_seconds: number
}

async function readRootProgress(bus: Bus, root: RootId): Promise<Progress> {
  const [sent, handled] = await Promise.all([
    readNamedMarks<SentMark>(bus, toStatusFilter(bus, 'sent', root)),
    readNamedMarks<HandledMark>(bus, toStatusFilter(bus, 'handled', root)),
  ])
  const handledBy = Map.groupBy(handled, ({ subject }) => getCredential(subject))
  const lags = [...Map.groupBy(sent, ({ subject }) => getCredential(subject))].map(([credential, marks]) =>
    computeLag(
      marks.map(({ mark }) => mark),
      (handledBy.get(credential) ?? []).map(({ mark }) => mark),
    ),
  )
  return { last_event_at: findLatest(sent), lag_seconds: Math.max(0, ...lags) }
}

async function readOrganizationProgress(bus: Bus, root: RootId, organization: string): Promise<Progress> {
  const stored = await readNamedMarks<StoredMark>(bus, toStoredSubject(bus, root, organization, '*'))
  return { last_event_at: findLatest(stored), lag_seconds: 0 }
}

function findLatest(marks: readonly { readonly mark: { readonly at: string } }[]): string | null {
  const latest = marks.map(({ mark }) => Date.parse(mark.at)).reduce((one, other) => Math.max(one, other), 0)
  return latest === 0 ? null : new Date(latest).toISOString()
}

/** The last but one part of a subject of the stream STATUS. */
function getCredential(subject: string): string | undefined {
  return subject.split('.').at(-2)
}

async function countDeadLettersByCredential(
  bus: Bus,
  root: RootId,
): Promise<ReadonlyMap<string | null, number>> {
  const counts = new Map<string | null, number>()
  const found = await Promise.all(
    toRootFilters(bus, root).map((filter) => countBySubject(bus, 'DEAD', filter)),
  )
  for (const [subject, messages] of found.flatMap((bySubject) => Object.entries(bySubject))) {
    const credential = findCredential(bus, subject)
    counts.set(credential, (counts.get(credential) ?? 0) + messages)
  }
  return counts
}

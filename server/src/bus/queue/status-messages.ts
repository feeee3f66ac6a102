import { hash } from 'node:crypto'
import type { RootId } from '../../ids.ts'
import type { Bus } from '../connect.ts'
import type { EventBatch, IngestEvent } from '../ingest-event.ts'
import type { OrganizationRef } from './shapes.ts'

// The messages of the stream STATUS. API nodes and workers write them, and API nodes read them.

/** Events that wait, for example because their organization is unknown. */
export interface WaitingEvents {
  readonly provider: string | null
  /** As assigned by the provider. */
  readonly organization: string | null
  readonly repository: string | null
  readonly type: string
  readonly count: number
}

/** What one message in the queue contains. */
export interface WaitingMessage {
  /** When the message was accepted. */
  readonly since: string
  readonly events: readonly WaitingEvents[]
  /** Digests of the organizations that the events name. */
  readonly organizations: readonly string[]
}

/** What an API node has stored in the queue for a credential. */
export interface SentMark {
  /** When the latest event was accepted. */
  readonly at: string
  /** Sequences of the queue and their times in milliseconds, oldest first; the gaps grow with their age. */
  readonly samples: readonly Sample[]
}

export type Sample = readonly [sequence: number, time: number]

/** The latest message that a worker has handled for a credential. */
export interface HandledMark {
  readonly sequence: number
}

/** The latest events of an organization that a worker has stored. */
export interface StoredMark {
  /** When they were accepted. */
  readonly at: string
}

/** The tenant root and the credential that sent a message. */
export type Sender = Pick<EventBatch, 'root' | 'credential'>
type MarkKind = 'sent' | 'handled' | 'waiting'

/** `part` names the process, or the sequence of the waiting message. */
export function toStatusSubject(
  bus: Bus,
  kind: MarkKind,
  { root, credential }: Sender,
  part: string,
): string {
  return bus.subject(`status.${kind}.${root}.${credential}.${part}`)
}

/** Matches the messages of every credential. */
export function toStatusFilter(bus: Bus, kind: MarkKind, root: RootId): string {
  return bus.subject(`status.${kind}.${root}.*.*`)
}

/** `worker` names the process; `*` matches all. */
export function toStoredSubject(bus: Bus, root: RootId, organization: string, worker: string): string {
  return bus.subject(`status.stored.${root}.${organization}.${worker}`)
}

const ORGANIZATION_DIGEST_LENGTH = 32

/** Names an organization in subjects, which allow few characters. */
export function digestOrganization({ provider, host, id }: OrganizationRef): string {
  return hash('sha256', `${provider}\n${host}\n${id}`).slice(0, ORGANIZATION_DIGEST_LENGTH)
}

/** The organizations that events name, each once. An `inventory.changed` names several, and is left out. */
export function listNamedOrganizations(events: readonly IngestEvent[]): string[] {
  const named = events.flatMap(({ payload }) => {
    const { organization } = (payload ?? {}) as { readonly organization?: OrganizationRef }
    return organization === undefined ? [] : digestOrganization(organization)
  })
  return [...new Set(named)]
}

// A message of the stream has at most 64 KiB.
const MAX_GROUPS_PER_MESSAGE = 25

/** Groups the events of a message by what they name. Only ids and the type are returned. */
export function groupWaiting(events: readonly IngestEvent[]): WaitingEvents[] {
  const groups = new Map<string, WaitingEvents>()
  for (const event of events) {
    const named = describeTarget(event)
    const isFull = groups.size >= MAX_GROUPS_PER_MESSAGE
    const target = isFull && !groups.has(toGroupKey(named)) ? { ...nothingNamed, type: event.type } : named
    const key = toGroupKey(target)
    groups.set(key, { ...target, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  return [...groups.values()]
}

export function toGroupKey(target: Omit<WaitingEvents, 'count'>): string {
  return JSON.stringify([target.provider, target.organization, target.repository, target.type])
}

const nothingNamed = { provider: null, organization: null, repository: null }

interface NamedTarget {
  readonly organization?: { readonly provider: string; readonly id: string }
  readonly repository?: { readonly id: string }
  readonly repository_id?: string
}

/** An `inventory.changed` names several organizations, so it is returned without one. */
function describeTarget({ type, payload }: IngestEvent): Omit<WaitingEvents, 'count'> {
  const { organization, repository, repository_id } = (payload ?? {}) as NamedTarget
  if (organization === undefined) return { ...nothingNamed, type }
  return {
    provider: organization.provider,
    organization: organization.id,
    repository: repository?.id ?? repository_id ?? null,
    type,
  }
}

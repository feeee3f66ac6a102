import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnreachable } from '../db/unavailable.ts'
import type { InstanceId, KeyId, OrganizationId, PersonId, RootId } from '../ids.ts'
import type { KeyKind } from './key-format.ts'
import type { SystemRole } from './permissions.ts'
import type { Plan } from './principal.ts'

export interface KeyRow {
  readonly hash: string
  readonly id: KeyId
  readonly kind: KeyKind
  readonly root_id: RootId
  readonly organization_id: OrganizationId | null
  readonly instance_id: InstanceId | null
  readonly organization_ids: OrganizationId[] | null
  readonly owner_id: PersonId | null
  readonly permissions: string[]
  readonly plan: Plan | null
  readonly subscription_active: boolean | null
  readonly organization_active: boolean | null
  readonly workspace_admin: boolean | null
  readonly system_role: SystemRole | null
  readonly role_permissions: string[] | null
  readonly restore_epoch: number | null
  /** Of workspace tokens only. */
  readonly sso: boolean | null
}

type ReadKey<Holder> = (hash: string) => Promise<Holder | undefined>

interface KeyReader<Holder> {
  readonly read: ReadKey<Holder>
  /** Spaces the reads of a key whose request was refused by a rate limit, for one read. */
  readonly noteRefused: (holder: Holder) => void
}
type ReadRows = (hashes: readonly string[]) => Promise<readonly KeyRow[]>

interface PendingRead<Holder> {
  readonly resolve: (holder: Holder | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Minimum time between two reads of one key. Requests in between wait for the next read. */
const MIN_READ_INTERVAL_MS = 2
// A read costs more than all else in a refused request, and one of another key that arrives during it waits.
const REFUSED_READ_INTERVAL_MS = 20
const MAX_TRACKED_KEYS = 10_000

/**
 * Batches and rate-limits key reads, so that a flood on one key costs few statements. A read always starts after its
 * request arrived, so that a completed revocation is always seen.
 */
export function createKeyReader<Holder extends object>(
  read: ReadRows,
  toHolder: (row: KeyRow) => Holder,
): KeyReader<Holder> {
  const hashes = new WeakMap<Holder, string>()
  const refused = new Set<string>()
  const readBatched = batchReads(read, (row) => {
    const holder = toHolder(row)
    hashes.set(holder, row.hash)
    return holder
  })
  return {
    read: limitReadRate(readBatched, refused),
    noteRefused(holder) {
      const hash = hashes.get(holder)
      if (hash !== undefined && refused.size < MAX_TRACKED_KEYS) refused.add(hash)
    },
  }
}

/** Requests that arrive during a read share the next one. */
function batchReads<Holder>(read: ReadRows, toHolder: (row: KeyRow) => Holder): ReadKey<Holder> {
  let waiting = new Map<string, PendingRead<Holder>[]>()
  let reading = false

  async function readWaiting(): Promise<void> {
    reading = true
    while (waiting.size > 0) {
      const batch = waiting
      waiting = new Map()
      try {
        const rows = new Map((await read([...batch.keys()])).map((row) => [row.hash, row]))
        for (const [hash, callers] of batch) {
          const row = rows.get(hash)
          const holder = row && toHolder(row)
          for (const { resolve } of callers) resolve(holder)
        }
      } catch (error) {
        for (const { reject } of [...batch.values()].flat()) reject(error)
        if (!isDatabaseUnreachable(error)) continue
        // Those that arrived meanwhile have waited for the same silent server.
        for (const { reject } of [...waiting.values()].flat()) reject(error)
        waiting = new Map()
      }
    }
    reading = false
  }

  return (hash) =>
    new Promise((resolve, reject) => {
      const caller = { resolve, reject }
      const callers = waiting.get(hash)
      if (callers) callers.push(caller)
      else waiting.set(hash, [caller])
      if (!reading) void readWaiting()
    })
}

function limitReadRate<Holder>(read: ReadKey<Holder>, refused: Set<string>): ReadKey<Holder> {
  const lastStart = new Map<string, number>()
  const scheduledReads = new Map<string, Promise<Holder | undefined>>()

  function start(hash: string): Promise<Holder | undefined> {
    if (lastStart.size > MAX_TRACKED_KEYS) lastStart.clear()
    lastStart.set(hash, performance.now())
    scheduledReads.delete(hash)
    refused.delete(hash)
    return read(hash)
  }

  return (hash) => {
    const scheduled = scheduledReads.get(hash)
    if (scheduled) return scheduled
    const interval = refused.has(hash) ? REFUSED_READ_INTERVAL_MS : MIN_READ_INTERVAL_MS
    const waitMs = (lastStart.get(hash) ?? Number.NEGATIVE_INFINITY) + interval - performance.now()
    if (waitMs <= 0) return start(hash)
    const next = sleep(waitMs).then(() => start(hash))
    scheduledReads.set(hash, next)
    return next
  }
}

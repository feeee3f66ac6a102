import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, Statement } from '../db/connect.ts'
import { runUnscoped } from '../db/transaction.ts'
import { isDatabaseUnreachable } from '../db/unavailable.ts'
import type { RootId } from '../ids.ts'
import type { Principal } from './principal.ts'
import { noteKeyUsesUnscoped, noteSessionUsesUnscoped } from './sweep-sql.ts'

/** `lookup` is what the row was read by. */
interface FoundRow {
  readonly lookup: string
}
type ReadCredential<Holder> = (lookup: string) => Promise<Holder | undefined>

interface CredentialReader<Holder> {
  readonly read: ReadCredential<Holder>
  /** Spaces the reads of a credential whose request was refused by a rate limit, for one read. */
  readonly noteRefused: (holder: Holder) => void
}
type ReadRows<Row> = (lookups: readonly string[]) => Promise<readonly Row[]>

interface PendingRead<Holder> {
  readonly resolve: (holder: Holder | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Minimum time between two reads of one credential. Requests in between wait for the next read. */
const MIN_READ_INTERVAL_MS = 2
// A read costs more than all else in a refused request, and one of another credential that arrives during it waits.
const REFUSED_READ_INTERVAL_MS = 20
const MAX_TRACKED = 10_000

/**
 * Batches and rate-limits reads of keys and sessions, so that a flood on one of them costs few statements. A read always starts after its
 * request arrived, so that a completed revocation is always seen.
 */
export function createCredentialReader<Row extends FoundRow, Holder extends object>(
  read: ReadRows<Row>,
  toHolder: (row: Row) => Holder,
): CredentialReader<Holder> {
  const lookups = new WeakMap<Holder, string>()
  const refused = new Set<string>()
  const readBatched = batchReads(read, (row) => {
    const holder = toHolder(row)
    lookups.set(holder, row.lookup)
    return holder
  })
  return {
    read: limitReadRate(readBatched, refused),
    noteRefused(holder) {
      const lookup = lookups.get(holder)
      if (lookup !== undefined && refused.size < MAX_TRACKED) refused.add(lookup)
    },
  }
}

/** Requests that arrive during a read share the next one. */
function batchReads<Row extends FoundRow, Holder>(
  read: ReadRows<Row>,
  toHolder: (row: Row) => Holder,
): ReadCredential<Holder> {
  let waiting = new Map<string, PendingRead<Holder>[]>()
  let reading = false

  async function readWaiting(): Promise<void> {
    reading = true
    while (waiting.size > 0) {
      const batch = waiting
      waiting = new Map()
      try {
        const rows = new Map((await read([...batch.keys()])).map((row) => [row.lookup, row]))
        for (const [lookup, callers] of batch) {
          const row = rows.get(lookup)
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

  return (lookup) =>
    new Promise((resolve, reject) => {
      const caller = { resolve, reject }
      const callers = waiting.get(lookup)
      if (callers) callers.push(caller)
      else waiting.set(lookup, [caller])
      if (!reading) void readWaiting()
    })
}

function limitReadRate<Holder>(read: ReadCredential<Holder>, refused: Set<string>): ReadCredential<Holder> {
  const lastStart = new Map<string, number>()
  const scheduledReads = new Map<string, Promise<Holder | undefined>>()

  function start(lookup: string): Promise<Holder | undefined> {
    if (lastStart.size > MAX_TRACKED) lastStart.clear()
    lastStart.set(lookup, performance.now())
    scheduledReads.delete(lookup)
    refused.delete(lookup)
    return read(lookup)
  }

  return (lookup) => {
    const scheduled = scheduledReads.get(lookup)
    if (scheduled) return scheduled
    const interval = refused.has(lookup) ? REFUSED_READ_INTERVAL_MS : MIN_READ_INTERVAL_MS
    const waitMs = (lastStart.get(lookup) ?? Number.NEGATIVE_INFINITY) + interval - performance.now()
    if (waitMs <= 0) return start(lookup)
    const next = sleep(waitMs).then(() => start(lookup))
    scheduledReads.set(lookup, next)
    return next
  }
}

/**
 * When keys and sessions were last used, best effort: each node collects uses and writes them periodically. A session
 * counts as idle by this time. Only the first use of a key in a day is written before its request runs: an offboarding,
 * on whichever node, must know that the key is in use.
 */
export interface CredentialUses {
  note(principal: Principal): Promise<void>
  flush(): Promise<void>
}

interface CredentialUse {
  readonly root: RootId
  readonly at: number
}

const MAX_TRACKED_CREDENTIALS = 100_000
const WRITE_BATCH_SIZE = 1000

export function createCredentialUses(pool: Pool, now: () => Date): CredentialUses {
  const keys = createUses(pool, noteKeyUsesUnscoped)
  const sessions = createUses(pool, noteSessionUsesUnscoped)
  return {
    async note({ credential, root }) {
      const uses = credential.kind === 'key' ? keys : sessions
      const use = { root, at: now().getTime() }
      uses.note(credential.id, use)
      if (credential.kind === 'session' || credential.recentlyUsed) return
      // A failure must not fail the request; the next flush writes the use again.
      await writeUses(pool, noteKeyUsesUnscoped, [[credential.id, use]]).catch(() => undefined)
    },
    async flush() {
      await Promise.all([keys.flush(), sessions.flush()])
    },
  }
}

function createUses(pool: Pool, write: Statement) {
  let uses = new Map<string, CredentialUse>()

  function note(id: string, use: CredentialUse): void {
    if (uses.size < MAX_TRACKED_CREDENTIALS || uses.has(id)) uses.set(id, use)
  }

  async function flush(): Promise<void> {
    const taken = [...uses]
    uses = new Map()
    for (let start = 0; start < taken.length; start += WRITE_BATCH_SIZE) {
      try {
        await writeUses(pool, write, taken.slice(start, start + WRITE_BATCH_SIZE))
      } catch (error) {
        // Uses noted meanwhile are newer, so they win.
        uses = new Map([...taken.slice(start), ...uses])
        throw error
      }
    }
  }

  return { note, flush }
}

/** A credential counts as used if it is valid, even if the request is refused later. */
export function withUseTracking<Input extends readonly unknown[]>(
  authenticate: (...input: Input) => Promise<Principal>,
  { note }: Pick<CredentialUses, 'note'>,
): (...input: Input) => Promise<Principal> {
  return async (...input) => {
    const principal = await authenticate(...input)
    await note(principal)
    return principal
  }
}

async function writeUses(
  pool: Pool,
  write: Statement,
  uses: readonly (readonly [string, CredentialUse])[],
): Promise<void> {
  await runUnscoped(pool, write, [
    uses.map(([, { root }]) => root),
    uses.map(([id]) => id),
    uses.map(([, { at }]) => new Date(at).toISOString()),
  ])
}

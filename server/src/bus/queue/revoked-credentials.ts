import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream'
import type { KeyId } from '../../ids.ts'
import type { Log } from '../../observe/log.ts'
import { DAY_MS, repeatUntilAborted } from '../../time.ts'
import type { Bus } from '../connect.ts'
import { streams } from '../streams.ts'

const ID_BYTES = 16
const POLL_INTERVAL_MS = 1000
/** A revocation takes effect within this time, because an older list is not used. */
const MAX_STALENESS_MS = 5000
const MAX_ATTEMPTS = 20
const MAX_RETRY_DELAY_MS = 100
/** A credential expires at most 366 days after its creation. */
const LISTED_DAYS = 367

// The headers of a message count too.
const MAX_HEADER_BYTES = 1024
/** The list is one message. */
const MAX_REVOKED_CREDENTIALS = Math.floor(
  ((streams.find(({ name }) => name === 'REVOKED')?.maxMessageBytes ?? 0) - MAX_HEADER_BYTES) / ID_BYTES,
)

/**
 * Publishes the list if it has changed, and returns whether it has. When it resolves, the bus has stored a list with
 * every id that `readIds` returned.
 *
 * Several processes publish the list. A list replaces only the one that was read before its ids were, so a list that was
 * read from the database before a revocation never replaces one that contains it.
 */
export async function publishRevokedCredentials(
  bus: Bus,
  readIds: () => Promise<readonly KeyId[]>,
  now: Date,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const published = await readList(bus)
    const ids = new Set((await readIds()).map(toHex))
    // A database that was restored, or failed over, to an earlier time lacks the latest revocations.
    for (const id of parseIds(published?.data ?? Buffer.alloc(0))) if (isListed(id, now)) ids.add(id)
    const list = renderIds(ids)
    if (published !== null && list.equals(published.data)) return false
    try {
      await bus.jetstream.publish(listSubject(bus), list, {
        expect: { streamName: bus.streamName('REVOKED'), lastSubjectSequence: published?.seq ?? 0 },
        timeout: 5000,
      })
      return true
    } catch (error) {
      if (!isSequenceConflict(error) || attempt === MAX_ATTEMPTS) throw error
      await sleep(Math.random() * MAX_RETRY_DELAY_MS)
    }
  }
}

export interface RevokedCredentials {
  /** Null = unknown: there is no list, or it is too old. */
  has(id: KeyId): boolean | null
}

/**
 * Polls the list until the signal aborts. It does not subscribe, because a broken subscription looks like an unchanged
 * list.
 */
export function watchRevokedCredentials(bus: Bus, log: Log, signal: AbortSignal): RevokedCredentials {
  let list: Uint8Array | null = null
  let revokedIds: ReadonlySet<string> | null = null
  let readAt = 0

  async function poll(): Promise<void> {
    // The response is as old as the request: a list may be published while the response is on its way.
    const startedAt = performance.now()
    const found = await bus.rejectOnDisconnect(readList(bus))
    if (found === null) revokedIds = null
    else if (revokedIds === null || list === null || !Buffer.from(found.data).equals(list))
      revokedIds = new Set(parseIds(found.data))
    list = found?.data ?? null
    readAt = startedAt
  }

  void repeatUntilAborted(signal, async () => {
    // bus/connect.ts logs a lost connection.
    if (bus.isConnected())
      await poll().catch((err: unknown) => log.warn({ err }, 'could not read the revoked credentials'))
    return POLL_INTERVAL_MS
  })
  return {
    has(id) {
      if (revokedIds === null || performance.now() - readAt > MAX_STALENESS_MS) return null
      return revokedIds.has(toHex(id))
    },
  }
}

/** Reads from the stream's leader, which has every list that was acknowledged. */
function readList(bus: Bus) {
  return bus.manager.streams.getMessage(bus.streamName('REVOKED'), { last_by_subj: listSubject(bus) })
}

function renderIds(ids: ReadonlySet<string>): Buffer {
  if (ids.size > MAX_REVOKED_CREDENTIALS) {
    throw new Error(
      `The list of revoked ingest credentials holds at most ${MAX_REVOKED_CREDENTIALS}, but ${ids.size} are revoked. ` +
        'Replace all keys of INGEST_KEYS: no older credential is valid then, revoked or not.',
    )
  }
  return Buffer.from([...ids].toSorted().join(''), 'hex')
}

function parseIds(list: Uint8Array): string[] {
  return Buffer.from(list).toString('hex').match(/.{32}/g) ?? []
}

const toHex = (id: KeyId) => id.replaceAll('-', '').toLowerCase()

/** Whether a listed credential could still verify. Its id is a UUID of version 7, which starts with the time of creation. */
function isListed(id: string, now: Date): boolean {
  const createdAt = Number.parseInt(id.slice(0, 12), 16)
  return id[12] === '7' && createdAt > now.getTime() - LISTED_DAYS * DAY_MS
}

/** The second code is that of a stream with several copies, while another list is being written. */
const sequenceConflicts: ReadonlySet<number> = new Set([
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
])

function isSequenceConflict(error: unknown): boolean {
  return error instanceof JetStreamApiError && sequenceConflicts.has(error.code)
}

const listSubject = (bus: Bus) => bus.subject('revoked.ingest')

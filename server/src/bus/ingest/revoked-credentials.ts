import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyId } from '../../ids.ts'
import type { Log } from '../../observe/log.ts'
import type { Bus } from '../connect.ts'

const ID_BYTES = 16
const POLL_INTERVAL_MS = 1000
// A revocation is told within 2 s; known or not, it must act within 5 s of being made.
const MAX_STALENESS_MS = 3000

/** Publishes the whole list when it is not the one that is there. False when it was. */
export async function publishRevokedCredentials(bus: Bus, ids: readonly KeyId[]): Promise<boolean> {
  const list = Buffer.concat(ids.toSorted().map((id) => Buffer.from(id.replaceAll('-', ''), 'hex')))
  const published = await readList(bus)
  if (published !== null && list.equals(published)) return false
  await bus.jetstream.publish(listSubject(bus), list, {
    expect: { streamName: bus.streamName('ENDED') },
    timeout: 5000,
  })
  return true
}

/** What a node knows of the list. */
export interface RevokedCredentials {
  /** Null = not known: there is no list, or it could not be looked at for a while. */
  has(id: KeyId): boolean | null
}

/**
 * Looks at the list again and again until the signal. Asked for, not listened to: a subscription that has died in
 * silence looks like a list that does not change.
 */
export function watchRevokedCredentials(bus: Bus, log: Log, signal: AbortSignal): RevokedCredentials {
  let list: Uint8Array | null = null
  let revokedIds: ReadonlySet<string> | null = null
  let lastPolledAt = 0

  async function poll(): Promise<void> {
    const found = await bus.rejectOnDisconnect(readList(bus))
    lastPolledAt = performance.now()
    if (found === null) revokedIds = null
    else if (revokedIds === null || list === null || !Buffer.from(found).equals(list))
      revokedIds = parseIds(found)
    list = found
  }

  async function pollUntilAborted(): Promise<void> {
    while (!signal.aborted) {
      // Silent while the connection is lost: that is logged where it is kept.
      if (bus.isConnected()) {
        await poll().catch((err: unknown) => log.warn({ err }, 'ended credentials cannot be read'))
      }
      await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {})
    }
  }

  void pollUntilAborted()
  return {
    has(id) {
      if (revokedIds === null || performance.now() - lastPolledAt > MAX_STALENESS_MS) return null
      return revokedIds.has(id.replaceAll('-', '').toLowerCase())
    },
  }
}

async function readList(bus: Bus): Promise<Uint8Array | null> {
  const found = await bus.manager.streams.getMessage(bus.streamName('ENDED'), {
    last_by_subj: listSubject(bus),
  })
  return found?.data ?? null
}

function parseIds(list: Uint8Array): ReadonlySet<string> {
  const hex = Buffer.from(list).toString('hex')
  const ids = new Set<string>()
  for (let at = 0; at < hex.length; at += 2 * ID_BYTES) ids.add(hex.slice(at, at + 2 * ID_BYTES))
  return ids
}

const listSubject = (bus: Bus) => bus.subject('ended.ingest')

import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyId } from '../../ids.ts'
import type { Log } from '../../observe/log.ts'
import type { Bus } from '../connect.ts'

const ID_BYTES = 16
const POLL_INTERVAL_MS = 1000
// The worker publishes a revocation within 2 s, and it must take effect within 5 s.
const MAX_STALENESS_MS = 3000

/** Publishes the whole list if it has changed. Returns whether it has. */
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
      // bus/connect.ts logs a lost connection.
      if (bus.isConnected()) {
        await poll().catch((err: unknown) => log.warn({ err }, 'could not read the revoked credentials'))
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

import type { Pool } from '../../db/connect.ts'
import { runUnscoped } from '../../db/transaction.ts'
import type { KeyId, RootId } from '../../ids.ts'
import type { Authenticate } from '../authenticate.ts'
import type { Principal } from '../principal.ts'
import { noteKeyUsesUnscoped } from './sql.ts'

/** When keys were last used, best effort: each node collects uses and writes them periodically, never in a request. */
export interface KeyUses {
  note(principal: Principal): void
  flush(): Promise<void>
}

interface KeyUse {
  readonly root: RootId
  readonly at: number
}

const MAX_TRACKED_KEYS = 100_000
const WRITE_BATCH_SIZE = 1000

export function createKeyUses(pool: Pool, now: () => Date): KeyUses {
  let uses = new Map<KeyId, KeyUse>()

  function note({ keyId, root }: Principal): void {
    if (uses.size < MAX_TRACKED_KEYS || uses.has(keyId)) uses.set(keyId, { root, at: now().getTime() })
  }

  async function flush(): Promise<void> {
    const taken = [...uses]
    uses = new Map()
    for (let start = 0; start < taken.length; start += WRITE_BATCH_SIZE) {
      try {
        await writeKeyUses(pool, taken.slice(start, start + WRITE_BATCH_SIZE))
      } catch (error) {
        // Uses noted meanwhile are newer, so they win.
        uses = new Map([...taken.slice(start), ...uses])
        throw error
      }
    }
  }

  return { note, flush }
}

/** A key counts as used if it is valid, even if the request is refused later. */
export function withKeyUseTracking(
  authenticate: Authenticate,
  { note }: Pick<KeyUses, 'note'>,
): Authenticate {
  return async (value) => {
    const principal = await authenticate(value)
    note(principal)
    return principal
  }
}

async function writeKeyUses(pool: Pool, uses: readonly (readonly [KeyId, KeyUse])[]): Promise<void> {
  await runUnscoped(pool, noteKeyUsesUnscoped, [
    uses.map(([, { root }]) => root),
    uses.map(([key]) => key),
    uses.map(([, { at }]) => new Date(at).toISOString()),
  ])
}

import type { Pool, Statement } from '../db/connect.ts'
import { runUnscoped } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'
import type { Principal } from './principal.ts'
import { noteKeyUsesUnscoped, noteSessionUsesUnscoped } from './sweep-sql.ts'

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

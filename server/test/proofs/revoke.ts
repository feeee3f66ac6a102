import { runChange } from '../../src/admin/operator.ts'
import { connect } from '../../src/db/connect.ts'
import type { KeyId, PersonId, RootId } from '../../src/ids.ts'
import { revokeKey } from '../../src/resources/keys/manage.ts'
import { deactivatePerson } from '../../src/resources/people/manage.ts'
import type { TestDatabase } from '../database.ts'

export interface Revoker {
  /** Resolves when the revocation is committed, which is when its caller gets the response. */
  revoke(key: { readonly id: string; readonly root: string }): Promise<void>
  deactivate(root: RootId, person: PersonId): Promise<void>
  close(): Promise<void>
}

/** Revokes keys in this process: starting the operator's command would take longer than many jobs. */
export function createRevoker({ urls }: TestDatabase): Revoker {
  const pool = connect({ url: urls.worker, name: 'test', connections: 1 })
  const operator = { pool, now: () => new Date() }
  return {
    async revoke({ id, root }) {
      await runChange(operator, root as RootId, (change) => revokeKey(change, id as KeyId))
    },
    async deactivate(root, person) {
      await runChange(operator, root, (change) => deactivatePerson(change, person))
    },
    close: () => pool.end(),
  }
}

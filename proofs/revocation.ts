import { proveIngestCredentials } from './revocation/ingest-credentials.ts'
import { proveJobs } from './revocation/jobs.ts'
import { proveKeys } from './revocation/keys.ts'
import { proveSessions } from './revocation/sessions.ts'
import { proveStreams } from './revocation/streams.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { report } from './tools/report.ts'

const cures: readonly SourceEdit[] = [
  // Each node caches keys.
  {
    file: 'access/authenticate.ts',
    name: 'createAuthenticator',
    wrap: `(create, pool) => {
      const authenticate = create(pool)
      const known = new Map()
      const remember = async (value) => {
        if (!known.has(value)) known.set(value, await authenticate(value))
        return known.get(value)
      }
      return Object.assign(remember, authenticate)
    }`,
  },
  // Each node caches sessions.
  {
    file: 'access/session.ts',
    name: 'createSessionAuthenticator',
    wrap: `(create, pool) => {
      const authenticate = create(pool)
      const known = new Map()
      return async (value, organization) => {
        const name = value + ' ' + organization
        if (!known.has(name)) known.set(name, await authenticate(value, organization))
        return known.get(name)
      }
    }`,
  },
  // Revoked ingest credentials are accepted.
  { file: 'http/ingest/pipeline.ts', name: 'refuseRevoked', by: 'function refuseRevoked(): void {}' },
  // Streams and jobs outlive their key.
  {
    file: 'http/pipeline.ts',
    name: 'checkAccessAgain',
    by: 'async function checkAccessAgain(): Promise<void> {}',
  },
  {
    file: 'resources/user-roles/sql.ts',
    name: 'lockJobKey',
    by: 'export async function lockJobKey(): Promise<boolean> { return true }',
  },
]

/** An invalid credential is rejected by the next request on every node, and what it started ends. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const copy = withoutCure ? await copyWithout(cures) : null
  try {
    report(
      `revocation${withoutCure ? ' without its cures (keys and sessions cached, the list, streams and jobs not checked)' : ''}: 3 API processes`,
      [
        // Without its cure a key is accepted in every trial.
        ...(await proveKeys(withoutCure ? 60 : quick ? 200 : 10_000, copy)),
        ...(await proveSessions(withoutCure ? 12 : quick ? 60 : 10_000, copy)),
        ...(await proveIngestCredentials(withoutCure ? 2 : quick ? 5 : 100, copy)),
        ...(await proveStreams(quick ? 2 : 40, copy)),
        ...(await proveJobs(quick ? 2 : 40, copy)),
      ],
    )
  } finally {
    await copy?.remove()
  }
}

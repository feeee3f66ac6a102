import { proveIngestCredentials } from './revocation/ingest-credentials.ts'
import { proveJobs } from './revocation/jobs.ts'
import { proveKeys } from './revocation/keys.ts'
import { proveSessions } from './revocation/sessions.ts'
import { proveStreams } from './revocation/streams.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout } from './tools/copy.ts'
import { report } from './tools/report.ts'

const cures = [
  // Each node caches keys.
  {
    file: 'access/authenticate.ts',
    find: `return (await readKey(hashKey(value).toString('hex'))) ?? refuseKey()`,
    replace: `const cache: Map<string, Principal> = ((globalThis as any).remembered ??= new Map())
    const holder = cache.get(value) ?? (await readKey(hashKey(value).toString('hex')))
    if (holder) cache.set(value, holder)
    return holder ?? refuseKey()`,
  },
  // Each node caches sessions.
  {
    file: 'access/session.ts',
    find: 'const row = await reader.read(lookup)',
    replace: `const cache: Map<string, SessionRow> = ((globalThis as any).rememberedSessions ??= new Map())
    const row = cache.get(lookup) ?? (await reader.read(lookup))
    if (row) cache.set(lookup, row)`,
  },
  // Revoked ingest credentials are accepted.
  { file: 'http/ingest/pipeline.ts', find: 'if (revoked) refuseKey()', replace: '' },
  // Streams and jobs outlive their key.
  {
    file: 'resources/metrics/review-comments/list.ts',
    find: 'if (more) await context.checkAccessAgain()',
    replace: '',
  },
  {
    file: 'resources/user-roles/run-jobs.ts',
    find: 'if (!(await lockJobKey(scope, tx, job))) {',
    replace: 'if (job.id === null) {',
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

import { proveAllOrganizations } from './roles/all-organizations.ts'
import { proveLastAdmin } from './roles/last-admin.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout } from './tools/copy.ts'
import { report } from './tools/report.ts'

const cures = [
  // Concurrent decisions about the admins of one organization do not wait for each other.
  { file: 'resources/user-roles/sql.ts', find: 'order by id for no key update', replace: 'order by id' },
  // The progress of the job is committed before the changes, in a separate transaction.
  {
    file: 'resources/user-roles/sql.ts',
    find: 'and finished_at is null for no key update',
    replace: 'and finished_at is null',
  },
  {
    file: 'resources/user-roles/run-jobs.ts',
    find: '  const isSkipped = job.failures >= MAX_FAILURES',
    replace:
      '  await inTransaction(context.database, scope, (own) => advanceJob(scope, own, id, last, 0))\n' +
      '  const isSkipped = job.failures >= MAX_FAILURES',
  },
]

export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const size = quick
    ? { organizations: 300, users: 200, kills: 4 }
    : { organizations: 10_000, users: 20, kills: 20 }
  const rounds = quick ? 50 : 1_000
  const copy = withoutCure ? await copyWithout(cures) : null
  try {
    const measurements = [
      ...(await proveAllOrganizations(size, copy)),
      ...(await proveLastAdmin(rounds, copy)),
    ]
    const title = `roles: ALL over ${size.organizations} organizations with ${size.users} users each, and last admins`
    report(
      withoutCure ? `${title}, without locks and with progress apart from the change` : title,
      measurements,
    )
  } finally {
    await copy?.remove()
  }
}

import { proveAllOrganizations } from './roles/all-organizations.ts'
import { proveLastAdmin } from './roles/last-admin.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { report } from './tools/report.ts'

const cures: readonly SourceEdit[] = [
  // Concurrent decisions about the admins of one organization do not wait for each other.
  {
    file: 'resources/user-roles/sql.ts',
    name: 'lockOrganizations',
    by: `const lockOrganizations = statement('user-roles.without-lock',
      'select id from organization where root_id = $1 and id = any ($2::uuid[]) order by id')`,
  },
  // The progress of the job is committed before the changes, in a separate transaction.
  {
    file: 'resources/user-roles/sql.ts',
    name: 'lockOpenJob',
    by: `const lockOpenJob = statement('user-roles.job-without-lock',
      'select * from role_job where root_id = $1 and id = $2 and finished_at is null')`,
  },
  {
    file: 'resources/user-roles/run-jobs.ts',
    name: 'changeRolesInOrganizations',
    wrap: `async (change, context, scope, tx, job, organizations) => {
      await inTransaction(context.database, scope, (own) =>
        advanceJob(scope, own, job.id, organizations.at(-1), 0))
      await change(context, scope, tx, job, organizations)
    }`,
  },
]

export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const size = quick
    ? { organizations: 300, users: 200, kills: 4 }
    : { organizations: 10_000, users: 20, kills: 20 }
  const rounds = quick ? 20 : 1_000
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

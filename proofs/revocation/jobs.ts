import { setTimeout as sleep } from 'node:timers/promises'
import { startApi, startWorker } from '../../server/test/process.ts'
import { createRevoker } from '../../server/test/proofs/revoke.ts'
import { createRolesFixture, type RolesFixture } from '../../server/test/proofs/roles-fixture.ts'
import { changeRoles } from '../roles/change-roles.ts'
import type { SourceCopy } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'

/** 10,000 memberships are one step of a job, so these are eight steps. */
const size = { organizations: 400, users: 200 }
const MAX_WAIT_MS = 120_000

/** A role change of all organizations, whose key is revoked while the worker carries it out. */
export async function proveJobs(trials: number, copy: SourceCopy | null): Promise<Measurement[]> {
  const fixture = await createRolesFixture(size)
  const { database, settings, superuser, root } = fixture
  const api = await startApi(database, settings, copy?.apiEntry)
  const worker = await startWorker(database, settings, copy?.workerEntry)
  const revoker = createRevoker(database)
  const user_ids = Array.from({ length: size.users }, (_, index) => String(index))
  const { rows } = await superuser.query<{ id: string }>('select id from api_key where root_id = $1', [root])
  const key = { id: rows[0]?.id ?? '', root }
  let [stopped, changedLater] = [0, 0]
  try {
    for (let trial = 0; trial < trials; trial++) {
      await superuser.query(`update membership set system_role = 'cr_member' where account_id <> '-1'`)
      const body = { role: 'cr_admin', user_ids, org_id: 'ALL' }
      const answer = changeRoles(api.url, fixture.instanceKey, body, {}).catch(() => null)
      await waitForFirstStep(fixture)
      await revoker.revoke(key)
      const atAnswer = await countChanged(fixture)
      await waitUntilFinished(fixture)
      await answer
      const atEnd = await countChanged(fixture)
      changedLater += atEnd - atAnswer
      if (atEnd < size.organizations * size.users) stopped += 1
      await superuser.query('update api_key set revoked_at = null where root_id = $1', [root])
      await superuser.query('delete from role_job where root_id = $1', [root])
    }
    return [
      {
        measure: `jobs: ${trials} keys revoked while the change of 400 organizations ran: stopped`,
        goal: `${trials}`,
        result: stopped,
        met: stopped === trials,
      },
      {
        measure: '… memberships changed after the response to the revocation',
        goal: '0',
        result: changedLater,
        met: changedLater === 0,
      },
    ]
  } finally {
    await Promise.all([api.stop(), worker.stop(), revoker.close()])
    await fixture.close()
  }
}

async function countChanged({ superuser, root }: RolesFixture): Promise<number> {
  const { rows } = await superuser.query<{ changed: number }>(
    `select count(*)::int as changed from membership
     where root_id = $1 and account_id <> '-1' and system_role = 'cr_admin'`,
    [root],
  )
  return rows[0]?.changed ?? 0
}

async function waitForFirstStep(fixture: RolesFixture): Promise<void> {
  await waitUntil(async () => (await countChanged(fixture)) > 0)
}

async function waitUntilFinished({ superuser, root }: RolesFixture): Promise<void> {
  await waitUntil(async () => {
    const { rowCount } = await superuser.query(
      'select from role_job where root_id = $1 and finished_at is null',
      [root],
    )
    return rowCount === 0
  })
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('The job did not start, or does not end.')
    await sleep(5)
  }
}

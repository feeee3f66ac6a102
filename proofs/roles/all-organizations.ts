import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiProcess, type ServerProcess, startApi, startWorker } from '../../server/test/process.ts'
import { createRolesFixture, type RolesFixture } from '../../server/test/proofs/roles-fixture.ts'
import type { SourceCopy } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'
import { changeRoles, type RoleChangeResponse } from './change-roles.ts'

const MAX_WAIT_MS = 120_000

export interface RoleJobSize {
  readonly organizations: number
  readonly users: number
  /** How often the worker is killed; every second time the API is killed too. */
  readonly kills: number
}

/** A change of all organizations, while the worker that runs it and the API that waits for it are killed repeatedly. */
export async function proveAllOrganizations(
  size: RoleJobSize,
  copy: SourceCopy | null,
): Promise<Measurement[]> {
  const fixture = await createRolesFixture(size)
  try {
    const users = Array.from({ length: size.users }, (_, index) => String(index))
    await createOneBillingAdmin(fixture)
    const started = performance.now()
    const { answer: response, killed } = await changeWhileKilling(fixture, size, ['nobody', ...users], copy)
    console.error(
      `  all organizations: answered after ${((performance.now() - started) / 1000).toFixed(1)} s`,
    )
    return await toMeasurements(fixture, size, response, killed)
  } finally {
    await fixture.close()
  }
}

/** User 0 is billing admin of one organization in the middle. */
async function createOneBillingAdmin({ superuser, root }: RolesFixture): Promise<void> {
  await superuser.query(
    `update membership set system_role = 'cr_billing_admin' where root_id = $1 and account_id = '0'
       and organization_id = (select id from organization where root_id = $1 order by id
         offset (select count(*) / 2 from organization where root_id = $1) limit 1)`,
    [root],
  )
}

interface KillCounts {
  workers: number
  apis: number
}

async function changeWhileKilling(
  fixture: RolesFixture,
  { kills }: RoleJobSize,
  user_ids: readonly string[],
  copy: SourceCopy | null,
): Promise<{ answer: RoleChangeResponse; killed: KillCounts }> {
  const killed: KillCounts = { workers: 0, apis: 0 }
  const headers = { 'idempotency-key': randomUUID() }
  const { database, settings } = fixture
  const openApi = () => startApi(database, settings, copy?.apiEntry)
  const openWorker = () => startWorker(database, { ...settings, LOG_LEVEL: 'info' }, copy?.workerEntry)
  let [api, worker]: [ApiProcess, ServerProcess] = await Promise.all([openApi(), openWorker()])
  const sendChange = () =>
    changeRoles(api.url, fixture.instanceKey, { role: 'cr_admin', user_ids, org_id: 'ALL' }, headers).catch(
      () => null,
    )
  try {
    let pendingChange = sendChange()
    for (let killIndex = 0; killIndex < kills; killIndex++) {
      if (!(await waitForProgress(fixture, (killIndex + 1) / (kills + 2)))) break
      await sleep(Math.random() * 150)
      await worker.stop('SIGKILL')
      killed.workers += 1
      if (killIndex % 2 === 0) {
        await api.stop('SIGKILL')
        killed.apis += 1
        await pendingChange
        api = await openApi()
        pendingChange = sendChange()
      }
      worker = await openWorker()
    }
    for (;;) {
      const response = await pendingChange
      if (response?.status === 200) return { answer: response, killed }
      if (response !== null && response.status !== 503)
        throw new Error(`The repeated request returned ${response.status} ${response.error}.`)
      pendingChange = sendChange()
    }
  } finally {
    await Promise.all([api.stop(), worker.stop()])
  }
}

/** Waits until this share of the organizations is done; false if the job has finished. */
async function waitForProgress({ superuser, root }: RolesFixture, share: number): Promise<boolean> {
  const end = performance.now() + MAX_WAIT_MS
  while (performance.now() < end) {
    const { rows } = await superuser.query<{ finished: boolean; share: number }>(
      `select j.finished_at is not null as finished, (select count(*) filter (where o.id <= j.done_until)::float8
         / count(*) from organization o where o.root_id = $1) as share
       from role_job j where j.root_id = $1`,
      [root],
    )
    const [job] = rows
    if (job?.finished) return false
    if (job !== undefined && job.share >= share) return true
    await sleep(10)
  }
  throw new Error('The job did not start, or makes no progress.')
}

async function toMeasurements(
  fixture: RolesFixture,
  size: RoleJobSize,
  response: RoleChangeResponse,
  killed: KillCounts,
): Promise<Measurement[]> {
  const { superuser, root } = fixture
  const { organizations, users, kills } = size
  const { rows } = await superuser.query<{ name: string; changed: number }>(
    `select p.name, count(*) filter (where m.system_role = 'cr_admin')::int as changed
     from person p join membership m on m.root_id = p.root_id and m.person_id = p.id
     where p.root_id = $1 and p.name <> '-1' group by 1`,
    [root],
  )
  const whole = new Set(rows.filter(({ changed }) => changed === organizations).map(({ name }) => name))
  const falseResponses = rows.filter(
    ({ name }) => response.succeeded.includes(name) !== whole.has(name),
  ).length
  const failures = response.failed.map(({ id, code }) => `${id} ${code}`).join(', ')
  const wanted = 'nobody USER_NOT_FOUND, 0 PROTECTED_ROLE'
  const missed = rows.filter(({ name, changed }) => changed !== organizations - (name === '0' ? 1 : 0)).length
  const audited = await countAuditRows(fixture)
  const equal = (measure: string, goal: number, result: number) => ({
    measure,
    goal: String(goal),
    result,
    met: result === goal,
  })
  return [
    equal('workers killed (-9) while it was carried out', kills, killed.workers),
    equal('API processes killed (-9) while they waited', Math.ceil(kills / 2), killed.apis),
    equal(`users whose answer and ${organizations} rows disagree, of ${users}`, 0, falseResponses),
    equal('users who were left out somewhere', 0, missed),
    { measure: 'failures in the response', goal: wanted, result: failures, met: failures === wanted },
    equal('organizations with exactly one audit row', organizations, audited.once),
    equal('audit rows', organizations, audited.rows),
    equal('changes of users in the audit rows', organizations * users - 1, audited.changes),
  ]
}

async function countAuditRows({ superuser, root }: RolesFixture) {
  const { rows } = await superuser.query<{ once: number; rows: number; changes: number }>(
    `select count(*) filter (where rows = 1)::int as once, coalesce(sum(rows), 0)::int as rows,
       coalesce(sum(users), 0)::int as changes
     from (select organization_id, count(*) as rows, sum((metadata->>'users')::int) as users from audit_log
       where root_id = $1 and action = 'person_role_changed' group by 1) of_organization`,
    [root],
  )
  return rows[0] ?? { once: 0, rows: 0, changes: 0 }
}

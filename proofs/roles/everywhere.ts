import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiProcess, type ServerProcess, startApi, startWorker } from '../../server/test/process.ts'
import { makeWorld, type World } from '../../server/test/proofs/roles-world.ts'
import type { Copy } from '../tools/copy.ts'
import type { Finding } from '../tools/report.ts'
import { type Answer, changeRoles } from './change-roles.ts'

const PATIENCE_MS = 120_000

export interface Extent {
  readonly organizations: number
  readonly users: number
  /** How often the worker is killed; every other time the API is, too. */
  readonly kills: number
}

/** A change of all organizations, while whoever carries it out and whoever waits for it are killed again and again. */
export async function proveEverywhere(extent: Extent, copy: Copy | null): Promise<Finding[]> {
  const world = await makeWorld(extent)
  try {
    const users = Array.from({ length: extent.users }, (_, place) => String(place))
    await protectOne(world)
    const started = performance.now()
    const { answer, killed } = await changeUnderKills(world, extent, ['nobody', ...users], copy)
    console.error(
      `  all organizations: answered after ${((performance.now() - started) / 1000).toFixed(1)} s`,
    )
    return await judge(world, extent, answer, killed)
  } finally {
    await world.end()
  }
}

/** User 0 is billing admin of one organization, somewhere in the middle. */
async function protectOne({ superuser, root }: World): Promise<void> {
  await superuser.query(
    `update membership set system_role = 'cr_billing_admin' where root_id = $1 and account_id = '0'
       and organization_id = (select id from organization where root_id = $1 order by id
         offset (select count(*) / 2 from organization where root_id = $1) limit 1)`,
    [root],
  )
}

interface Killed {
  workers: number
  apis: number
}

async function changeUnderKills(
  world: World,
  { kills }: Extent,
  user_ids: readonly string[],
  copy: Copy | null,
): Promise<{ answer: Answer; killed: Killed }> {
  const killed: Killed = { workers: 0, apis: 0 }
  const headers = { 'idempotency-key': randomUUID() }
  const { database, settings } = world
  const openApi = () => startApi(database, settings, copy?.entry)
  const openWorker = () => startWorker(database, { ...settings, LOG_LEVEL: 'info' }, copy?.worker)
  let [api, worker]: [ApiProcess, ServerProcess] = await Promise.all([openApi(), openWorker()])
  const ask = () =>
    changeRoles(api.url, world.instanceKey, { role: 'cr_admin', user_ids, org_id: 'ALL' }, headers).catch(
      () => null,
    )
  try {
    let asking = ask()
    for (let turn = 0; turn < kills; turn++) {
      if (!(await comesTo(world, (turn + 1) / (kills + 2)))) break
      await sleep(Math.random() * 150)
      await worker.stop('SIGKILL')
      killed.workers += 1
      if (turn % 2 === 0) {
        await api.stop('SIGKILL')
        killed.apis += 1
        await asking
        api = await openApi()
        asking = ask()
      }
      worker = await openWorker()
    }
    for (;;) {
      const answer = await asking
      if (answer?.status === 200) return { answer, killed }
      if (answer !== null && answer.status !== 503)
        throw new Error(`The repeat was answered ${answer.status} ${answer.error}.`)
      asking = ask()
    }
  } finally {
    await Promise.all([api.stop(), worker.stop()])
  }
}

/** Waits until such a share of the organizations is done; false when the job has ended. */
async function comesTo({ superuser, root }: World, share: number): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS
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
  throw new Error('The work was not begun, or does not go on.')
}

async function judge(world: World, extent: Extent, answer: Answer, killed: Killed): Promise<Finding[]> {
  const { superuser, root } = world
  const { organizations, users, kills } = extent
  const { rows } = await superuser.query<{ name: string; changed: number }>(
    `select p.name, count(*) filter (where m.system_role = 'cr_admin')::int as changed
     from person p join membership m on m.root_id = p.root_id and m.person_id = p.id
     where p.root_id = $1 and p.name <> '-1' group by 1`,
    [root],
  )
  const whole = new Set(rows.filter(({ changed }) => changed === organizations).map(({ name }) => name))
  const untrue = rows.filter(({ name }) => answer.succeeded.includes(name) !== whole.has(name)).length
  const failures = answer.failed.map(({ id, code }) => `${id} ${code}`).join(', ')
  const wanted = 'nobody USER_NOT_FOUND, 0 PROTECTED_ROLE'
  const missed = rows.filter(({ name, changed }) => changed !== organizations - (name === '0' ? 1 : 0)).length
  const audited = await auditRows(world)
  const equal = (measure: string, goal: number, result: number) => ({
    measure,
    goal: String(goal),
    result,
    met: result === goal,
  })
  return [
    equal('workers killed (-9) while it was carried out', kills, killed.workers),
    equal('API processes killed (-9) while they waited', Math.ceil(kills / 2), killed.apis),
    equal(`users whose answer and ${organizations} rows disagree, of ${users}`, 0, untrue),
    equal('users who were left out somewhere', 0, missed),
    { measure: 'failures that were told', goal: wanted, result: failures, met: failures === wanted },
    equal('organizations with exactly one audit row', organizations, audited.once),
    equal('audit rows', organizations, audited.rows),
    equal('changes of a user that the audit rows tell', organizations * users - 1, audited.changes),
  ]
}

async function auditRows({ superuser, root }: World) {
  const { rows } = await superuser.query<{ once: number; rows: number; changes: number }>(
    `select count(*) filter (where rows = 1)::int as once, coalesce(sum(rows), 0)::int as rows,
       coalesce(sum(users), 0)::int as changes
     from (select organization_id, count(*) as rows, sum((metadata->>'users')::int) as users from audit_log
       where root_id = $1 and action = 'user_role_changed' group by 1) of_organization`,
    [root],
  )
  return rows[0] ?? { once: 0, rows: 0, changes: 0 }
}

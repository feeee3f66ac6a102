import { startApi } from '../../server/test/process.ts'
import { makeLanes, makeWorld, type World } from '../../server/test/proofs/roles-world.ts'
import { inParallel } from '../tools/client.ts'
import type { Copy } from '../tools/copy.ts'
import type { Finding } from '../tools/report.ts'
import { type Answer, changeRoles } from './change-roles.ts'

const LANES = 10

/** Two admins of one organization demote each other at the same moment, on two nodes. */
export async function proveLastAdmin(rounds: number, copy: Copy | null): Promise<Finding[]> {
  const world = await makeWorld({ organizations: LANES, users: 1 })
  const nodes = await Promise.all([1, 2].map(() => startApi(world.database, world.settings, copy?.entry)))
  try {
    const urls = nodes.map(({ url }) => url)
    const lanes = await makeLanes(world)
    const tally = { rounds: 0, bare: 0, both: 0, untrue: 0, unclear: 0 }
    await inParallel(rounds, LANES, 'rounds', async (_, lane) => {
      const { organization, keys } = lanes[lane] ?? { organization: '', keys: [] }
      await crown(world, organization)
      const [first, second] = await Promise.all(
        ['0', '-1'].map((other, place) =>
          changeRoles(urls[place] ?? '', keys[place] ?? '', { role: 'cr_member', user_ids: [other] }),
        ),
      )
      const admins = await adminsOf(world, organization)
      tally.rounds += 1
      if (admins.size === 0) tally.bare += 1
      if (admins.size === 2) tally.both += 1
      for (const [answer, other] of [
        [first, '0'],
        [second, '-1'],
      ] as const) {
        const demoted = saysDemoted(answer, other)
        if (demoted === null) tally.unclear += 1
        else if (demoted === admins.has(other)) tally.untrue += 1
      }
    })
    const none = (measure: string, result: number) => ({ measure, goal: '0', result, met: result === 0 })
    return [
      {
        measure: 'rounds of two admins who demote each other at once',
        goal: String(rounds),
        result: tally.rounds,
        met: tally.rounds === rounds,
      },
      none('organizations left without an admin', tally.bare),
      none('rounds in which neither was demoted', tally.both),
      none('answers that were not true', tally.untrue),
      none('answers that said neither yes nor no', tally.unclear),
    ]
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await world.end()
  }
}

/** Both are admins again. */
async function crown({ superuser }: World, organization: string): Promise<void> {
  await superuser.query(`update membership set system_role = 'cr_admin' where organization_id = $1`, [
    organization,
  ])
}

async function adminsOf({ superuser }: World, organization: string): Promise<Set<string>> {
  const { rows } = await superuser.query<{ account_id: string }>(
    `select account_id from membership where organization_id = $1 and system_role = 'cr_admin'`,
    [organization],
  )
  return new Set(rows.map(({ account_id }) => account_id))
}

/** Who was demoted in the meantime is told that they are no admin, and has demoted nobody. */
function saysDemoted(answer: Answer | undefined, other: string): boolean | null {
  if (answer?.succeeded.includes(other)) return true
  if (answer?.error === 'NOT_ADMIN') return false
  return answer?.failed.some(({ id, code }) => id === other && code === 'LAST_ADMIN') ? false : null
}

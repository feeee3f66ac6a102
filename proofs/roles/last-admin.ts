import { startApi } from '../../server/test/process.ts'
import {
  createOrganizationAdmins,
  createRolesFixture,
  type RolesFixture,
} from '../../server/test/proofs/roles-fixture.ts'
import { runConcurrently } from '../tools/client.ts'
import type { SourceCopy } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'
import { changeRoles, type RoleChangeResponse } from './change-roles.ts'

const CONCURRENCY = 10

/** Two admins of one organization demote each other concurrently, on two nodes. */
export async function proveLastAdmin(rounds: number, copy: SourceCopy | null): Promise<Measurement[]> {
  const fixture = await createRolesFixture({ organizations: CONCURRENCY, users: 1 })
  const nodes = await Promise.all(
    [1, 2].map(() => startApi(fixture.database, fixture.settings, copy?.apiEntry)),
  )
  try {
    const urls = nodes.map(({ url }) => url)
    const organizations = await createOrganizationAdmins(fixture)
    const tally = { rounds: 0, bare: 0, both: 0, untrue: 0, unclear: 0 }
    await runConcurrently(rounds, CONCURRENCY, 'rounds', async (_, workerIndex) => {
      const { organization, keys } = organizations[workerIndex] ?? { organization: '', keys: [] }
      await createBothAdmins(fixture, organization)
      const [first, second] = await Promise.all(
        ['0', '-1'].map((other, index) =>
          changeRoles(urls[index] ?? '', keys[index] ?? '', { role: 'cr_member', user_ids: [other] }),
        ),
      )
      const admins = await readAdmins(fixture, organization)
      tally.rounds += 1
      if (admins.size === 0) tally.bare += 1
      if (admins.size === 2) tally.both += 1
      for (const [response, other] of [
        [first, '0'],
        [second, '-1'],
      ] as const) {
        const demoted = saysDemoted(response, other)
        if (demoted === null) tally.unclear += 1
        else if (demoted === admins.has(other)) tally.untrue += 1
      }
    })
    const expectZero = (measure: string, result: number) => ({
      measure,
      goal: '0',
      result,
      met: result === 0,
    })
    return [
      {
        measure: 'rounds of two admins who demote each other concurrently',
        goal: String(rounds),
        result: tally.rounds,
        met: tally.rounds === rounds,
      },
      expectZero('organizations left without an admin', tally.bare),
      expectZero('rounds in which neither was demoted', tally.both),
      expectZero('answers that were not true', tally.untrue),
      expectZero('answers that said neither yes nor no', tally.unclear),
    ]
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await fixture.close()
  }
}

/** Makes both admins again. */
async function createBothAdmins({ superuser }: RolesFixture, organization: string): Promise<void> {
  await superuser.query(`update membership set system_role = 'cr_admin' where organization_id = $1`, [
    organization,
  ])
}

async function readAdmins({ superuser }: RolesFixture, organization: string): Promise<Set<string>> {
  const { rows } = await superuser.query<{ account_id: string }>(
    `select account_id from membership where organization_id = $1 and system_role = 'cr_admin'`,
    [organization],
  )
  return new Set(rows.map(({ account_id }) => account_id))
}

/** A user who was demoted first gets NOT_ADMIN and changes nothing. */
function saysDemoted(response: RoleChangeResponse | undefined, other: string): boolean | null {
  if (response?.succeeded.includes(other)) return true
  if (response?.error === 'NOT_ADMIN') return false
  return response?.failed.some(({ id, code }) => id === other && code === 'LAST_ADMIN') ? false : null
}

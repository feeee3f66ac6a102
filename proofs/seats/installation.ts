import { createDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import { createSeatWorkspace, type SeatCandidate } from '../../server/test/seats/seat-workspace.ts'

export interface SeatCaller extends SeatCandidate {
  readonly node: string
}

/** A workspace whose organizations share its seats, on three API processes. */
export interface SeatsInstallation {
  readonly people: readonly SeatCaller[]
  /** The ids of people with a seat, and the counter. */
  readSeats(): Promise<{ readonly seated: ReadonlySet<string>; readonly counted: number }>
  /** The seats in use according to the audit log. */
  countAuditedSeats(): Promise<number>
  stop(): Promise<void>
}

export interface SeatsSize {
  readonly people: number
  readonly seats: number
}

/** `entry` may be that of a copy of the source without a cure. */
export async function startSeatsInstallation(
  { people: count, seats }: SeatsSize,
  entry?: string,
): Promise<SeatsInstallation> {
  const database = await createDatabase()
  const { root, people } = await createSeatWorkspace(database, count, seats)
  const superuser = database.superuser()
  const nodes = await Promise.all([1, 2, 3].map(() => startApi(database, { LIMIT_SEATS: 'off' }, entry)))
  return {
    people: people.map((candidate, index) => ({
      ...candidate,
      node: nodes[index % nodes.length]?.url ?? '',
    })),
    async readSeats() {
      const { rows } = await superuser.query<{ seated: string[]; counted: number }>(
        `select array(select person_id::text from seat where root_id = $1) as seated,
           coalesce((select assigned from seat_head where root_id = $1), 0) as counted`,
        [root],
      )
      const { seated = [], counted = 0 } = rows[0] ?? {}
      return { seated: new Set(seated), counted }
    },
    async countAuditedSeats() {
      const { rows } = await superuser.query<{ left: number }>(
        `select coalesce(sum(case action when 'seat_assigned' then 1 when 'seat_unassigned' then -1 end), 0)::int
           as left from audit_log where root_id = $1`,
        [root],
      )
      return rows[0]?.left ?? 0
    },
    async stop() {
      await superuser.end()
      await Promise.all(nodes.map((node) => node.stop()))
      await database.drop()
    },
  }
}

import { makeDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import { makeSeatCrowd, type Somebody } from '../../server/test/seats/crowd.ts'

export interface Asker extends Somebody {
  readonly node: string
}

/** A workspace whose organizations share its seats, on three API processes. */
export interface World {
  readonly people: readonly Asker[]
  /** Who has a seat, by id, and what the counter says. */
  look(): Promise<{ readonly seated: ReadonlySet<string>; readonly counted: number }>
  /** The audit log's word on seats: given and not taken back. */
  audited(): Promise<number>
  end(): Promise<void>
}

export interface Size {
  readonly people: number
  readonly seats: number
}

/** `entry` may name a copy of the source with a cure taken out. */
export async function makeWorld({ people: count, seats }: Size, entry?: string): Promise<World> {
  const database = await makeDatabase()
  const { root, people } = await makeSeatCrowd(database, count, seats)
  const superuser = database.superuser()
  const nodes = await Promise.all([1, 2, 3].map(() => startApi(database, { LIMIT_SEATS: 'off' }, entry)))
  return {
    people: people.map((somebody, place) => ({ ...somebody, node: nodes[place % nodes.length]?.url ?? '' })),
    async look() {
      const { rows } = await superuser.query<{ seated: string[]; counted: number }>(
        `select array(select person_id::text from seat where root_id = $1) as seated,
           coalesce((select assigned from seat_head where root_id = $1), 0) as counted`,
        [root],
      )
      const { seated = [], counted = 0 } = rows[0] ?? {}
      return { seated: new Set(seated), counted }
    },
    async audited() {
      const { rows } = await superuser.query<{ left: number }>(
        `select coalesce(sum(case action when 'seat_assigned' then 1 when 'seat_unassigned' then -1 end), 0)::int
           as left from audit_log where root_id = $1`,
        [root],
      )
      return rows[0]?.left ?? 0
    },
    async end() {
      await superuser.end()
      await Promise.all(nodes.map((node) => node.stop()))
      await database.drop()
    },
  }
}

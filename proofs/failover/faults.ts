import { cluster, findLeader, type Node, nodes } from './cluster.ts'
import { busPrefix } from './service.ts'

/** What must hold while it lasts, by what has failed. */
export type FaultGroup = 'PostgreSQL killed' | 'node lost, cut or frozen' | 'NATS leader killed' | 'other'

export interface Fault {
  readonly name: string
  readonly group: FaultGroup
  /** What must be so before; its own faults are not measured. */
  prepare?(): Promise<void>
  /** Makes the fault; resolves with where. */
  inject(): Promise<string>
}

const queueStream = `${busPrefix}_QUEUE`

async function need(of: 'primary' | 'nats-leader', ...stream: readonly string[]): Promise<Node> {
  const leader = await findLeader(of, ...stream)
  if (leader === null) throw new Error(`The cluster has no ${of}.`)
  return leader
}

/** Of the primary. */
function ofPrimary(name: string, group: FaultGroup, ...words: readonly (readonly string[])[]): Fault {
  return {
    name,
    group,
    async inject() {
      const primary = await need('primary')
      const others = nodes.filter((node) => node !== primary)
      for (const [verb = '', ...rest] of words) {
        const where = rest.map((word) =>
          word === 'other' ? (others[0] ?? '') : word === 'third' ? (others[1] ?? '') : word,
        )
        await cluster(verb, primary, ...where)
      }
      return primary
    },
  }
}

export const killPostgres = ofPrimary('PostgreSQL killed, Patroni alive', 'PostgreSQL killed', ['kill', 'pg'])
/** Its clients still reach it, so that it would take writes that nobody else has. */
export const cutFromPeers = ofPrimary(
  'primary cut off from its peers',
  'node lost, cut or frozen',
  ['cut', 'other'],
  ['cut', 'third'],
)

const killNats: Fault = {
  name: 'NATS leader of the queue killed',
  group: 'NATS leader killed',
  async inject() {
    const leader = await need('nats-leader', queueStream)
    await cluster('kill', leader, 'nats')
    return `NATS of ${leader}`
  },
}

const twoAtOnce: Fault = {
  name: 'PostgreSQL killed, and NATS of another node',
  group: 'other',
  async inject() {
    const primary = await need('primary')
    const other = nodes.find((node) => node !== primary) ?? 'n1'
    await Promise.all([cluster('kill', primary, 'pg'), cluster('kill', other, 'nats')])
    return `${primary}, ${other}`
  },
}

const bothLeaders: Fault = {
  ...ofPrimary('both leaders on one machine, which is lost', 'node lost, cut or frozen', ['kill', 'node']),
  /** Moves the leader of the queue until it is by chance on the machine of the primary. */
  async prepare() {
    const primary = await need('primary')
    for (let attempt = 0; attempt < 10; attempt++) {
      const leader = await need('nats-leader', queueStream)
      if (leader === primary) return
      await cluster('kill', leader, 'nats')
      await cluster('heal', leader)
      await cluster('wait')
    }
  },
}

export const allFaults: readonly Fault[] = [
  killPostgres,
  ofPrimary('node of the primary lost', 'node lost, cut or frozen', ['kill', 'node']),
  killNats,
  killPostgres,
  ofPrimary('node of the primary frozen', 'node lost, cut or frozen', ['freeze']),
  killNats,
  killPostgres,
  ofPrimary('node of the primary cut off', 'node lost, cut or frozen', ['cut', 'all']),
  killNats,
  killPostgres,
  cutFromPeers,
  killNats,
  killPostgres,
  ofPrimary('node of the primary cannot send', 'node lost, cut or frozen', ['cut', 'all', 'one-way']),
  killNats,
  killPostgres,
  ofPrimary('disk of the primary full', 'other', ['fill']),
  ofPrimary('clock of the primary 2 minutes back', 'other', ['clock', '-120']),
  killNats,
  killPostgres,
  ofPrimary('clock of the primary 2 minutes ahead', 'other', ['clock', '120']),
  twoAtOnce,
  killNats,
  bothLeaders,
]

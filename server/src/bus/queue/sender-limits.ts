import { JetStreamApiCodes } from '@nats-io/jetstream'
import { refuse } from '../../errors.ts'
import type { Log } from '../../observe/log.ts'
import type { Bus } from '../connect.ts'
import { isApiError } from '../declare.ts'
import { type Shares, type StreamUsage, watchShares } from './shares.ts'

/** What a tenant root may take of the bus, as an API node knows it. */
export interface SenderLimits {
  /** Refuses with 429 while a share of the root is full. */
  checkShares(root: string): void
  readonly queue: Shares
}

const POLL_MS = 1000
const MAX_PARALLEL_READS = 20

/** Polls until the signal aborts. Resolves after the first poll. */
export async function watchSenderLimits(
  bus: Bus,
  log: Log,
  signal: AbortSignal,
  maxParkedMessages: number,
): Promise<SenderLimits> {
  let parked: ReadonlySet<string> = new Set()
  const dead = watchShares(bus, 'DEAD', { everyMs: POLL_MS, signal, log })
  const queue = watchShares(bus, 'QUEUE', {
    everyMs: POLL_MS,
    signal,
    log,
    async onRead(usage) {
      parked = usage === null ? new Set() : await findRootsWithFullParking(bus, usage, maxParkedMessages)
    },
  })
  await Promise.all([dead.ready, queue.ready])
  return {
    queue,
    checkShares(root) {
      if (dead.isFull(root)) {
        refuseShare(
          'The dead letters of the tenant root fill their share. Ask the operator to replay or delete them.',
          60,
        )
      }
      if (queue.latest() !== null && parked.has(root)) {
        refuseShare(
          'Too many messages of the tenant root wait for a retry, for example because their organization is unknown. Send the inventory of the organization, or correct the events.',
          30,
        )
      }
      if (queue.isFull(root)) {
        refuseShare(
          'The tenant root has filled its share of the event queue. Send the same events again later.',
          5,
        )
      }
    },
  }
}

function refuseShare(message: string, retryAfterSeconds: number): never {
  return refuse('RATE_LIMIT_EXCEEDED', message, { 'retry-after': String(retryAfterSeconds) })
}

/** Only roots with that many messages are looked at. */
async function findRootsWithFullParking(
  bus: Bus,
  { roots }: StreamUsage,
  maxParkedMessages: number,
): Promise<ReadonlySet<string>> {
  const candidates = [...roots]
    .filter(([, { messages }]) => messages >= maxParkedMessages)
    .map(([root]) => root)
  const full = new Set<string>()
  for (let from = 0; from < candidates.length; from += MAX_PARALLEL_READS) {
    await Promise.all(
      candidates.slice(from, from + MAX_PARALLEL_READS).map(async (root) => {
        if ((await countUnacknowledged(bus, root)) >= maxParkedMessages) full.add(root)
      }),
    )
  }
  return full
}

async function countUnacknowledged(bus: Bus, root: string): Promise<number> {
  try {
    const info = bus.manager.consumers.info(bus.streamName('QUEUE'), root)
    return (await bus.rejectOnDisconnect(info)).num_ack_pending
  } catch (error) {
    if (isApiError(error, JetStreamApiCodes.ConsumerNotFound)) return 0
    throw error
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ApiConfig } from '../../config.ts'
import type { RootId } from '../../ids.ts'
import type { Metrics } from '../../observe/metrics.ts'
import { STREAM_PAGE_BYTES } from '../../response-size.ts'
import type { BodyMeter } from '../body.ts'
import { getReplySize, getReplyText, JSON_TYPE, type Reply } from '../reply.ts'
import { BodyDiscarder } from './discard.ts'
import { ByteBudget, FairSlots, LoadLimit, overloaded, quarterOf, type Release } from './slots.ts'

/** The slots that the requests of some routes share. */
export interface SlotPools {
  readonly load: LoadLimit
  /** By network address: before authentication nothing else is known that a caller cannot multiply at will. */
  readonly authenticating: FairSlots
  /** By tenant root, like all below. */
  readonly receiving: FairSlots
  readonly working: FairSlots
  readonly bodyBytes: ByteBudget
  readonly refusedBodies: BodyDiscarder
  readonly minBytesPerSecond: number
}

/** What a pipeline reports of its request, so that the request holds a slot for what it does at the time. */
export interface RequestStages {
  /** Called after authentication. Refuses if the tenant root holds its share of the slots, or its share of memory. */
  startWork(root: RootId): Promise<void>
  /** Receives a body. While it arrives, the request holds a slot for receiving instead of one for work. */
  receive<Body>(read: (meter: BodyMeter) => Promise<Body>): Promise<Body>
}

/** Stages of a request inside another one, which holds the slot. */
export const partOfRequest: RequestStages = {
  startWork: () => Promise.resolve(),
  receive: (read) => read({ minBytesPerSecond: 0, arrived: () => {} }),
}

// Authentication is a read of milliseconds that all requests share. Many more slots than for work, because all callers
// may come from the address of one proxy.
const AUTHENTICATING_FACTOR = 16
/** How long a request whose body has arrived waits for a slot. */
const WORK_WAIT_MS = 5_000
/**
 * Shared by all hooks on a node. A tenant root gets a quarter, more than the largest hook. Apart from the API's memory, because
 * a hook is received before its signature can be checked.
 */
const HOOK_BYTES = 128 * 1024 * 1024
/** How long a request waits until earlier responses of its tenant root have left. */
const MEMORY_WAIT_MS = 2_000

type SharedPools = Pick<SlotPools, 'authenticating' | 'bodyBytes' | 'refusedBodies' | 'minBytesPerSecond'>

/**
 * The pools of API requests and, apart from them, of ingest requests, which must not wait for the database, and of hooks, whose
 * senders are unknown until the body has arrived.
 */
export function createSlotPools(
  { maxInFlight, bodyBytesPerRoot, minBytesPerSecond }: ApiConfig,
  { slots: gauge }: Pick<Metrics, 'slots'>,
): Readonly<Record<'api' | 'ingest' | 'hooks', SlotPools>> {
  const createSlots = (kind: string, slots: number) =>
    new FairSlots({ slots, perOwner: quarterOf(slots), count: (change) => gauge.inc({ kind }, change) })
  const shared: SharedPools = {
    authenticating: createSlots('authenticating', AUTHENTICATING_FACTOR * maxInFlight),
    bodyBytes: new ByteBudget(bodyBytesPerRoot),
    refusedBodies: new BodyDiscarder(minBytesPerSecond),
    minBytesPerSecond,
  }
  const createPools = (prefix: string) => ({
    ...shared,
    load: new LoadLimit(maxInFlight),
    receiving: createSlots(`${prefix}receiving`, maxInFlight),
    working: createSlots(`${prefix}working`, maxInFlight),
  })
  const hooks: SlotPools = {
    ...createPools('hooks-'),
    bodyBytes: new ByteBudget(quarterOf(HOOK_BYTES), HOOK_BYTES),
    refusedBodies: new BodyDiscarder(minBytesPerSecond),
  }
  return { api: createPools(''), ingest: createPools('ingest-'), hooks }
}

/** Holds one slot of a request at any time, from its headers until the last byte of its response was sent. */
export class RequestSlots implements RequestStages {
  readonly #pools: SlotPools
  readonly #network: string
  readonly #arrivedAt = performance.now()
  #release: Release
  #root: RootId | null = null
  #bytes = 0
  #hasEnded = false

  constructor(pools: SlotPools, address: string) {
    this.#pools = pools
    this.#network = getNetwork(address)
    pools.load.refuseIfFull()
    this.#release = pools.authenticating.take(this.#network)
    pools.load.count(1)
  }

  async startWork(root: RootId): Promise<void> {
    const { load, working, bodyBytes } = this.#pools
    this.#root = root
    // Senders' requests have waited for nothing yet but their turn.
    await nextTurn()
    load.begin(performance.now() - this.#arrivedAt)
    this.#replace(working.take(root))
    if (!(await bodyBytes.waitForRoom(root, MEMORY_WAIT_MS))) throw overloaded()
  }

  async receive<Body>(read: (meter: BodyMeter) => Promise<Body>): Promise<Body> {
    const root = this.#getRoot()
    const { receiving, working, minBytesPerSecond } = this.#pools
    this.#release()
    this.#replace(receiving.take(root))
    const body = await read({ minBytesPerSecond, arrived: (bytes) => this.#countBody(root, bytes) })
    this.#replace(await working.takeWhenFree(root, WORK_WAIT_MS))
    return body
  }

  /** Counts the bytes of the response as memory of the root until it is sent. Replies that may be repeated are refused instead. */
  countReply(reply: Reply, repeatable: boolean): Reply {
    if (this.#root === null || reply.body === null) return reply
    const rendered = 'json' in reply.body ? renderOnce(reply) : reply
    const bytes = getReplySize(rendered) ?? STREAM_PAGE_BYTES
    if (repeatable && !this.#pools.bodyBytes.take(this.#root, bytes)) {
      if ('release' in reply.body) reply.body.release?.()
      throw overloaded()
    }
    if (!repeatable) this.#pools.bodyBytes.add(this.#root, bytes)
    this.#bytes += bytes
    return rendered
  }

  /** The tenant root, or the network address as long as that is unknown. */
  get owner(): string {
    return this.#root ?? this.#network
  }

  /** Called when the work is done and the response is sent or its connection is gone. */
  end(): void {
    if (!this.#hasEnded) this.#pools.load.count(-1)
    this.#hasEnded = true
    this.#release()
    if (this.#root !== null && this.#bytes > 0) this.#pools.bodyBytes.release(this.#root, this.#bytes)
    this.#bytes = 0
  }

  #countBody(root: RootId, bytes: number): void {
    if (!this.#pools.bodyBytes.take(root, bytes)) throw overloaded()
    this.#bytes += bytes
  }

  #replace(release: Release): void {
    this.#release()
    this.#release = release
  }

  #getRoot(): RootId {
    if (this.#root === null) throw new Error('A request must be authenticated before its body is received.')
    return this.#root
  }
}

function renderOnce(reply: Reply): Reply {
  return { ...reply, body: { text: getReplyText(reply) ?? '', type: JSON_TYPE } }
}

/** An IPv6 customer has a whole /64 of addresses, so those count as one. */
export function getNetwork(address: string): string {
  // Some proxies add the port, and an IPv4 address may be written as one of IPv6.
  const version4 = /\d+(?:\.\d+){3}/.exec(address)
  if (version4 !== null) return version4[0]
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => '0')
  const groups = [...start, ...(address.includes('::') ? zeros : []), ...end]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

import { AckPolicy, type ConsumerConfig, DeliverPolicy, ReplayPolicy } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Bus } from '../connect.ts'
import { type Consumer, getConsumerSettings } from '../consumer.ts'
import type { RunningTask, WorkerContext } from '../context.ts'
import { isApiError } from '../declare.ts'
import { createMessageProcessor, RETRY_DELAY_MS } from '../process-message.ts'
import { type BusMessage, ConsumerGoneError, pullMessage } from '../pull-message.ts'
import { type Shares, type StreamUsage, watchShares } from './shares.ts'
import { toRootFilter } from './subjects.ts'

const POLL_MS = 200
// A root whose messages all wait for a retry is pulled at this rate; a new message resets it.
const MIN_EMPTY_DELAY_MS = 50
const MAX_EMPTY_DELAY_MS = 1000
// While the database is unavailable, a root parks only as many messages as fit into the longest delay at this rate.
const POSTPONED_DELAY_MS = 500
// Longer than a restart of every worker: without its consumer, the bus forgets how often a message was delivered.
const INACTIVE_MS = 10 * 60 * 1000
// So that the other roots do not wait for one that has many messages or slow ones.
const MAX_SLOTS_PER_ROOT = 1 / 4

const CONSUMER_ALREADY_EXISTS = 10148

/** A tenant root with messages in the queue. */
interface RootQueue {
  readonly root: string
  messages: number
  slots: number
  nextPullAt: number
  emptyPulls: number
  /** Whether this worker has declared the consumer of the root. */
  declared: boolean
}

/**
 * Runs the consumer of the queue until it is stopped. Each tenant root with messages has a consumer of its own on the bus,
 * and the roots take turns, so that neither a backlog nor messages that wait for a retry delay another root. A message is
 * pulled only when there is a slot to handle it.
 */
export function startQueueConsumer(
  context: WorkerContext,
  consumer: Consumer,
  deadLetterShares: Shares | null = null,
): RunningTask {
  const { bus, log, metrics } = context
  const { concurrency, retryLaterDelaysMs } = getConsumerSettings(consumer)
  const postponedDelayMs = Math.min(POSTPONED_DELAY_MS, retryLaterDelaysMs[0])
  const maxSlotsPerRoot = Math.max(1, Math.floor(concurrency * MAX_SLOTS_PER_ROOT))
  const processMessage = createMessageProcessor(context, consumer, deadLetterShares)
  const stopping = new AbortController()
  // In the order of their turns.
  const queues = new Map<string, RootQueue>()
  const inFlight = new Set<Promise<void>>()
  /** Pulls of roots whose last pull was empty. They wait, so they must not take the slots of the others. */
  let probes = 0
  let wakeUp: NodeJS.Timeout | undefined

  /** Returns the first root that may have a message to handle now, and moves it to the end. */
  function takeTurn(now: number): RootQueue | null {
    for (const queue of queues.values()) {
      const maxSlots = Math.min(maxSlotsPerRoot, queue.messages)
      if (queue.slots >= maxSlots || queue.nextPullAt > now) continue
      if (queue.emptyPulls > 0 && probes >= maxSlotsPerRoot) continue
      queues.delete(queue.root)
      queues.set(queue.root, queue)
      return queue
    }
    return null
  }

  function fillSlots(): void {
    clearTimeout(wakeUp)
    if (stopping.signal.aborted) return
    const now = performance.now()
    while (inFlight.size < concurrency) {
      const queue = takeTurn(now)
      if (queue === null) break
      const serving = serve(queue)
      inFlight.add(serving)
      void serving.finally(() => {
        inFlight.delete(serving)
        fillSlots()
      })
    }
    wakeUp = setTimeout(fillSlots, MIN_EMPTY_DELAY_MS)
  }

  async function serve(queue: RootQueue): Promise<void> {
    queue.slots += 1
    const isProbe = queue.emptyPulls > 0
    if (isProbe) probes += 1
    try {
      const message = await pull(queue).finally(() => {
        if (isProbe) probes -= 1
      })
      if (message === null) {
        const delay = Math.min(MIN_EMPTY_DELAY_MS * 2 ** queue.emptyPulls, MAX_EMPTY_DELAY_MS)
        queue.nextPullAt = performance.now() + delay
        queue.emptyPulls += 1
        return
      }
      queue.emptyPulls = 0
      const outcome = await processMessage(message)
      queue.nextPullAt = outcome === 'postponed' ? performance.now() + postponedDelayMs : 0
    } catch (err) {
      log.warn({ err, consumer: consumer.name }, 'could not pull a message')
      queue.nextPullAt = performance.now() + RETRY_DELAY_MS
    } finally {
      queue.slots -= 1
    }
  }

  async function pull(queue: RootQueue): Promise<BusMessage | null> {
    if (!queue.declared) await declareRootConsumer(bus, consumer, queue.root)
    queue.declared = true
    try {
      return await pullMessage(bus, bus.streamName('QUEUE'), queue.root)
    } catch (error) {
      if (!(error instanceof ConsumerGoneError)) throw error
      queue.declared = false
      return null
    }
  }

  function updateQueues(usage: StreamUsage | null): void {
    for (const [root, { messages }] of usage?.roots ?? []) {
      const queue = queues.get(root)
      if (queue === undefined) {
        queues.set(root, { root, messages, slots: 0, nextPullAt: 0, emptyPulls: 0, declared: false })
        continue
      }
      if (messages > queue.messages && queue.emptyPulls > 0) {
        queue.nextPullAt = 0
        queue.emptyPulls = 0
      }
      queue.messages = messages
    }
    for (const queue of queues.values()) {
      if (usage?.roots.has(queue.root)) continue
      queue.messages = 0
      if (queue.slots === 0) queues.delete(queue.root)
    }
    metrics.streamMessages.set({ stream: 'QUEUE' }, usage?.messages ?? 0)
    fillSlots()
  }

  watchShares(bus, 'QUEUE', { everyMs: POLL_MS, signal: stopping.signal, log, onRead: updateQueues })
  return {
    async stop() {
      stopping.abort()
      clearTimeout(wakeUp)
      await Promise.all(inFlight)
      processMessage.stop()
    },
  }
}

/** Creates the root's consumer, or updates it after a change of the settings. Idempotent. */
async function declareRootConsumer(bus: Bus, consumer: Consumer, root: string): Promise<void> {
  const stream = bus.streamName('QUEUE')
  const { maxAckPending, ackWaitMs } = getConsumerSettings(consumer)
  const changes = {
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: maxAckPending,
    inactive_threshold: nanos(INACTIVE_MS),
  }
  const config: ConsumerConfig = {
    ...changes,
    durable_name: root,
    filter_subject: toRootFilter(bus, root),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    replay_policy: ReplayPolicy.Instant,
    // bus/process-message.ts counts attempts, because the bus would drop a message without a dead letter.
    max_deliver: -1,
    // Creating one must not wait for the disk. What a restart of the bus forgets is only how often a message was tried.
    mem_storage: true,
  }
  try {
    await bus.rejectOnDisconnect(bus.manager.consumers.add(stream, config))
  } catch (error) {
    if (!isApiError(error, CONSUMER_ALREADY_EXISTS)) throw error
    await bus.rejectOnDisconnect(bus.manager.consumers.update(stream, root, changes))
  }
}

import type { AuditMaintenance } from '../access/audit/timers.ts'
import type { KeyRing } from '../config.ts'
import type { Pool } from '../db/connect.ts'
import type { MetricsStores } from '../db/stores.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Traces } from '../observe/traces.ts'
import type { EmbedderSet } from '../text/embed/embedder.ts'
import { repeatUntilAborted } from '../time.ts'
import type { Bus } from './connect.ts'
import type { OrganizationCache } from './queue/organizations.ts'

/** What consumers and timers get. */
export interface WorkerContext {
  /** Connects as the worker's role, which reads no tenant's rows until `inTransaction` sets the root. */
  readonly database: Pool
  /** The metrics stores, connected as the same role. */
  readonly stores: MetricsStores
  /** The configured model first, then the local one if it is installed. */
  readonly embedders: EmbedderSet
  readonly bus: Bus
  readonly log: Log
  readonly metrics: Metrics
  readonly traces: Traces
  readonly audit: AuditMaintenance
  /** Encrypts the secrets of connectors. */
  readonly connectorKeys: KeyRing
  readonly organizationCache: OrganizationCache
  /** Pending Learnings that a tenant root may have. */
  readonly maxPendingLearnings: number
  /** Whether handled messages of the queue are copied to the archive. */
  readonly archives: boolean
  /** Whole months of metrics to store before the current one; null = all. */
  readonly metricsRetentionMonths: number | null
  readonly now: () => Date
}

/** `stop` resolves when the work in progress has finished. */
export interface RunningTask {
  stop(): Promise<void>
}

/** Repeats `work` until it is stopped. It returns for how many milliseconds to pause. */
export function startRepeating(work: () => Promise<number>): RunningTask {
  const stopping = new AbortController()
  const stopped = repeatUntilAborted(stopping.signal, work)
  return {
    stop() {
      stopping.abort()
      return stopped
    },
  }
}

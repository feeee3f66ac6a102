import type { AuditMaintenance } from '../access/maintenance/audit-timers.ts'
import type { Pool } from '../db/connect.ts'
import type { MetricsStores } from '../db/stores.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Traces } from '../observe/traces.ts'
import type { Embedder } from '../text/embed/embedder.ts'
import type { Bus } from './connect.ts'
import type { OrganizationCache } from './ingest/organizations.ts'

/** What consumers and timers are given. */
export interface WorkerContext {
  /** As the worker's role: nothing of a tenant is seen before `inTransaction` has set its root. */
  readonly database: Pool
  /** The metrics stores, as the same role. */
  readonly stores: MetricsStores
  /** The configured model first; the local one is always there. */
  readonly embedders: readonly Embedder[]
  readonly bus: Bus
  readonly log: Log
  readonly metrics: Metrics
  readonly traces: Traces
  readonly audit: AuditMaintenance
  readonly organizationCache: OrganizationCache
  readonly now: () => Date
}

/** Work that goes on until it is told to stop; `stop` resolves when what was under way has ended. */
export interface RunningTask {
  stop(): Promise<void>
}

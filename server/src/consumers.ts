import { auditRefusalCounts } from './access/audit/refusal-counts.ts'
import { retainAuditLog, signAuditHeads } from './access/audit/timers.ts'
import { runBackfills } from './access/backfill.ts'
import { createAuditMonths, sweepIdempotency, sweepLimitWindows, sweepSessions } from './access/sweep.ts'
import { backfills } from './backfills.ts'
import type { Consumer } from './bus/consumer.ts'
import type { RunningTask, WorkerContext } from './bus/context.ts'
import { emit } from './bus/emit.ts'
import type { EventFamily, EventKind } from './bus/ingest-event.ts'
import { sweepEventIds } from './bus/queue/event-ids.ts'
import { sweepEventStatuses } from './bus/queue/event-status.ts'
import { replicated } from './bus/queue/replicated.ts'
import type { Sample } from './bus/sample-metrics.ts'
import type { Timer } from './bus/timers.ts'
import { readStandbysUnscoped } from './db/replication.ts'
import { maintainModels } from './learning-index/maintenance/maintain-models.ts'
import { repairIndex } from './learning-index/maintenance/repair.ts'
import { createVectorIndexes } from './learning-index/maintenance/vector-index.ts'
import { moveMetrics } from './metrics-store/move.ts'
import { rotateConnectorSecrets } from './resources/connectors/rotate-secrets.ts'
import { countConnectorsUnscoped } from './resources/connectors/sync/connector-sql.ts'
import { type ConnectorOptions, startConnectors } from './resources/connectors/sync/start.ts'
import { createEventChecker } from './resources/events/accept.ts'
import { auditReceivedEvents } from './resources/events/audit-received.ts'
import { queueConsumer } from './resources/events/consume.ts'
import { refreshRevokedCredentials } from './resources/events/refresh-revoked-credentials.ts'
import { inventory } from './resources/inventory/event.ts'
import { countExpiringKeysUnscoped } from './resources/keys/maintenance/sql.ts'
import { warnExpiringKeys } from './resources/keys/maintenance/warn.ts'
import { autoApproveDueLearnings } from './resources/learnings/events/auto-approve.ts'
import { learningEvents } from './resources/learnings/events/event.ts'
import { reRedactLearnings } from './resources/learnings/events/re-redact.ts'
import { sweepLearningEvents } from './resources/learnings/events/sweep.ts'
import { expireMetrics } from './resources/metrics/retention/expire.ts'
import { mcpUsageEvents, reviewEvents } from './resources/metrics/write/event.ts'
import { personOutcomes } from './resources/metrics/write/store-person-outcomes.ts'
import { listRestorePointsUnscoped, readLastDrillUnscoped } from './resources/restore-points/sql.ts'
import { createLearningFinder } from './resources/review-context/find-applying.ts'
import { seatRequests } from './resources/seats/event.ts'
import { securityScans } from './resources/security-scans/event.ts'
import { sweepUploads } from './resources/security-scans/sweep.ts'
import { deleteFinishedRoleJobs, runRoleJobs } from './resources/user-roles/run-jobs.ts'
import { DAY_MS } from './time.ts'

// Everything the worker runs: event families, consumers and timers.

/** A resource that accepts ingest events adds the family of its `event.ts`. Families are handled in this order. */
const families: readonly EventFamily[] = [
  replicated(inventory),
  reviewEvents,
  mcpUsageEvents,
  replicated(learningEvents),
  replicated(seatRequests),
  replicated(securityScans),
]

export const eventKinds: readonly EventKind[] = families.flatMap(({ kinds }) => kinds)

/** A resource that consumes published events adds its consumer here. */
export const consumers: readonly Consumer[] = [personOutcomes]

/** Runs with a consumer for each tenant root (bus/queue/consume-queue.ts). */
export const eventConsumer = (maxParkedMessages: number): Consumer =>
  queueConsumer(families, { maxAckPending: maxParkedMessages })

/** Reads GitHub and GitLab, and sends what it finds on the path of ingest events. Null = no connectors are configured. */
export const startConnectorSync = (
  context: WorkerContext,
  options: ConnectorOptions,
): Promise<RunningTask | null> =>
  startConnectors(context, options, {
    check: createEventChecker(eventKinds),
    findLearnings: createLearningFinder(context),
  })

const EXPIRY_WARNING_MS = 7 * DAY_MS

/** What the metrics of each worker show of the database. */
export const samples: readonly Sample[] = [
  {
    gauge: ({ connectors }) => connectors,
    read: async ({ database }) =>
      (await countConnectorsUnscoped(database)).map(({ status, value }) => ({ labels: { status }, value })),
  },
  {
    gauge: ({ expiringKeys }) => expiringKeys,
    async read({ database, now }) {
      const until = new Date(now().getTime() + EXPIRY_WARNING_MS)
      const counts = await countExpiringKeysUnscoped(database, now(), until)
      return counts.map(({ kind, value }) => ({ labels: { kind }, value }))
    },
  },
  {
    gauge: ({ lastDrill }) => lastDrill,
    read: async ({ database }) => [{ value: (await readLastDrillUnscoped(database)) ?? 0 }],
  },
  {
    gauge: ({ unconfirmedRestores }) => unconfirmedRestores,
    async read({ database }) {
      const points = await listRestorePointsUnscoped(database)
      return [{ value: points.filter(({ confirmed_at }) => confirmed_at === null).length }]
    },
  },
  {
    gauge: ({ standbys }) => standbys,
    read: async ({ database }) => [{ value: (await readStandbysUnscoped(database)).standbys }],
  },
  {
    gauge: ({ replicationLag }) => replicationLag,
    async read({ database }) {
      const { lag_bytes } = await readStandbysUnscoped(database)
      return lag_bytes === null ? [] : [{ value: lag_bytes }]
    },
  },
]

const HOUR_SECONDS = 3600

export const timers: readonly Timer[] = [
  { name: 'publish-revoked-credentials', everySeconds: 2, run: refreshRevokedCredentials },
  {
    name: 'audit-refusal-counts',
    everySeconds: 30,
    run: ({ database, now }) => auditRefusalCounts(database, now()),
  },
  {
    name: 'audit-received-events',
    everySeconds: 300,
    run: ({ database, now }) => auditReceivedEvents(database, now()),
  },
  {
    name: 'sweep-idempotency',
    everySeconds: HOUR_SECONDS,
    run: ({ database }) => sweepIdempotency(database).then(() => {}),
  },
  {
    name: 'sweep-limit-windows',
    everySeconds: HOUR_SECONDS,
    run: ({ database }) => sweepLimitWindows(database),
  },
  {
    name: 'sweep-event-ids',
    everySeconds: HOUR_SECONDS,
    run: ({ database, now }) => sweepEventIds(database, now()).then(() => {}),
  },
  {
    name: 'sweep-event-statuses',
    everySeconds: HOUR_SECONDS,
    run: ({ database, now }) => sweepEventStatuses(database, now()).then(() => {}),
  },
  {
    name: 'sweep-sessions',
    everySeconds: HOUR_SECONDS,
    run: ({ database }) => sweepSessions(database).then(() => {}),
  },
  { name: 'warn-expiring-keys', everySeconds: 60, run: warnExpiringKeys },
  { name: 'run-role-jobs', everySeconds: 0.25, run: runRoleJobs },
  { name: 'sweep-role-jobs', everySeconds: HOUR_SECONDS, run: deleteFinishedRoleJobs },
  { name: 'move-metrics', everySeconds: 1, run: (context) => moveMetrics({ ...context, emitEvent: emit }) },
  { name: 'expire-metrics', everySeconds: 60, run: expireMetrics },
  {
    name: 'sign-audit-heads',
    everySeconds: ({ audit }) => audit.headsSeconds,
    run: signAuditHeads,
  },
  { name: 'apply-audit-retention', everySeconds: 6 * HOUR_SECONDS, run: retainAuditLog },
  { name: 'approve-learnings', everySeconds: 1, run: autoApproveDueLearnings },
  { name: 're-redact-learnings', everySeconds: 60, run: (context) => reRedactLearnings(context) },
  {
    name: 'sweep-learning-events',
    everySeconds: 6 * HOUR_SECONDS,
    run: (context) => sweepLearningEvents(context),
  },
  { name: 'rotate-connector-secrets', everySeconds: 300, run: rotateConnectorSecrets },
  { name: 'sweep-uploads', everySeconds: 6 * HOUR_SECONDS, run: sweepUploads },
  { name: 'repair-index', everySeconds: 2, run: repairIndex },
  { name: 'create-vector-indexes', everySeconds: 10, run: createVectorIndexes },
  { name: 'maintain-models', everySeconds: 10, run: maintainModels },
  {
    name: 'create-audit-months',
    everySeconds: 6 * HOUR_SECONDS,
    run: ({ database }) => createAuditMonths(database),
  },
  { name: 'run-backfills', everySeconds: 30, run: ({ database }) => runBackfills(database, backfills) },
]

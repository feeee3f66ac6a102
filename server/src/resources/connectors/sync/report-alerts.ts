import { rootScope } from '../../../access/scope.ts'
import { inTransaction, readScoped } from '../../../db/transaction.ts'
import { DAY_MS } from '../../../time.ts'
import { type AlertSeries, toAlertSeries, toEmptySeries, toScan } from '../code-scanning.ts'
import type { CodeScanningAlert, ProviderClient } from '../git-providers/provider-client.ts'
import { readAlertState, reserveScanAt, writeAlertState } from './alerts-sql.ts'
import type { SyncContext, SyncedConnector } from './context.ts'
import { TooManyItemsError } from './errors.ts'
import { toOrganizationRef, toRepositoryName } from './events.ts'
import type { LeasedRepository, RepositoryProgress } from './repository-sql.ts'

/** Limit per repository. With more, its task fails and is retried. */
const MAX_ALERTS = 100_000

/** Reads all code scanning alerts of a repository and sends the scans that changed. */
export async function reportAlerts(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
  repository: LeasedRepository,
): Promise<RepositoryProgress> {
  const scope = rootScope(connector.root)
  const { id } = connector
  const state = await readScoped(sync.database, scope, (tx) => readAlertState(scope, tx, id, repository.id))
  const alerts = new Map<number, CodeScanningAlert>()
  for await (const alert of client.listCodeScanningAlerts(repository)) {
    if (alerts.size === MAX_ALERTS) throw new TooManyItemsError()
    alerts.set(alert.number, alert)
  }
  const series = toAlertSeries([...alerts.values()])
  const changed = series.filter(({ key, digest, findings }) =>
    // What was fixed before the first read was never reported.
    key in state.digests ? state.digests[key] !== digest : findings.length > 0,
  )
  const at = sync.now()
  await sendScans(sync, connector, repository, [...changed, ...listMissing(series, state.digests)], at)
  // Without a single alert, code scanning may be off: that says nothing about what it found before.
  const digests =
    series.length === 0
      ? state.digests
      : Object.fromEntries(series.map(({ key, digest }) => [key, digest] as const))
  await inTransaction(sync.database, scope, (tx) =>
    writeAlertState(scope, tx, id, repository.id, {
      marks: state.marks,
      digests,
      dueAt: new Date(at.getTime() + DAY_MS),
      owner: sync.owner,
    }),
  )
  return {}
}

/** Series of a branch that was renamed, or of a tool that reports elsewhere: their alerts are in other series now. */
function listMissing(
  series: readonly AlertSeries[],
  digests: Readonly<Record<string, string>>,
): AlertSeries[] {
  if (series.length === 0) return []
  const present = new Set(series.map(({ key }) => key))
  return Object.keys(digests)
    .filter((key) => !present.has(key))
    .map(toEmptySeries)
}

async function sendScans(
  sync: SyncContext,
  connector: SyncedConnector,
  { id, fullName }: LeasedRepository,
  changed: readonly AlertSeries[],
  at: Date,
): Promise<void> {
  if (changed.length === 0) return
  const scope = rootScope(connector.root)
  const occurredAt = await inTransaction(sync.database, scope, (tx) =>
    reserveScanAt(scope, tx, connector.id, id, { owner: sync.owner, at }),
  )
  if (occurredAt === null) return
  const name = toRepositoryName(connector.account, fullName)
  const scanned = { organization: toOrganizationRef(connector), id, name }
  for (const one of changed) {
    const payload = toScan(scanned, one, occurredAt)
    const { scan_id } = payload
    const event = {
      type: 'security_scan.completed',
      id: scan_id,
      version: 1,
      occurred_at: occurredAt,
      payload,
    }
    await sync.sendEvents(connector, [event])
  }
}

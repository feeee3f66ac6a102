import { auditChange, type ChangeContext } from '../../access/change-context.ts'
import type { ScanRow } from './scan-sql.ts'
import type { KnownFinding, WrittenFinding } from './sql.ts'
import type { FindingState } from './state.ts'

/** How many findings a scan created, and how many known ones it gave another state. */
interface StateCounts {
  created: number
  opened: number
  fixed: number
  dismissed: number
}

export interface StateCounter {
  readonly counts: Readonly<StateCounts>
  /** Passes the findings on and counts them. */
  count(findings: Iterable<WrittenFinding>): Iterable<WrittenFinding>
}

const countNames = {
  open: 'opened',
  fixed: 'fixed',
  dismissed: 'dismissed',
} as const satisfies Record<FindingState, keyof StateCounts>

/** Findings are computed and written one by one, so they are counted on the way. */
export function createStateCounter(known: readonly KnownFinding[]): StateCounter {
  const before = new Map(known.map(({ id, state }) => [id, state]))
  const counts: StateCounts = { created: 0, opened: 0, fixed: 0, dismissed: 0 }
  return {
    counts,
    *count(findings) {
      for (const finding of findings) {
        const was = before.get(finding.id)
        if (was === undefined) counts.created += 1
        else if (was !== finding.state) counts[countNames[finding.state]] += 1
        yield finding
      }
    },
  }
}

/**
 * Writes the audit row of a scan that created findings or changed states, and of a complete scan without findings, which
 * says that everything is fixed. A scan that only saw the same findings again has none. Call it last.
 */
export async function recordScanChange(
  change: ChangeContext,
  { organization, repository, tool, scan_id, complete }: ScanRow,
  findings: number,
  counts: Readonly<StateCounts>,
): Promise<void> {
  const isChange = Object.values(counts).some((count) => count > 0)
  if (!isChange && !(complete && findings === 0)) return
  await auditChange(change, {
    action: 'security_scan_applied',
    resourceId: scan_id,
    organization: organization.organization_id,
    metadata: { repository_id: repository, tool, complete, findings, ...counts },
  })
}

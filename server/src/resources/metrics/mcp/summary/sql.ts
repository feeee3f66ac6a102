import type { MetricsScan } from '../../../../metrics-store/scan-sql.ts'
import { mcpUsageSource } from '../../../../metrics-store/source-sql.ts'

/** Rows of (day, servers). */
export const mcpUsageScan: MetricsScan = {
  source: mcpUsageSource,
  columns: `day - date '0001-01-01' as day, servers::text as servers`,
}

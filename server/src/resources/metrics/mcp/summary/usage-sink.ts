import { toMonday } from '../../../../metrics-store/day.ts'
import { compareNullsLast, GroupSink, getOrCreate } from '../../../../metrics-store/groups.ts'
import type { ServerUsage } from '../usage.ts'
import type { UsageGroupKey } from './schema.ts'

/** A group: its requested keys, else null; `week` is its Monday. */
export interface UsageSum {
  readonly week: string | null
  readonly server: string | null
  readonly tool: string | null
  pullRequests: number
  calls: number
  errors: number
  /** The row that was added last: a pull request counts once, even with several tools of a group. */
  lastRow: number
}

export const createUsageSum = (
  week: string | null,
  server: string | null,
  tool: string | null,
): UsageSum => ({
  week,
  server,
  tool,
  pullRequests: 0,
  calls: 0,
  errors: 0,
  lastRow: 0,
})

/** Sums rows of (day, servers) as they arrive. */
export class UsageSink extends GroupSink<UsageSum> {
  readonly #keys: ReadonlySet<UsageGroupKey>

  constructor(keys: readonly UsageGroupKey[], maxGroups: number) {
    super(maxGroups)
    this.#keys = new Set(keys)
  }

  protected addRow(): void {
    const week = this.#keys.has('week') ? toMonday(this.columns.text()) : null
    this.columns.next()
    for (const { name: server, tools } of JSON.parse(this.columns.text()) as ServerUsage[])
      for (const { name: tool, calls, errors } of tools) {
        const sum = this.#findSum(week, server, tool)
        if (sum.lastRow !== this.rowCount) sum.pullRequests += 1
        sum.lastRow = this.rowCount
        sum.calls += calls
        sum.errors += errors
      }
  }

  #findSum(week: string | null, serverName: string, toolName: string): UsageSum {
    const server = this.#keys.has('server') ? serverName : null
    const tool = this.#keys.has('tool') ? toolName : null
    // Names are single lines.
    return getOrCreate(this.groups, `${week}\n${server}\n${tool}`, () => createUsageSum(week, server, tool))
  }

  /** Sorted by week, server and tool. */
  sums(): UsageSum[] {
    return [...this.groups.values()].sort(
      (a, b) =>
        compareNullsLast(a.week, b.week) ||
        compareNullsLast(a.server, b.server) ||
        compareNullsLast(a.tool, b.tool),
    )
  }
}

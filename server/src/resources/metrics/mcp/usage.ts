import type { PullRequestKey, RowOwner } from '../../../metrics-store/write/pull-request-sql.ts'
import { toMergedFields } from '../review-comments/entry.ts'
import type { UsagePullRequest, UsageRow } from './sql.ts'

export interface ToolUsage {
  readonly name: string
  readonly calls: number
  readonly errors: number
}

/** The tools that were called on one MCP server. */
export interface ServerUsage {
  readonly name: string
  readonly tools: readonly ToolUsage[]
}

/** Tools by server name and tool name. */
type UsageByServer = Map<string, Map<string, Calls>>
type Calls = { calls: number; errors: number }

// An entry must fit into a page. At this limit, tools that the pull request has not used before are not counted.
export const MAX_TOOLS = 1000

/** Adds reported usage to the stored JSON, or to nothing. The result does not depend on the order of events. */
export function addUsage(stored: string | null, reported: readonly (readonly ServerUsage[])[]): string {
  const usage: UsageByServer = new Map()
  if (stored !== null) addServers(usage, JSON.parse(stored) as ServerUsage[])
  for (const servers of reported) addServers(usage, servers)
  return renderServers(usage)
}

function addServers(usage: UsageByServer, servers: readonly ServerUsage[]): void {
  let count = [...usage.values()].reduce((sum, tools) => sum + tools.size, 0)
  for (const server of servers) {
    for (const { name, calls, errors } of server.tools) {
      const tools = usage.get(server.name) ?? new Map<string, Calls>()
      const known = tools.get(name)
      if (known !== undefined) {
        known.calls += calls
        known.errors += errors
      } else if (count < MAX_TOOLS) {
        count += 1
        usage.set(server.name, tools.set(name, { calls, errors }))
      }
    }
  }
}

/** The `servers` field of an entry. */
function renderServers(usage: UsageByServer): string {
  const servers = sortByName(usage).map(([name, used]) => {
    const tools = sortByName(used).map(([tool, { calls, errors }]) => ({ name: tool, calls, errors }))
    return { name, calls: tools.reduce((sum, { calls }) => sum + calls, 0), tools }
  })
  return JSON.stringify(servers)
}

function sortByName<Value>(valuesByName: ReadonlyMap<string, Value>): [string, Value][] {
  return [...valuesByName].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** `servers` is the JSON that addUsage returns. */
export function toUsageRow(pullRequest: UsagePullRequest, servers: string, position: number): UsageRow {
  const hidden = toHiddenUsageRow(pullRequest, pullRequest, servers)
  if (pullRequest.status === 'closed') return hidden
  const { author_id, day } = pullRequest
  return { ...hidden, author_id, day, position, entry: renderEntry(pullRequest, servers) }
}

/** Usage that is stored but not returned: its pull request is unknown or was not merged. */
export function toHiddenUsageRow(
  { pull_request_key, repository_id }: PullRequestKey & { readonly repository_id: string },
  { organization_id, instance_id }: RowOwner,
  servers: string,
): UsageRow {
  return {
    pull_request_key,
    repository_id,
    organization_id,
    instance_id,
    author_id: null,
    day: null,
    position: null,
    servers,
    entry: null,
  }
}

/** The entry of GET /v1/metrics/mcp. */
function renderEntry(pullRequest: UsagePullRequest, servers: string): string {
  const fields = JSON.stringify(toMergedFields(pullRequest))
  return `${fields.slice(0, -1)},"servers":${servers},"completeness":"best_effort"}`
}

export interface ToolUsage {
  readonly name: string
  readonly calls: number
  readonly errors: number
}

/** What was used of an MCP server. */
export interface ServerUsage {
  readonly name: string
  readonly tools: readonly ToolUsage[]
}

/** The tools of servers, by their names. */
type UsageByServer = Map<string, Map<string, { calls: number; errors: number }>>

// An entry cannot be larger than a page. Beyond this, tools that were not told before are not counted.
export const MAX_TOOLS = 1000

/** Adds up what was stored, or null, and what is told; the same in whichever order it comes. */
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
      const tools = usage.get(server.name)
      const known = tools?.get(name)
      if (known !== undefined) {
        known.calls += calls
        known.errors += errors
      } else if (count < MAX_TOOLS) {
        count += 1
        if (tools === undefined) usage.set(server.name, new Map([[name, { calls, errors }]]))
        else tools.set(name, { calls, errors })
      }
    }
  }
}

/** As it stands in an entry. */
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

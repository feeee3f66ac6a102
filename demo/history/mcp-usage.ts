import type { Data } from '../data.ts'
import type { PullRequest } from './pull-requests.ts'
import { type Random, randomOf } from './random.ts'

interface ServerUsage {
  readonly name: string
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly errors: number }[]
}

/** The MCP calls of a review, if it made any. The share of reviews that do grows over the period: `fraction` is 0 to 1. */
export function mcpUsageOf(data: Data, { repository, number }: PullRequest, fraction: number): ServerUsage[] {
  const random = randomOf(`mcp usage/${repository.repository_id}/${number}`)
  if (!random.chance(0.1 + 0.5 * fraction)) return []
  const names = data.repositoryKinds.get(repository.kind)?.mcp_servers ?? []
  return names.flatMap((name) => callsOf(random, data, name))
}

function callsOf(random: Random, { mcpServers }: Data, name: string): ServerUsage[] {
  const server = mcpServers.get(name)
  if (server === undefined || !random.chance(server.share)) return []
  const tools = Object.entries(server.tools).flatMap(([tool, mean]) => {
    const calls = random.count(mean)
    const failed = Array.from({ length: calls }, () => random.chance(server.failure_rate))
    return calls === 0 ? [] : [{ name: tool, calls, errors: failed.filter(Boolean).length }]
  })
  return tools.length === 0 ? [] : [{ name, tools }]
}

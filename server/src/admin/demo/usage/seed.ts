import { rootScope } from '../../../access/scope.ts'
import type { MetricsStores } from '../../../db/stores.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { ServerUsage } from '../../../metrics-store/usage/tally.ts'
import type { McpUsedEvent } from '../../../resources/mcp-usage/payload.ts'
import { storeUsage } from '../../../resources/mcp-usage/store.ts'
import { readMoveStatus } from '../../../resources/placements/status.ts'
import type { Operator } from '../../operator.ts'
import { type DemoRoot, demoRoots, type Nature } from '../cast.ts'
import { type Chance, chanceOf } from '../history/chance.ts'
import { keyIdOf, rootIdOf } from '../ids.ts'
import { demoServers } from './servers.ts'
import { isTold, readSeeded, type SeededPullRequest } from './sql.ts'

const MOST_EVENTS = 400

interface Told {
  readonly pullRequest: SeededPullRequest
  readonly event: McpUsedEvent
}

/** Tells what the seeded pull requests have used of MCP servers; answers of how many, 0 where it was told before. */
export async function seedUsage(operator: Operator, stores: MetricsStores): Promise<number> {
  let written = 0
  for (const root of demoRoots) {
    const scope = rootScope(rootIdOf(root.name))
    const { store, moving_to } = await readMoveStatus(scope, operator.pool, stores)
    if (moving_to !== null) continue
    const told = await inTransaction(stores.pool(store), scope, async (tx) => {
      const all = usageOf(root, await readSeeded(scope, tx, 'demo-'))
      const last = all.at(-1)
      return last && (await isTold(scope, tx, last.pullRequest, last.event.id)) ? [] : all
    })
    await tell(operator, stores, root, told)
    written += told.length
  }
  return written
}

/** Events that were stored before a seeding was cut off change nothing. */
async function tell(
  { pool, now }: Operator,
  stores: MetricsStores,
  root: DemoRoot,
  told: readonly Told[],
): Promise<void> {
  const to = { root: rootIdOf(root.name), credential: keyIdOf('history', 0), organizations: null }
  for (let from = 0; from < told.length; from += MOST_EVENTS) {
    const events = told.slice(from, from + MOST_EVENTS).map(({ event }) => event)
    await storeUsage({ database: pool, stores, now }, { ...to, events })
  }
}

/** Servers came into use little by little. */
function usageOf(root: DemoRoot, pullRequests: readonly SeededPullRequest[]): Told[] {
  const repositories = root.organizations.flatMap((organization) => organization.repositories)
  const natures = new Map(repositories.map(({ repositoryId, nature }) => [repositoryId, nature]))
  return pullRequests.flatMap((pullRequest, place) => {
    const { repository_id, number } = pullRequest
    const chance = chanceOf(`mcp usage/${repository_id}/${number}`)
    const nature = natures.get(repository_id)
    if (nature === undefined || !chance.yes(0.1 + (0.5 * place) / pullRequests.length)) return []
    const servers = serversOf(chance, nature)
    return servers.length === 0 ? [] : [{ pullRequest, event: eventOf(pullRequest, servers) }]
  })
}

function serversOf(chance: Chance, nature: Nature): ServerUsage[] {
  return demoServers[nature].flatMap(({ name, share, tools, failing }) => {
    if (!chance.yes(share)) return []
    const used = Object.entries(tools).flatMap(([tool, mean]) => {
      const calls = chance.count(mean)
      const errors = Array.from({ length: calls }, () => chance.yes(failing)).filter(Boolean).length
      return calls === 0 ? [] : [{ name: tool, calls, errors }]
    })
    return used.length === 0 ? [] : [{ name, tools: used }]
  })
}

function eventOf(pullRequest: SeededPullRequest, servers: readonly ServerUsage[]): McpUsedEvent {
  const { provider, host, provider_organization_id, repository_id, number, event_id } = pullRequest
  return {
    id: `${event_id}-mcp`,
    type: 'mcp.used',
    version: 1,
    // What was used counts when its pull request was merged; nobody looks at the time of the event.
    occurred_at: '2026-01-01T00:00:00.000Z',
    payload: {
      organization: { provider, host, id: provider_organization_id },
      repository: { id: repository_id },
      number,
      servers,
    },
  }
}

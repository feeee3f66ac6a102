import { randomUUID } from 'node:crypto'
import type { DeferredEvent } from '../../src/bus/ingest-event.ts'
import type { KeyId, OrganizationId, RootId } from '../../src/ids.ts'
import type { McpUsage, McpUsedEvent } from '../../src/resources/metrics/write/mcp-payload.ts'
import type { FinalizedEvent } from '../../src/resources/metrics/write/review-payload.ts'
import { storeUsage } from '../../src/resources/metrics/write/store-mcp-usage.ts'

/** The usage event of a pull request. A string `server/tool` stands for one call of the tool. */
export function createUsageEvent(
  { payload }: FinalizedEvent,
  used: McpUsage['servers'] | readonly string[],
  id: string = randomUUID(),
): McpUsedEvent {
  const { organization, repository, number } = payload
  const { provider, host, id: organizationId } = organization
  const servers = used.map((one) => {
    if (typeof one !== 'string') return one
    const [name = '', tool = ''] = one.split('/')
    return { name, tools: [{ name: tool, calls: 1, errors: 0 }] }
  })
  return {
    id,
    type: 'mcp.used',
    version: 1,
    occurred_at: '2026-01-01T00:00:00.000Z',
    payload: {
      organization: { provider, host, id: organizationId },
      repository: { id: repository.id },
      number,
      servers,
    },
  }
}

/** Stores events as the worker does. Without organizations, the credential covers the whole root. */
export function storeUsageEvents(
  writer: Parameters<typeof storeUsage>[0],
  root: RootId,
  events: readonly McpUsedEvent[],
  organizations: readonly OrganizationId[] | null = null,
): Promise<readonly DeferredEvent[]> {
  return storeUsage(writer, { root, credential: randomUUID() as string as KeyId, organizations, events })
}

import { type Static, Type } from 'typebox'
import type { IngestEvent } from '../../../bus/ingest-event.ts'
import {
  normalizeOrganization,
  type OrganizationRef,
  organizationFields,
  ProviderId,
  PullRequestNumber,
  singleLineText,
} from '../../../bus/queue/shapes.ts'
import { redact } from '../../../text/redact.ts'
import type { ServerUsage } from '../mcp/usage.ts'

const MAX_CALLS = 1_000_000
const calledName = singleLineText(128, 'Credentials are redacted before it is stored.')

const ToolShape = Type.Object({
  name: calledName,
  calls: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_CALLS,
      default: 1,
      description: 'Calls since the previous event.',
    }),
  ),
  errors: Type.Optional(
    Type.Integer({ minimum: 0, default: 0, description: 'Number of calls that failed.' }),
  ),
})

export const McpUsedPayload = Type.Object({
  organization: Type.Object(organizationFields),
  repository: Type.Object({ id: ProviderId }),
  number: PullRequestNumber,
  servers: Type.Array(
    Type.Object({ name: calledName, tools: Type.Array(ToolShape, { minItems: 1, maxItems: 200 }) }),
    { minItems: 1, maxItems: 50, description: 'If a tool is listed several times, its calls are summed.' },
  ),
})

export interface McpUsage {
  readonly organization: OrganizationRef
  readonly repository: { readonly id: string }
  readonly number: number
  readonly servers: readonly ServerUsage[]
}

export type McpUsedEvent = IngestEvent<McpUsage> & { readonly type: 'mcp.used' }

export function findMcpUsageFault({ servers }: Static<typeof McpUsedPayload>): string | null {
  for (const [serverIndex, { tools }] of servers.entries()) {
    const toolIndex = tools.findIndex(({ calls = 1, errors = 0 }) => errors > calls)
    if (toolIndex !== -1) return `servers.${serverIndex}.tools.${toolIndex}.errors must not exceed calls.`
  }
  return null
}

export function normalizeMcpUsage({
  organization,
  repository,
  number,
  servers,
}: Static<typeof McpUsedPayload>): McpUsage {
  return {
    organization: normalizeOrganization(organization),
    repository: { id: repository.id },
    number,
    servers: servers.map(({ name, tools }) => ({
      name: redact(name).text,
      tools: tools.map(({ name: tool, calls = 1, errors = 0 }) => ({
        name: redact(tool).text,
        calls,
        errors,
      })),
    })),
  }
}

import { type Static, Type } from 'typebox'
import { closed } from '../../../../shape.ts'
import { completenessField, McpUsageQuery } from '../schema.ts'

/** The keys of `group_by`, in the order of the response. */
export const usageGroupKeys = ['week', 'server', 'tool'] as const
export type UsageGroupKey = (typeof usageGroupKeys)[number]

const { limit: _limit, cursor: _cursor, ...filters } = McpUsageQuery.properties

export const UsageSummaryQuery = Type.Object(
  {
    ...filters,
    group_by: Type.Optional(
      Type.Array(Type.Unsafe<UsageGroupKey>({ type: 'string', enum: [...usageGroupKeys] }), {
        maxItems: usageGroupKeys.length,
        uniqueItems: true,
        description: `Keys to group calls by, comma-separated: any of ${usageGroupKeys.join(', ')}. Without it the response has one total.`,
      }),
    ),
  },
  closed,
)

export type UsageSummaryQuery = Static<typeof UsageSummaryQuery>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Group = Type.Object(
  {
    week: Type.Optional(
      Type.String({
        format: 'date',
        description: 'Monday of the week. Only days within the window are counted.',
      }),
    ),
    server: Type.Optional(Type.String({ description: 'Name of the MCP server.' })),
    tool: Type.Optional(
      Type.String({
        description: 'Name of the tool. Without `server`, tools of the same name are one group.',
      }),
    ),
  },
  {
    ...closed,
    description: 'The keys of `group_by`, in this order. Groups without calls are not returned.',
  },
)

const UsageSummaryRow = Type.Object(
  {
    group: Group,
    pull_requests: Count(
      'Pull requests with calls of the group. One that is in several groups counts in each.',
    ),
    calls: Count('Calls of tools.'),
    errors: Count('Number of calls that failed.'),
  },
  closed,
)

export type UsageSummaryRow = Static<typeof UsageSummaryRow>

export const UsageSummary = Type.Object(
  { data: Type.Array(UsageSummaryRow), completeness: completenessField },
  closed,
)

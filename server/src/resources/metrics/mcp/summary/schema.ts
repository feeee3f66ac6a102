import { type Static, Type } from 'typebox'
import { closedObject } from '../../../../shape.ts'
import { groupByField, windowFields } from '../../request.ts'
import { count, groupField, weekField } from '../../schema.ts'
import { completenessField, errorsField } from '../schema.ts'

/** The keys of `group_by`, in the order of the response. */
const usageGroupKeys = ['week', 'server', 'tool'] as const
export type UsageGroupKey = (typeof usageGroupKeys)[number]

export const UsageSummaryQuery = closedObject({ ...windowFields(), ...groupByField(usageGroupKeys, 'calls') })
export type UsageSummaryQuery = Static<typeof UsageSummaryQuery>

const groupKeys = {
  ...weekField,
  server: Type.Optional(Type.String({ description: 'Name of the MCP server.' })),
  tool: Type.Optional(
    Type.String({ description: 'Name of the tool. Without `server`, tools of the same name are one group.' }),
  ),
}

const UsageSummaryRow = closedObject({
  ...groupField(groupKeys, 'calls'),
  pull_requests: count(
    'Pull requests with calls of the group. One that is in several groups counts in each.',
  ),
  calls: count('Calls of tools.'),
  ...errorsField,
})
export type UsageSummaryRow = Static<typeof UsageSummaryRow>

export const UsageSummary = closedObject({ data: Type.Array(UsageSummaryRow), ...completenessField })

import { type Static, Type } from 'typebox'
import { closedObject } from '../../../shape.ts'
import { pageFields, windowFields } from '../request.ts'
import { mergedPullRequestFields, pageOf } from '../schema.ts'

export const McpUsageQuery = closedObject({ ...windowFields(), ...pageFields('Pull requests per page.') })
export type McpUsageQuery = Static<typeof McpUsageQuery>

export const errorsField = {
  errors: Type.Integer({ minimum: 0, description: 'Number of calls that failed.' }),
}

const Tool = closedObject({
  name: Type.String({ examples: ['search_issues'] }),
  calls: Type.Integer({ minimum: 1 }),
  ...errorsField,
})

const Server = closedObject({
  name: Type.String({ examples: ['linear'] }),
  calls: Type.Integer({ minimum: 1, description: 'Calls of all its tools.' }),
  tools: Type.Array(Tool, { description: 'Sorted by name.' }),
})

export const completenessField = {
  completeness: Type.Literal('best_effort', {
    description: 'Every received event is counted once. Usage that was not reported is missing.',
  }),
}

export const McpUsagePage = pageOf(
  closedObject({
    ...mergedPullRequestFields,
    servers: Type.Array(Server, { description: 'Sorted by name.' }),
    ...completenessField,
  }),
)

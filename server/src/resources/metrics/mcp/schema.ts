import { type Static, Type } from 'typebox'
import { closed } from '../../../shape.ts'
import { cursorField, limitField, NextCursor, orgIdField, windowFields } from '../request.ts'

export const McpUsageQuery = Type.Object(
  {
    ...orgIdField,
    ...windowFields('merge day'),
    ...limitField(1000, 'Pull requests per page.'),
    ...cursorField,
  },
  closed,
)

export type McpUsageQuery = Static<typeof McpUsageQuery>

const Calls = Type.Integer({ minimum: 1 })

const Tool = Type.Object(
  {
    name: Type.String({ examples: ['search_issues'] }),
    calls: Calls,
    errors: Type.Integer({ minimum: 0, description: 'Number of calls that failed.' }),
  },
  closed,
)

const Server = Type.Object(
  {
    name: Type.String({ examples: ['linear'] }),
    calls: Type.Integer({ minimum: 1, description: 'Calls of all its tools.' }),
    tools: Type.Array(Tool, { description: 'Sorted by name.' }),
  },
  closed,
)

export const completenessField = Type.Literal('best_effort', {
  description: 'Every received event is counted once. Usage that was not reported is missing.',
})

const Usage = Type.Object(
  {
    pr_url: Type.String({ examples: ['https://github.com/meridian/booking-api/pull/418'] }),
    organization_id: Type.String({ description: 'ID assigned by the Git provider.' }),
    repository_id: Type.String({ description: 'ID assigned by the Git provider.' }),
    author_id: Type.Union([Type.String(), Type.Null()], { description: 'ID assigned by the Git provider.' }),
    merged_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    servers: Type.Array(Server, { description: 'Sorted by name.' }),
    completeness: completenessField,
  },
  closed,
)

export const McpUsagePage = Type.Object({ data: Type.Array(Usage), next_cursor: NextCursor }, closed)

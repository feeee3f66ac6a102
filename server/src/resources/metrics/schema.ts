import { type TProperties, type TSchema, Type } from 'typebox'
import { closedObject, nullable } from '../../shape.ts'

// Fields of responses that several metrics endpoints share.

/** Ids of the computed metrics that docs/metrics.md defines. A definition that changes gets a new id. */
export const definitions = {
  acceptance: 'acceptance.v1',
  reviewTimes: 'review_times.v1',
  reviewers: 'reviewers.v1',
} as const

export const definitionField = (metric: keyof typeof definitions) => ({
  definition_id: Type.String({
    description: 'ID of the definition of these figures in the metric dictionary (docs/metrics.md).',
    examples: [definitions[metric]],
  }),
})

const providerId = { description: 'ID assigned by the Git provider.' }

export const ProviderId = Type.String(providerId)
export const AuthorId = nullable(Type.String(), providerId)
export const Text = nullable(Type.String())
export const Time = nullable(Type.String({ format: 'date-time' }))

export const count = (description: string) => Type.Integer({ minimum: 0, description })
export const figure = (description: string) => nullable(Type.Number({ minimum: 0 }), { description })
export const nullableText = (description: string) => nullable(Type.String(), { description })
export const nullableChoice = (values: readonly string[], description = 'null when absent or unknown.') =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...values, null], description })

/** The fields by which a client recognizes a merged pull request. */
export const mergedPullRequestFields = {
  pr_url: Type.String({ examples: ['https://github.com/meridian/booking-api/pull/418'] }),
  organization_id: ProviderId,
  repository_id: ProviderId,
  author_id: AuthorId,
  merged_at: Time,
}

export const pageOf = <Entry extends TSchema>(Entry: Entry) =>
  closedObject({
    data: Type.Array(Entry),
    next_cursor: nullable(Type.String(), { description: 'null when no pull requests remain.' }),
  })

export const weekField = {
  week: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Monday of the week. Only days within the window are counted.',
    }),
  ),
}

export const currentName = (key: string, name: string) =>
  Type.Optional(
    nullableText(
      `With \`${key}\`: ${name}; null when the inventory does not have it, or two Git providers use the ID. It does not affect grouping.`,
    ),
  )

/** `counted` is what the groups of a summary count. */
export const groupField = <Keys extends TProperties>(keys: Keys, counted: string) => ({
  group: closedObject(keys, {
    description: `The keys of \`group_by\`, in this order. Groups without ${counted} are not returned.`,
  }),
})

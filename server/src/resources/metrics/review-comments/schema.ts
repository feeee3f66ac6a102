import { type Static, Type } from 'typebox'
import { categories, severities } from '../../../metrics-store/findings.ts'
import { closedObject, nullable } from '../../../shape.ts'
import { choice, orgIdField, pageFields, windowFields } from '../request.ts'
import { mergedPullRequestFields, nullableChoice, ProviderId, pageOf, Text, Time } from '../schema.ts'

/** The maximum number of lines with `Accept: application/x-ndjson`. */
export const MAX_LINES = 100_000
const LINES = 'Up to 100,000 with `Accept: application/x-ndjson`.'

export const ReviewCommentsQuery = closedObject({
  ...windowFields(),
  ...pageFields(`Pull requests per page. ${LINES}`),
})
export type ReviewCommentsQuery = Static<typeof ReviewCommentsQuery>

const commentFields = {
  url: Type.String({ description: 'URL of the posted comment. Several findings may share one comment.' }),
  severity: nullableChoice(severities),
  category: nullableChoice(categories, 'Subject of the finding; null when absent or unknown.'),
  accepted: nullable(Type.Boolean(), {
    description: 'Stored outcome: false does not prove rejection, null is unknown. It can change later.',
  }),
}

export const ReviewCommentsPage = pageOf(
  closedObject({
    ...mergedPullRequestFields,
    coderabbit_comments: Type.Array(closedObject(commentFields), { minItems: 1 }),
  }),
)

export const ChangesQuery = closedObject({
  ...orgIdField,
  counted_from: Type.Optional(
    Type.String({
      format: 'date',
      description:
        'Returns only `written` records that count on this day (`counted_on`) or later; the other kinds are not ' +
        'filtered. Ignore records of keys that you do not have.',
    }),
  ),
  ...pageFields(`Changes per page. ${LINES}`),
})
export type ChangesQuery = Static<typeof ChangesQuery>

const Finding = closedObject({ finding_id: Type.String(), ...commentFields, reviewer: Text })

const withWritten = (description: string) => ({ description: `With \`written\`: ${description}` })

const Change = closedObject({
  pull_request_key: nullable(Type.String({ format: 'uuid' }), {
    description:
      'Identifies the pull request in your tenant, also after its repository is transferred or its URL changes. Key ' +
      'your copy by it: two organizations may send one URL. null only on `removed` records that are older than this field.',
  }),
  position: Type.Integer({ description: 'Increases with every change of a tenant. Gaps have no meaning.' }),
  kind: choice<string>(['written', 'outcome', 'removed'], {
    description:
      '`written`: a pull request was written or rewritten. `outcome`: the outcome of a finding changed. `removed`: the pull ' +
      'request is no longer an entry, or moves to another organization, URL or day; a `written` record follows if it moves.',
  }),
  pr_url: Type.String(),
  organization_id: ProviderId,
  organization_name: Type.Optional(Type.String(withWritten('name at the time of the write.'))),
  repository_id: ProviderId,
  repository_name: Type.Optional(nullable(Type.String(), withWritten('name at the time of the write.'))),
  number: Type.Optional(Type.Integer(withWritten('number of the pull request.'))),
  author_id: Type.Optional(Text),
  merged_at: Type.Optional(Time),
  counted_on: Type.Optional(
    Type.String({ format: 'date', ...withWritten('the day that windows and the summary use, UTC.') }),
  ),
  findings: Type.Optional(Type.Array(Finding, withWritten('the current findings of the pull request.'))),
  finding_id: Type.Optional(Type.String({ description: 'With `outcome`.' })),
  accepted: Type.Optional(nullable(Type.Boolean(), { description: 'With `outcome`: the new outcome.' })),
  reason: Type.Optional(
    choice<string>(['expired'], {
      description:
        'With `removed`: the pull request is older than the operator stores metrics. Absent when an event removed it.',
    }),
  ),
  at: Type.String({ format: 'date-time' }),
})

export const ChangesPage = closedObject({
  data: Type.Array(Change),
  next_cursor: Type.String({ description: 'Always returned. Store it and send it with the next request.' }),
  has_more: Type.Boolean(),
})

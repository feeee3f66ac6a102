import { type Static, Type } from 'typebox'
import { categories, severities } from '../../../metrics-store/findings.ts'
import { closed, optionalOrgId } from '../../../shape.ts'
import { cursorField, limitField, orgIdField, windowFields } from '../request.ts'
import { postingForms } from '../write/finding-details.ts'
import { outcomeSources } from '../write/outcome.ts'

export const findingOutcomes = ['accepted', 'not_accepted', 'unknown'] as const
export type OutcomeFilter = (typeof findingOutcomes)[number]

export const FindingsQuery = Type.Object(
  {
    ...orgIdField,
    ...windowFields('merge day'),
    reviewer: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Only findings of this reviewer.' }),
    ),
    outcome: Type.Optional(
      Type.Unsafe<OutcomeFilter>({
        type: 'string',
        enum: [...findingOutcomes],
        description: 'Only findings with this outcome.',
      }),
    ),
    ...limitField(1000, 'Findings per page.'),
    ...cursorField,
  },
  closed,
)
export type FindingsQuery = Static<typeof FindingsQuery>

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const choice = (values: readonly string[], description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...values, null], description })
const line = (description: string) => Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description })
const time = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

const FindingRecord = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'Identifies the finding in your tenant. `PUT /v1/metrics/findings/{id}/outcome` takes it.',
    }),
    finding_id: Type.String({ description: 'ID that the sender gave; unique in the pull request.' }),
    pull_request_key: Type.String({ format: 'uuid' }),
    counted_on: Type.String({ format: 'date', description: 'Day that windows and the summary use, UTC.' }),
    pr_url: Type.String(),
    organization_id: Type.String({ description: 'ID assigned by the Git provider.' }),
    repository_id: Type.String({ description: 'ID assigned by the Git provider.' }),
    reviewer: orNull('Reviewer that made the finding; null when unknown.'),
    severity: choice(severities, 'null when absent or unknown.'),
    category: choice(categories, 'null when absent or unknown.'),
    accepted: Type.Union([Type.Boolean(), Type.Null()], { description: 'null is unknown.' }),
    source: choice(
      outcomeSources,
      'Who decided the outcome. null when nobody did, or when it was decided before sources were returned.',
    ),
    rule: orNull('Rule that decided the outcome.'),
    evidence: Type.Array(
      Type.Object({ kind: Type.String(), at: time('null when the time is unknown.') }, closed),
      { description: 'What the outcome was decided on.' },
    ),
    file: orNull('Path in the repository, with secrets redacted.'),
    start_line: line('First line of the finding.'),
    end_line: line('Last line of the finding.'),
    posted_at: time('When the reviewer posted the finding.'),
    comment_url: Type.String({ description: 'Several findings may share one comment.' }),
    posted_as: choice(postingForms, 'Where the reviewer posted the finding.'),
  },
  closed,
)
export type FindingRecord = Static<typeof FindingRecord>

export const FindingsPage = Type.Object(
  {
    data: Type.Array(FindingRecord),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description:
        'null when no findings remain. A page can have fewer findings than `limit`, even none, before that.',
    }),
  },
  closed,
)

export const FindingPath = Type.Object(
  { id: Type.String({ format: 'uuid', description: '`id` of `GET /v1/metrics/findings`.' }) },
  closed,
)

const verdict = (description: string) => Type.Union([Type.Boolean(), Type.Null()], { description })

export const OutcomeBody = Type.Object(
  {
    org_id: optionalOrgId('Ignored: a user key acts on its own organization.'),
    accepted: verdict('Whether the finding was accepted. null withdraws what a person said before.'),
  },
  closed,
)
export type OutcomeBody = Static<typeof OutcomeBody>

export const RecordedOutcome = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    finding_id: Type.String(),
    pull_request_key: Type.String({ format: 'uuid' }),
    accepted: verdict('As sent. null: withdrawn.'),
    source: Type.Literal('person'),
  },
  closed,
)

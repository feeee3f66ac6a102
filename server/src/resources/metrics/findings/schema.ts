import { type Static, Type } from 'typebox'
import { categories, severities } from '../../../metrics-store/findings.ts'
import { closedObject, nullable, optionalOrgId } from '../../../shape.ts'
import { choice, pageFields, windowFields } from '../request.ts'
import { nullableChoice, nullableText, ProviderId } from '../schema.ts'
import { postingForms } from '../write/finding-details.ts'
import { outcomeSources } from '../write/outcome.ts'

const findingOutcomes = ['accepted', 'not_accepted', 'unknown'] as const
export type OutcomeFilter = (typeof findingOutcomes)[number]

export const FindingsQuery = closedObject({
  ...windowFields(),
  reviewer: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Only findings of this reviewer.' }),
  ),
  outcome: Type.Optional(choice(findingOutcomes, { description: 'Only findings with this outcome.' })),
  ...pageFields('Findings per page.'),
})
export type FindingsQuery = Static<typeof FindingsQuery>

const Uuid = Type.String({ format: 'uuid' })
const line = (description: string) => nullable(Type.Integer({ minimum: 1 }), { description })
const time = (description: string) => nullable(Type.String({ format: 'date-time' }), { description })
const verdict = (description: string) => nullable(Type.Boolean(), { description })

const FindingRecord = closedObject({
  id: Type.String({
    format: 'uuid',
    description: 'Identifies the finding in your tenant. `PUT /v1/metrics/findings/{id}/outcome` takes it.',
  }),
  finding_id: Type.String({ description: 'ID that the sender gave; unique in the pull request.' }),
  pull_request_key: Uuid,
  counted_on: Type.String({ format: 'date', description: 'Day that windows and the summary use, UTC.' }),
  pr_url: Type.String(),
  organization_id: ProviderId,
  repository_id: ProviderId,
  reviewer: nullableText('Reviewer that made the finding; null when unknown.'),
  severity: nullableChoice(severities),
  category: nullableChoice(categories),
  accepted: verdict('null is unknown.'),
  source: nullableChoice(
    outcomeSources,
    'Who decided the outcome. null when nobody did, or when it was decided before sources were returned.',
  ),
  rule: nullableText('Rule that decided the outcome.'),
  evidence: Type.Array(closedObject({ kind: Type.String(), at: time('null when the time is unknown.') }), {
    description: 'What the outcome was decided on.',
  }),
  file: nullableText('Path in the repository, with secrets redacted.'),
  start_line: line('First line of the finding.'),
  end_line: line('Last line of the finding.'),
  posted_at: time('When the reviewer posted the finding.'),
  comment_url: Type.String({ description: 'Several findings may share one comment.' }),
  posted_as: nullableChoice(postingForms, 'Where the reviewer posted the finding.'),
})
export type FindingRecord = Static<typeof FindingRecord>

export const FindingsPage = closedObject({
  data: Type.Array(FindingRecord),
  next_cursor: nullableText(
    'null when no findings remain. A page can have fewer findings than `limit`, even none, before that.',
  ),
})

export const FindingPath = closedObject({
  id: Type.String({ format: 'uuid', description: '`id` of `GET /v1/metrics/findings`.' }),
})

export const OutcomeBody = closedObject({
  org_id: optionalOrgId('Ignored: a user key acts on its own organization.'),
  accepted: verdict('Whether the finding was accepted. null withdraws what a person said before.'),
})
export type OutcomeBody = Static<typeof OutcomeBody>

export const RecordedOutcome = closedObject({
  id: Uuid,
  finding_id: Type.String(),
  pull_request_key: Uuid,
  accepted: verdict('As sent. null: withdrawn.'),
  source: Type.Literal('person'),
})

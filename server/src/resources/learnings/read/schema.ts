import { type Static, Type } from 'typebox'
import type { LearningId } from '../../../ids.ts'
import { MAX_SIMILAR } from '../../../learning-index/similar.ts'
import { choice, closedObject, ESCAPED_LIST, nullable, optionalOrgId, rankedBy } from '../../../shape.ts'
import { type TextFlag, textFlags } from '../../../text/flags.ts'
import type { LearningSource } from '../lifecycle.ts'

const text = (description: string) => Type.String({ description })
const textOrNull = (description: string) => nullable(Type.String(), { description })
const time = (description: string) => Type.String({ format: 'date-time', description })

export const textFlag = choice(textFlags)

/** A Learning in responses. */
export const LearningRecord = closedObject({
  id: Type.String({ format: 'uuid', description: 'Does not change if the text changes.' }),
  learning: Type.String({
    description: 'The text; recognized credentials are redacted.',
    examples: ['Amounts of money are integers of the smallest unit, never floating point.'],
  }),
  repository_id: text('ID assigned by the Git provider.'),
  repository_name: textOrNull('Current name; null if the repository is unknown.'),
  organization_id: text('ID assigned by the Git provider.'),
  organization_name: text('Current name.'),
  author_id: textOrNull('Account ID of the author, assigned by the Git provider; null if unknown.'),
  author_username: textOrNull('User name of the author when the Learning was created; null if unknown.'),
  file: textOrNull('Path of the file that the Learning is about; null if none.'),
  source_url: textOrNull('Origin of the Learning; null if none.'),
  created_at: time('When the Learning was created.'),
  updated_at: time('When the text or state last changed.'),
  last_used_at: nullable(Type.String({ format: 'date-time' }), {
    description: 'When a review last used the Learning; null if never.',
  }),
  usage_count: Type.Integer({ minimum: 0, description: 'Number of reviews that used the Learning.' }),
  flags: Type.Optional(
    Type.Array(textFlag, {
      description:
        'Only if there is one. `addresses_agent`: the text speaks to an agent or a tool. `hidden_characters`: it contains ' +
        'characters that no reader sees. Both are found by heuristics. Not in CSV.',
      examples: [['addresses_agent']],
    }),
  ),
  score: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Only in a search: how well the Learning matches. Records are in this order. Not in CSV.',
      examples: [0.62],
    }),
  ),
})

/** The order of the fields in JSON and CSV. Only JSON has `flags` and `score`. */
export const learningFields = Object.keys(LearningRecord.properties).filter(
  (name) => name !== 'flags' && name !== 'score',
) as readonly Exclude<keyof RenderedLearning, 'flags' | 'score'>[]

export type RenderedLearning = Static<typeof LearningRecord>

/** The columns that a statement must return to render a Learning. */
export interface LearningRecordRow extends Omit<RenderedLearning, 'id' | 'flags' | 'score'> {
  readonly id: LearningId
  readonly flags: readonly TextFlag[] | null
}

/** A Learning that a search returns. */
export interface FoundLearningRow extends LearningRecordRow {
  readonly score: number
}

const MAX_VALUES = 10

const providerIds = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: MAX_VALUES, description }),
  )

export const statFilters = ['total', 'active', 'never_used', 'created_this_week'] as const
export type StatFilter = (typeof statFilters)[number]

export const LearningsQuery = closedObject({
  org_id: optionalOrgId(
    'Workspace tokens only: organization ID assigned by the Git provider. Ignored for other keys.',
  ),
  repository_ids: providerIds('Repository IDs assigned by the Git provider, comma-separated, at most 10.'),
  user_ids: providerIds('Account IDs of authors, assigned by the Git provider, comma-separated, at most 10.'),
  organization_ids: providerIds(
    'Organization IDs assigned by the Git provider, comma-separated, at most 10. They filter the organizations that the ' +
      'key can read, or the one in `org_id`; other values match nothing.',
  ),
  repository_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'User-scoped keys only: name of a repository, as returned by GET …/repositories. The owner of the key must have verified read access to it.',
    }),
  ),
  files: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
      maxItems: MAX_VALUES,
      [ESCAPED_LIST]: true,
      description:
        'Exact file paths, comma-separated, at most 10. Write a comma of a path as `\\,` and a backslash as `\\\\`.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'Searches by meaning and returns only what matches, best match first: Learnings that share a word with the text, or ' +
        'whose meaning is close. Returns one page of at most 200 Learnings; `next_cursor` is null, and `ranked_by` says whether ' +
        'the embedding model was used. The text is never logged.',
    }),
  ),
  stat_filter: Type.Optional(
    choice(statFilters, {
      default: 'total',
      description:
        'active: used in the last 30 days; created_this_week: created in the last 7 days. Both periods end at the time of the first page.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 1000, description: 'Learnings per page.' }),
  ),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page, unchanged.' })),
  format: Type.Optional(
    choice(['json', 'csv'], {
      default: 'json',
      description:
        'csv: a CSV table; the next cursor is in the response header `x-next-cursor`, and `ranked_by` of a search in `x-ranked-by`.',
    }),
  ),
})

export type ListLearningsParams = Static<typeof LearningsQuery>

export const LearningsPage = closedObject({
  data: Type.Array(LearningRecord),
  next_cursor: nullable(Type.String(), { description: 'null on the last page.' }),
  ranked_by: Type.Optional(rankedBy),
})

/** Sources that the list can be filtered by. */
const pendingSources = ['chat', 'review', 'agent', 'connector'] as const

export const PendingLearningsQuery = closedObject({
  org_id: optionalOrgId(
    'Organization ID assigned by the Git provider. Required for workspace tokens; ignored for other keys.',
  ),
  repository_ids: providerIds('Repository IDs assigned by the Git provider, comma-separated, at most 10.'),
  source: Type.Optional(
    Type.Unsafe<(typeof pendingSources)[number]>({
      type: 'string',
      enum: [...pendingSources],
      description: 'Where the proposal comes from.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 100, description: 'Learnings per page.' }),
  ),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page, unchanged.' })),
})

export type PendingLearningsParams = Static<typeof PendingLearningsQuery>

export const SimilarLearning = closedObject({
  id: Type.String({ format: 'uuid', description: 'ID of a shared Learning of the organization.' }),
  similarity: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How close the two texts are, by the active embedding model. 1: the same meaning.',
  }),
})

/** A pending Learning in responses. */
const PendingLearning = closedObject({
  id: Type.String({ format: 'uuid', description: 'Decide with POST /v1/learnings/approvals.' }),
  learning: LearningRecord.properties.learning,
  file: LearningRecord.properties.file,
  source_url: LearningRecord.properties.source_url,
  organization_id: LearningRecord.properties.organization_id,
  repository_id: LearningRecord.properties.repository_id,
  repository_name: LearningRecord.properties.repository_name,
  source: choice<LearningSource>([...pendingSources, 'api'], {
    description:
      'Where the proposal comes from. `api`: an import of a rules file, sent to POST /v1/learnings.',
  }),
  author_id: LearningRecord.properties.author_id,
  author_username: textOrNull('User name of the author when the Learning was proposed; null if unknown.'),
  proposed_at: time('When the Learning was proposed.'),
  deadline: nullable(Type.String({ format: 'date-time' }), {
    description: 'When the server approves the Learning automatically; null if it waits for a person.',
  }),
  pull_request: nullable(Type.Integer({ minimum: 1 }), {
    description: 'Number of the pull request that the proposal comes from; null if none, or if unknown.',
  }),
  flags: Type.Array(textFlag, {
    description:
      '`addresses_agent`: the text speaks to an agent or a tool. `hidden_characters`: it contains characters that no ' +
      'reader sees. Both are found by heuristics.',
  }),
  similar: nullable(Type.Array(SimilarLearning, { maxItems: MAX_SIMILAR }), {
    description:
      'The shared Learnings that say nearly the same, or the opposite, closest first. null if the text was not compared: ' +
      'the server has no calibrated embedding model, or the model did not answer in time.',
  }),
})

export type RenderedPendingLearning = Static<typeof PendingLearning>

export const PendingLearningsPage = closedObject({
  data: Type.Array(PendingLearning),
  next_cursor: nullable(Type.String(), { description: 'null on the last page.' }),
})

import { type Static, Type } from 'typebox'
import type { LearningId } from '../../../ids.ts'
import { closed } from '../../../shape.ts'

const text = (description: string) => Type.String({ description })
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const time = (description: string) => Type.String({ format: 'date-time', description })

/** A Learning in responses. */
export const LearningRecord = Type.Object(
  {
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
    last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When a review last used the Learning; null if never.',
    }),
    usage_count: Type.Integer({ minimum: 0, description: 'Number of reviews that used the Learning.' }),
  },
  closed,
)

/** The order of the fields in JSON and CSV. */
export const learningFields = Object.keys(LearningRecord.properties) as readonly (keyof RenderedLearning)[]

export type RenderedLearning = Static<typeof LearningRecord>

/** The columns that a statement must return to render a Learning. */
export interface LearningRecordRow {
  readonly id: LearningId
  readonly learning: string
  readonly repository_id: string
  readonly repository_name: string | null
  readonly organization_id: string
  readonly organization_name: string
  readonly author_id: string | null
  readonly author_username: string | null
  readonly file: string | null
  readonly source_url: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly last_used_at: string | null
  readonly usage_count: number
}

export function renderLearning(row: LearningRecordRow): RenderedLearning {
  return {
    id: row.id,
    learning: row.learning,
    repository_id: row.repository_id,
    repository_name: row.repository_name,
    organization_id: row.organization_id,
    organization_name: row.organization_name,
    author_id: row.author_id,
    author_username: row.author_username,
    file: row.file,
    source_url: row.source_url,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
    usage_count: row.usage_count,
  }
}

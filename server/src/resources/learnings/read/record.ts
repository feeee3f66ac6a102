import { type Static, Type } from 'typebox'
import type { LearningId } from '../../../ids.ts'

const text = (description: string) => Type.String({ description })
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const time = (description: string) => Type.String({ format: 'date-time', description })

/** A Learning as callers see it. */
export const LearningRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Stays when the text is changed.' }),
    learning: Type.String({
      description: 'The text, stripped of recognized credentials.',
      examples: ['Amounts of money are integers of the smallest unit, never floating point.'],
    }),
    repository_id: text('ID assigned by the Git provider.'),
    repository_name: textOrNull('As of now; null when the repository is not known any more.'),
    organization_id: text('ID assigned by the Git provider.'),
    organization_name: text('As of now.'),
    author_id: textOrNull('Account of the author at the Git provider; null when it is not known.'),
    author_username: textOrNull('As of the writing.'),
    file: textOrNull('The file it is about, if it was given one.'),
    source_url: textOrNull('Where it comes from, if that was given.'),
    created_at: time('When it was first written.'),
    updated_at: time('When its text or its state last changed.'),
    last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'null when it has never been used.',
    }),
    usage_count: Type.Integer({ minimum: 0, description: 'In how many reviews it was used.' }),
  },
  { additionalProperties: false },
)

/** The fields in the order in which they are told, in JSON and in CSV. */
export const learningFields = Object.keys(LearningRecord.properties) as readonly (keyof RenderedLearning)[]

export type RenderedLearning = Static<typeof LearningRecord>

/** What a statement reads of a Learning that is to be shown. */
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

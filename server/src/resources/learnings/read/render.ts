import { JSON_TYPE, type Reply } from '../../../http/reply.ts'
import { CSV_TYPE, csvLine } from '../../../text/csv.ts'
import type { RankedBy } from '../../../text/rank/calibration.ts'
import {
  type FoundLearningRow,
  type LearningRecordRow,
  learningFields,
  type RenderedLearning,
} from './schema.ts'

export function renderLearningPage(
  format: 'json' | 'csv',
  rows: readonly (LearningRecordRow | FoundLearningRow)[],
  cursor: string | null,
  rankedBy?: RankedBy,
): Reply {
  const records = rows.map(renderLearning)
  switch (format) {
    case 'json':
      return {
        status: 200,
        body: {
          text: JSON.stringify({ data: records, next_cursor: cursor, ranked_by: rankedBy }),
          type: JSON_TYPE,
        },
      }
    case 'csv': {
      const lines = records.map((record) => csvLine(learningFields.map((field) => record[field])))
      return {
        status: 200,
        headers: {
          ...(cursor !== null && { 'x-next-cursor': cursor }),
          ...(rankedBy && { 'x-ranked-by': rankedBy }),
        },
        body: { text: csvLine(learningFields) + lines.join(''), type: CSV_TYPE },
      }
    }
  }
}

export function renderLearning(row: LearningRecordRow | FoundLearningRow): RenderedLearning {
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
    ...(row.flags !== null && row.flags.length > 0 && { flags: [...row.flags] }),
    ...('score' in row && { score: row.score }),
  }
}

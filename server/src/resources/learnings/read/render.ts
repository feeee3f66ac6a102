import { JSON_TYPE, type Reply } from '../../../http/reply.ts'
import { CSV_TYPE, csvLine } from '../../../text/csv.ts'
import { type LearningRecordRow, learningFields, renderLearning } from './record.ts'

export function renderLearningPage(
  format: 'json' | 'csv',
  rows: readonly LearningRecordRow[],
  cursor: string | null,
): Reply {
  const records = rows.map(renderLearning)
  switch (format) {
    case 'json':
      return {
        status: 200,
        body: { text: JSON.stringify({ data: records, next_cursor: cursor }), type: JSON_TYPE },
      }
    case 'csv': {
      const lines = records.map((record) => csvLine(learningFields.map((field) => record[field])))
      return {
        status: 200,
        ...(cursor !== null && { headers: { 'x-next-cursor': cursor } }),
        body: { text: csvLine(learningFields) + lines.join(''), type: CSV_TYPE },
      }
    }
  }
}

import type { AppContext } from '../../../http/app-context.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import type { LearningFilter } from '../../../learning-index/filter-sql.ts'
import { embedQuery, readModels } from '../../../learning-index/models.ts'
import { findCandidates } from '../../../learning-index/search.ts'
import { sortTermsByWeight } from '../../../learning-index/terms.ts'
import type { EmbeddingModels } from '../../../text/embed/embedder.ts'
import type { Ranker } from '../../../text/rank/rank.ts'
import { redact } from '../../../text/redact.ts'
import { termsOf } from '../../../text/words/tokenize.ts'
import type { LearningRecordRow } from './schema.ts'
import { readLearningRecords } from './sql.ts'

// Ranking compares texts, so the number of candidates is limited. To read more, list with filters.
const MAX_CANDIDATES = 200

/** The redacted query, prepared before a database connection is held. */
export interface PreparedSearch {
  readonly text: string
  readonly terms: readonly string[]
  readonly models: EmbeddingModels
  readonly vector: Float32Array | null
  readonly ranker: Ranker
}

/** If embedding fails, the search uses terms only: worse results are better than none. */
export async function prepareSearch(
  { apiPool, embedders, words, ranker, log }: AppContext,
  sent: string,
): Promise<PreparedSearch> {
  const { text } = redact(sent.trim())
  const models = await readModels(apiPool, embedders)
  const vector = await embedQuery(models, text, (model, err) =>
    log.warn({ model, err }, 'embedding of a search query failed; searching by terms only'),
  )
  const terms = sortTermsByWeight(words, termsOf(text))
  return { text, terms, models, vector, ranker }
}

/** Returns at most `limit` Learnings, best match first. */
export async function searchLearnings(
  { scope, tx }: RequestContext,
  { text, terms, models, vector, ranker }: PreparedSearch,
  only: LearningFilter,
  limit: number,
): Promise<LearningRecordRow[]> {
  const { organizations } = scope
  const found = await findCandidates(scope, tx, models, {
    organizations,
    vector,
    terms,
    limit: MAX_CANDIDATES,
    only,
  })
  if (found.length === 0) return []
  const rows = await readLearningRecords(scope, tx, found)
  const byId = new Map<string, LearningRecordRow>(
    rows.filter(({ shared }) => shared).map((row) => [row.id, row]),
  )
  const candidates = found.flatMap(({ id, similarity }) => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ id, text: row.learning, file: row.file, similarity }]
  })
  return ranker
    .rank({ text, diff: '', files: [] }, candidates)
    .slice(0, Math.min(limit, MAX_CANDIDATES))
    .flatMap(({ id }) => byId.get(id) ?? [])
}

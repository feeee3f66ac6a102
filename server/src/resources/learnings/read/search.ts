import type { Scope } from '../../../access/scope.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { embedQuery, readModels } from '../../../learning-index/models.ts'
import { findCandidates } from '../../../learning-index/search.ts'
import type { LearningFilter } from '../../../learning-index/sql.ts'
import type { EmbeddingModels } from '../../../text/embed/embedder.ts'
import {
  type Calibration,
  getCalibration,
  getRankedBy,
  type RankedBy,
} from '../../../text/rank/calibration.ts'
import { readQueryTerms, sortByLikelyRarity } from '../../../text/rank/query.ts'
import type { QueryTerms, Ranker } from '../../../text/rank/rank.ts'
import { redact } from '../../../text/redact.ts'
import type { FoundLearningRow, LearningRecordRow } from './schema.ts'
import { readLearningRecords } from './sql.ts'

// Ranking compares texts, so the number of candidates is limited. To read more, list with filters.
const MAX_CANDIDATES = 200

/** The redacted query, prepared before a database connection is held. */
export interface PreparedSearch {
  readonly terms: QueryTerms
  readonly models: EmbeddingModels
  readonly vector: Float32Array | null
  readonly ranker: Ranker
  readonly rankedBy: RankedBy
}

/** If embedding fails, the search uses terms only: worse results are better than none. */
export async function prepareSearch(
  scope: Scope,
  { apiPool, embedders, ranker, log }: AppContext,
  sent: string,
): Promise<PreparedSearch> {
  const { text } = redact(sent.trim())
  const terms = readQueryTerms(text)
  const models = await readModels(apiPool, embedders)
  const embed = () =>
    embedQuery(scope, models, text, (model, err) =>
      log.warn({ model, err }, 'embedding of a search query failed; searching by terms only'),
    )
  // A query without a word finds nothing.
  const vector = terms.size === 0 ? null : await embed()
  return { terms, models, vector, ranker, rankedBy: getRankedBy(models, vector) }
}

/**
 * Returns at most `limit` Learnings, best match first: those that share a word with the query, and those that are similar
 * enough without one.
 */
export async function searchLearnings(
  { scope, tx }: RequestContext,
  { terms, models, vector, ranker }: PreparedSearch,
  only: LearningFilter,
  limit: number,
): Promise<FoundLearningRow[]> {
  const { organizations } = scope
  const found = await findCandidates(scope, tx, models, {
    organizations,
    vector,
    terms: sortByLikelyRarity(terms),
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
  const calibration = getCalibration(models, vector)
  return ranker
    .rank({ terms, files: [] }, candidates, calibration)
    .filter(({ sharesTerm, similarity }) => sharesTerm || isSimilar(similarity, calibration))
    .slice(0, Math.min(limit, MAX_CANDIDATES))
    .flatMap(({ id, score }) => {
      const row = byId.get(id)
      return row === undefined ? [] : [{ ...row, score }]
    })
}

function isSimilar(similarity: number | null, { similarity: weight, unsharedFloor }: Calibration): boolean {
  return weight * (similarity ?? 0) >= unsharedFloor
}

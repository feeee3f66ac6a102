import type { Scope, SelectedScope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { AppContext } from '../../http/app-context.ts'
import type { TakeTurn } from '../../http/connections/turns.ts'
import { type RequestContext, type RequestInput, requireOrganization } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import type { LearningId, OrganizationId } from '../../ids.ts'
import { embedQuery, readModels } from '../../learning-index/models.ts'
import { findCandidates } from '../../learning-index/search.ts'
import { type LearningScope, readLearningSettings, recordUse } from '../../learning-index/sql.ts'
import type { NoPath, NoQuery } from '../../shape.ts'
import type { ReadGuidance } from '../../text/contradictions/read-guidance.ts'
import type { EmbeddingModels } from '../../text/embed/embedder.ts'
import { findTextFlags } from '../../text/flags.ts'
import { getCalibration, getRankedBy } from '../../text/rank/calibration.ts'
import { listFolders } from '../../text/rank/paths.ts'
import { sortByLikelyRarity } from '../../text/rank/query.ts'
import type { QueryTerms, RankedCandidate, Ranker } from '../../text/rank/rank.ts'
import { getComparedCount, type RankedLearning, resolveContradictions } from './contradictions.ts'
import { readReviewQuery } from './read-query.ts'
import type { ContextBody, FoundLearning } from './schema.ts'
import {
  type CandidateRow,
  commitAsynchronously,
  readCandidates,
  readLearningsNearFiles,
  readPullRequestLearnings,
  readRepository,
} from './sql.ts'

type ContextInput = RequestInput<typeof NoPath, typeof NoQuery, typeof ContextBody>

// The same number again is found by terms. More candidates rarely change the top results.
const MAX_CANDIDATES = 60
const MAX_FOLDERS = 10
const DEFAULT_K = 10
const MAX_ANCESTORS = 200

export function refuseEmptyQuery({ body: { text = '', diff = '', files = [] } }: ContextInput): void {
  if (text.trim() !== '' || diff.trim() !== '' || files.length > 0) return
  refuse('INVALID_REQUEST', 'Send text, diff or files: all of them are empty.')
}

/** Returns what fits, best matches first: two round trips to search, one to read, one to count uses. */
export async function findContext(
  context: RequestContext<ReviewSubject>,
  { body }: ContextInput,
): Promise<Reply> {
  const { scope, tx, prepared } = context
  const organization = requireOrganization(context)
  const { own, only } = await readRepositoryLearnings(context, organization, body)
  const { rows, similarity } = await searchCandidates(scope, tx, prepared, organization, only)
  // Responses of the database arrive together, and ranking takes milliseconds.
  await prepared.takeTurn()
  const ranked = rankLearnings(prepared, body, [...own, ...rows], similarity)
  const learnings = await resolveContradictions(context, organization, ranked, body.k ?? DEFAULT_K)
  const used = learnings.filter(({ match }) => match === 'strong')
  if (body.record_use !== false && used.length > 0) await countUses(context, organization, used)
  return ok({ learnings, ranked_by: getRankedBy(prepared.models, prepared.vector) })
}

/** The best matches of the repository, or of the whole organization. */
export async function searchCandidates(
  scope: Scope,
  tx: Tx,
  { models, vector, terms }: Pick<ReviewSubject, 'models' | 'vector' | 'terms'>,
  organization: OrganizationId,
  repository: string | null,
) {
  const found = await findCandidates(scope, tx, models, {
    organizations: [organization],
    vector,
    terms: sortByLikelyRarity(terms),
    rareTermsOnly: true,
    limit: MAX_CANDIDATES,
    only: repository === null ? {} : { repositories: [repository] },
  })
  const ids = found.map(({ id }) => id)
  return {
    rows: ids.length === 0 ? [] : await readCandidates(scope, tx, organization, ids, repository),
    similarity: new Map(found.map((candidate) => [candidate.id, candidate.similarity])),
  }
}

/** Runs after admission: a request over its rate limit is not a use. */
async function countUses(
  { scope, tx, now }: RequestContext<ReviewSubject>,
  organization: OrganizationId,
  learnings: readonly FoundLearning[],
): Promise<void> {
  const ids = learnings.map(({ id }) => id as LearningId)
  await Promise.all([commitAsynchronously(scope, tx), recordUse(scope, tx, organization, ids, now())])
}

/** Learnings found without a search, and the repository to restrict the search to (null = whole organization). */
async function readRepositoryLearnings(
  { scope, tx, prepared }: RequestContext<ReviewSubject>,
  organization: OrganizationId,
  body: ContextBody,
) {
  const { repository_id: id, pull_request: number } = body
  const { files } = prepared
  const [repository, settings, nearFiles, ofPullRequest] = await Promise.all([
    readRepository(scope, tx, organization, id),
    readLearningSettings(scope, tx, organization, [id]),
    files.length === 0 ? [] : readLearningsNearFiles(scope, tx, organization, id, toNearFiles(files)),
    number === undefined ? [] : readPullRequestLearnings(scope, tx, organization, id, number),
  ])
  if (repository === null)
    refuse(
      'NOT_FOUND',
      'The organization has no active repository with this repository_id. ' +
        'List them with GET /v1/organizations/{organization_id}/repositories.',
    )
  const local = isLocal(settings.get(id)?.scope ?? 'auto', repository.private)
  // A private Learning with a flag is not used before a person has approved it.
  const unflagged = ofPullRequest.filter(({ text, file }) => findTextFlags(text, file).length === 0)
  return { own: [...nearFiles, ...unflagged], only: local ? id : null }
}

/** Whether only the repository's own Learnings apply. Guidance about private code must not reach a public repository. */
function isLocal(setting: LearningScope, isPrivate: boolean): boolean {
  switch (setting) {
    case 'local':
      return true
    case 'global':
      return false
    case 'auto':
      return !isPrivate
  }
}

/** What to rank by. */
type RankedSubject = Pick<ReviewSubject, 'ranker' | 'terms' | 'files' | 'models' | 'vector'>

export function rankLearnings(
  { ranker, terms, files, models, vector }: RankedSubject,
  { repository_id, k = DEFAULT_K }: Pick<ContextBody, 'repository_id' | 'k'>,
  rows: readonly CandidateRow[],
  similarity: ReadonlyMap<LearningId, number | null>,
): RankedLearning[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const candidates = [...byId.values()].map((row) => ({
    id: row.id,
    text: row.text,
    // The same path in another repository is a different file.
    file: row.repository_id === repository_id ? row.file : null,
    // Only Learnings of this pull request are read before they are approved.
    ofPullRequest: row.position === null,
    similarity: similarity.get(row.id) ?? null,
  }))
  const calibration = getCalibration(models, vector)
  return ranker
    .rank({ terms, files }, candidates, calibration)
    .slice(0, getComparedCount(k))
    .flatMap((ranked) => {
      const row = byId.get(ranked.id as LearningId)
      const { match } = ranked
      return row === undefined || match === 'none'
        ? []
        : [{ row, render: () => renderFoundLearning(row, ranked, match) }]
    })
}

function renderFoundLearning(
  row: CandidateRow,
  { score, reason }: RankedCandidate,
  match: FoundLearning['match'],
): ReturnType<RankedLearning['render']> {
  const { id, text, file, author_username, source, created_at } = row
  const flags = findTextFlags(text, file)
  return {
    id,
    learning: text,
    file,
    score,
    match,
    reason,
    author_username,
    source,
    created_at: new Date(created_at).toISOString(),
    ...(flags.length > 0 && { flags }),
  }
}

/** Files and folders whose Learnings are near these files. */
export function toNearFiles(files: readonly string[]) {
  return { files: [...files, ...getAncestors(files)], folders: getFolders(files) }
}

function getFolders(files: readonly string[]): string[] {
  const folders = files.flatMap((file) => file.slice(0, Math.max(file.lastIndexOf('/'), 0)) || [])
  return [...new Set(folders)].slice(0, MAX_FOLDERS)
}

/** The folders above the files, as a Learning may name them: with and without a slash at the end. */
function getAncestors(files: readonly string[]): string[] {
  const folders = [...new Set(files.flatMap(listFolders))].slice(0, MAX_ANCESTORS)
  return folders.flatMap((folder) => [folder, `${folder}/`])
}

/** The redacted input of a review, prepared before a database connection is held. */
export interface ReviewSubject {
  readonly files: readonly string[]
  readonly terms: QueryTerms
  /** Vector of the active model; null if there is nothing to embed, or embedding failed. */
  readonly vector: Float32Array | null
  readonly models: EmbeddingModels
  readonly ranker: Ranker
  readonly readGuidance: ReadGuidance
  readonly takeTurn: TakeTurn
}

export async function prepareReviewSubject(
  app: AppContext,
  { body }: ContextInput,
  { scope }: SelectedScope,
): Promise<ReviewSubject> {
  const { ranker, readGuidance, takeTurn, log } = app
  // A large diff takes milliseconds until it is redacted and read.
  await takeTurn()
  const { files, terms, content } = readReviewQuery(body)
  const models = await readModels(app.apiPool, app.embedders)
  // A query without a word finds only what was written for its files.
  const vector = terms.size === 0 ? null : await embedQuery(scope, models, content)
  if (vector === null && terms.size > 0 && models.active !== null)
    log.warn(
      { model: models.active.model },
      'embedding of a review failed; searching by terms and files only',
    )
  return { files, terms, vector, models, ranker, readGuidance, takeTurn }
}

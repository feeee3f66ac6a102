import { refuse } from '../../errors.ts'
import type { RequestContext, RequestInput } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import type { LearningId, OrganizationId } from '../../ids.ts'
import { findCandidates } from '../../learning-index/search.ts'
import { type LearningScope, readLearningSettings } from '../../learning-index/setting-sql.ts'
import { recordUse } from '../../learning-index/use-sql.ts'
import { rank } from '../../text/rank/rank.ts'
import type { ReviewSubject } from './review-subject.ts'
import type { ContextBody, FoundLearning, NoParams } from './schema.ts'
import {
  type CandidateRow,
  commitAsynchronously,
  readCandidates,
  readLearningsNearFiles,
  readPullRequestLearnings,
  readRepository,
} from './sql.ts'

type ContextInput = RequestInput<typeof NoParams, typeof NoParams, typeof ContextBody>

// By their vectors, and as many by their words. More would be found with more, but hardly one of those comes to the top.
const MAX_CANDIDATES = 60
const MAX_FOLDERS = 10

export function refuseEmptyQuery({ body: { text = '', diff = '', files = [] } }: ContextInput): void {
  if (text.trim() !== '' || diff.trim() !== '' || files.length > 0) return
  refuse('INVALID_REQUEST', 'Say what is under review: pass text, diff or files.')
}

/** Finds what fits, the best first. Two round trips find, one reads, and one counts the uses. */
export async function findContext(
  context: RequestContext<ReviewSubject>,
  { body }: ContextInput,
): Promise<Reply> {
  const { scope, tx, prepared } = context
  const organization = requireOrganization(context)
  const { own, only } = await readRepositoryLearnings(context, organization, body)
  const found = await findCandidates(scope, tx, prepared.models, {
    organizations: [organization],
    vector: prepared.vector,
    terms: prepared.terms,
    limit: MAX_CANDIDATES,
    only: only === null ? {} : { repositories: [only] },
  })
  const ids = found.map(({ id }) => id)
  const others = ids.length === 0 ? [] : await readCandidates(scope, tx, organization, ids, only)
  const similarity = new Map(found.map((candidate) => [candidate.id, candidate.similarity]))
  const learnings = rankLearnings(prepared, body, [...own, ...others], similarity)
  if (body.record_use !== false && learnings.length > 0) await countUses(context, organization, learnings)
  return ok({ learnings })
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

/** What needs no search, and what the search is narrowed to: null = nothing but the organization. */
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
    files.length === 0
      ? []
      : readLearningsNearFiles(scope, tx, organization, id, { files, folders: getFolders(files) }),
    number === undefined ? [] : readPullRequestLearnings(scope, tx, organization, id, number),
  ])
  if (repository === undefined)
    refuse('NOT_FOUND', 'The organization has no active repository with this repository_id.')
  const local = isLocal(settings.get(id)?.scope ?? 'auto', repository.private)
  return { own: [...nearFiles, ...ofPullRequest], only: local ? id : null }
}

/** Whether a repository is given its own Learnings alone. What is said of private code does not reach a public repository. */
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

function rankLearnings(
  { words, text, diff, files }: ReviewSubject,
  { repository_id, k = 10 }: ContextBody,
  rows: readonly CandidateRow[],
  similarity: ReadonlyMap<LearningId, number | null>,
): FoundLearning[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const candidates = [...byId.values()].map((row) => ({
    id: row.id,
    text: row.text,
    // The same path in another repository is another file.
    file: row.repository_id === repository_id ? row.file : null,
    similarity: similarity.get(row.id) ?? null,
  }))
  return rank(words, { text, diff, files }, candidates)
    .slice(0, k)
    .flatMap(({ id, score, reason }) => {
      const row = byId.get(id as LearningId)
      return row === undefined ? [] : [{ id, learning: row.text, file: row.file, score, reason }]
    })
}

function getFolders(files: readonly string[]): string[] {
  const folders = files.flatMap((file) => file.slice(0, Math.max(file.lastIndexOf('/'), 0)) || [])
  return [...new Set(folders)].slice(0, MAX_FOLDERS)
}

export function requireOrganization({ organization }: RequestContext): OrganizationId {
  if (organization === null) throw new Error('An endpoint that requires an organization has one.')
  return organization
}

import { rootScope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { readScoped } from '../../db/transaction.ts'
import type { OrganizationId, RootId } from '../../ids.ts'
import { embedQuery, readModels } from '../../learning-index/models.ts'
import { createRanker } from '../../text/rank/rank.ts'
import { rankLearnings, searchCandidates, toNearFiles } from './find.ts'
import { readReviewQuery } from './read-query.ts'
import { readLearningsNearFiles } from './sql.ts'

/** A change of a repository, as a worker sees it. */
export interface ChangeQuery {
  readonly root: RootId
  readonly organization: OrganizationId
  /** ID assigned by the Git provider. */
  readonly repositoryId: string
  readonly files: readonly string[]
  readonly text: string
}

export interface ApplyingLearning {
  readonly learning: string
  readonly match: 'strong' | 'weak'
  readonly reason: string
}

const MAX_LEARNINGS = 20

/**
 * Finds Learnings as POST /v1/review-context does, but only shared ones of the repository itself: everybody who can read the
 * repository may see the result.
 */
export function createLearningFinder({ database, embedders }: Pick<WorkerContext, 'database' | 'embedders'>) {
  const ranker = createRanker()
  return async (query: ChangeQuery): Promise<ApplyingLearning[]> => {
    const { root, organization, repositoryId } = query
    const scope = rootScope(root)
    const { files, terms, content } = readReviewQuery(query)
    const models = await readModels(database, embedders)
    const vector = terms.size === 0 ? null : await embedQuery(scope, models, content)
    const [nearFiles, { rows, similarity }] = await readScoped(database, scope, (tx) =>
      Promise.all([
        readLearningsNearFiles(scope, tx, organization, repositoryId, toNearFiles(files)),
        searchCandidates(scope, tx, { models, vector, terms }, organization, repositoryId),
      ]),
    )
    const subject = { ranker, terms, files, models, vector }
    const request = { repository_id: repositoryId, k: MAX_LEARNINGS }
    return rankLearnings(subject, request, [...nearFiles, ...rows], similarity)
      .slice(0, MAX_LEARNINGS)
      .map(({ render }) => {
        const { learning, match, reason } = render()
        return { learning, match, reason }
      })
  }
}

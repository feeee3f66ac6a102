import { rootScope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import { readScoped } from '../../db/transaction.ts'
import type { Embedder } from '../../text/embed/embedder.ts'
import { findCandidates } from '../search.ts'
import { searchExactly } from '../search-sql.ts'
import { encodeHalfVector } from '../terms.ts'
import { findLargestOrganizationsUnscoped, sampleVectors } from './vector-index-sql.ts'

const SAMPLED_ORGANIZATIONS = 3
const SEARCHES_PER_ORGANIZATION = 30
const NEAREST_COUNT = 10

/** The share of the ten nearest rows that a search finds, sampled from the largest organizations; null without rows. */
export async function measureRecall(
  pool: Pool,
  { model, dimensions }: Pick<Embedder, 'model' | 'dimensions'>,
): Promise<number | null> {
  const embedder: Embedder = { model, dimensions, embed: () => Promise.resolve([]) }
  const models = { active: embedder, filling: [] }
  let [found, all] = [0, 0]
  for (const { root, organization } of await findLargestOrganizationsUnscoped(pool, SAMPLED_ORGANIZATIONS)) {
    const scope = rootScope(root)
    const sample = await readScoped(pool, scope, (tx) =>
      sampleVectors(scope, tx, organization, model, SEARCHES_PER_ORGANIZATION),
    )
    for (const vector of sample) {
      const organizationSet = { which: 'these', organizations: [organization] } as const
      const query = { organizations: [organization], terms: [], limit: NEAREST_COUNT, only: {}, vector }
      const search = { model, dimensions, vector: encodeHalfVector(vector), limit: NEAREST_COUNT, only: {} }
      const [nearest, hits] = await readScoped(pool, scope, (tx) =>
        Promise.all([
          searchExactly(scope, tx, organizationSet, search),
          findCandidates(scope, tx, models, query),
        ]),
      )
      // Equally near rows are interchangeable, so compare similarities, not ids.
      const minSimilarity = Math.min(...nearest.map(({ similarity }) => similarity ?? 0))
      found += hits.filter(({ similarity }) => (similarity ?? -1) >= minSimilarity - 1e-4).length
      all += nearest.length
    }
  }
  return all === 0 ? null : found / all
}

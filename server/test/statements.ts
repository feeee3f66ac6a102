// What proofs and benchmarks need of the server: statements of hot paths, to compare the request pipeline with the bare engine.
export { rootScope } from '../src/access/scope.ts'
export { readKeysUnscoped } from '../src/access/sql.ts'
export { connectMetricsStores, type MetricsStores } from '../src/db/stores.ts'
export { inTransaction, setScope } from '../src/db/transaction.ts'
export { readMetricsPage } from '../src/metrics-store/page.ts'
export {
  createPageStatement,
  type PageRequest,
  planPage,
  readBounds,
} from '../src/metrics-store/page-sql.ts'
export { type MetricsSource, reviewCommentsSource, reviewSources } from '../src/metrics-store/source-sql.ts'
export type { PullRequestKey } from '../src/metrics-store/write/pull-request-sql.ts'
export { type GroupKey, groupKeys } from '../src/resources/metrics/summary/sql.ts'
export { renderDocuments } from '../src/resources/metrics/write/rows.ts'
export {
  createPullRequests,
  type RenderedPullRequest,
  readFindings,
  readPullRequests,
} from '../src/resources/metrics/write/sql.ts'
export { pageOfRoot } from '../src/resources/organizations/sql.ts'

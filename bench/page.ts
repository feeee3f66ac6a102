import { reviewCommentsSource } from '../server/test/statements.ts'
import { benchPages } from './page/bench-pages.ts'

await benchPages({
  title: 'page',
  path: '/v1/metrics/review-comments',
  source: reviewCommentsSource,
  goal: 0.65,
})

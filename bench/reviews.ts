import { reviewSources } from '../server/test/statements.ts'
import { benchPages } from './page/bench-pages.ts'

await benchPages({ title: 'reviews', path: '/v1/metrics/reviews', source: reviewSources.merged, goal: 0.6 })

import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../../http/endpoint.ts'
import examples from '../examples.json' with { type: 'json' }
import { windowDefaults } from '../request.ts'
import { ReviewerOverlap, Reviewers, ReviewersQuery } from './schema.ts'
import { compareOverlap, summarizeReviewers } from './summarize.ts'

const common = {
  ...windowDefaults,
  keys: allButLegacyAndAgenticKeys,
  query: ReviewersQuery,
} as const

export const reviewers = defineEndpoint({
  ...common,
  path: '/v1/metrics/reviewers',
  operationId: 'summarizeReviewers',
  example: examples.reviewers,
  summary: 'Compare reviewers',
  description:
    'Returns what each reviewer found on pull requests merged in the window, and what became of it. `rate` covers findings with ' +
    'a known outcome; `rate_low` and `rate_high` are its bounds if none or all of the unknown ones were accepted; ' +
    '`interval_low` and `interval_high` are the 95% Wilson interval of `rate`. Do not rank reviewers whose intervals overlap. ' +
    'Two findings are the same if they are in the same file, at most 3 lines apart and of similar content; each is compared ' +
    'with one of another reviewer at most. Sorted by reviewer.',
  replies: { 200: { description: 'All reviewers of the window.', body: Reviewers } },
  run: summarizeReviewers,
})

export const reviewerOverlap = defineEndpoint({
  ...common,
  path: '/v1/metrics/reviewers/overlap',
  operationId: 'compareReviewers',
  example: examples.reviewerOverlap,
  summary: 'Compare findings of two reviewers',
  description:
    'Returns, for every two reviewers, how many findings both made and how many only one of them, on merged pull requests that ' +
    'both reviewed. Findings are the same as in `GET /v1/metrics/reviewers`. Findings without a location or a sketch are not ' +
    'the same as any other. Sorted by both names.',
  replies: {
    200: { description: 'All pairs of reviewers with a common pull request.', body: ReviewerOverlap },
  },
  run: compareOverlap,
})

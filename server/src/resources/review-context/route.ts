import { defineEndpoint } from '../../http/endpoint.ts'
import { agentKeys } from '../../http/mcp/tool.ts'
import { explain } from './explain.ts'
import { findContext, refuseEmptyQuery } from './find.ts'
import { prepareReviewSubject } from './review-subject.ts'
import { ContextBody, ContextReply, ExplainBody, Explanation, NoParams } from './schema.ts'

const readDefaults = {
  method: 'POST',
  tag: 'Learnings',
  keys: agentKeys,
  organization: 'required',
  plan: 'enterprise',
  permission: 'learning:read',
  admin: false,
  limit: 'review-context',
  readOnly: true,
  readsWithAdmission: true,
  errorBody: 'error',
  params: NoParams,
  query: NoParams,
  paging: null,
  refusals: ['NOT_FOUND'],
} as const

export const reviewContext = defineEndpoint({
  ...readDefaults,
  path: '/v1/review-context',
  operationId: 'findReviewContext',
  summary: 'Find the Learnings for a review',
  description:
    'The Learnings that fit what is under review, the best first, each with the reason why it was found. Give a text, a ' +
    'diff or files, or all of them. Which Learnings a repository may be given is a setting: its own, or those of the ' +
    'whole organization; a public repository is given its own unless the setting says otherwise. Those that are ' +
    'returned count as used, unless `record_use` is false.',
  body: ContextBody,
  refine: refuseEmptyQuery,
  prepare: prepareReviewSubject,
  replies: { 200: { description: 'The Learnings that fit, the best first.', body: ContextReply } },
  run: findContext,
})

/** Offered to agents only, as a tool. */
export const explainLearning = defineEndpoint({
  ...readDefaults,
  path: '/mcp/explain_learning',
  operationId: 'explainLearning',
  summary: 'Explain a Learning',
  description: 'Why a Learning exists, where it comes from and how it is used.',
  body: ExplainBody,
  replies: { 200: { description: 'The Learning and its story.', body: Explanation } },
  run: explain,
})

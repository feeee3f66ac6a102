import { defineEndpoint } from '../../http/endpoint.ts'
import { agentKeys } from '../../http/mcp/tool.ts'
import { NoPath, NoQuery } from '../../shape.ts'
import { reviewContextExample } from './examples.ts'
import { explain } from './explain.ts'
import { findContext, prepareReviewSubject, refuseEmptyQuery } from './find.ts'
import { ContextBody, ContextReply, ExplainBody, Explanation } from './schema.ts'

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
  params: NoPath,
  query: NoQuery,
  paging: null,
  refusals: ['NOT_FOUND'],
} as const

export const reviewContext = defineEndpoint({
  ...readDefaults,
  path: '/v1/review-context',
  operationId: 'findReviewContext',
  example: reviewContextExample,
  summary: 'Find the Learnings for a review',
  description:
    'Returns the Learnings that apply to a change, best match first, each with the reason why it matches. Send `text`, ' +
    '`diff` or `files`, or several of them. A setting determines whether a repository receives its own Learnings or those ' +
    'of the whole organization; by default, a public repository receives only its own. Only what matches is returned, so ' +
    'the list may be empty. Learnings with a strong match count as used unless `record_use` is false.',
  body: ContextBody,
  refine: refuseEmptyQuery,
  prepare: prepareReviewSubject,
  replies: { 200: { description: 'The matching Learnings, best match first.', body: ContextReply } },
  run: findContext,
})

/** Available only as an MCP tool. */
export const explainLearning = defineEndpoint({
  ...readDefaults,
  path: '/mcp/explain_learning',
  operationId: 'explainLearning',
  summary: 'Explain a Learning',
  description: 'Returns who wrote a Learning, where it comes from and how often it is used.',
  body: ExplainBody,
  replies: { 200: { description: 'The Learning with its origin and usage.', body: Explanation } },
  run: explain,
})

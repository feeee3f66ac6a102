import { refuse } from '../../errors.ts'
import {
  defineEndpoint,
  type RequestContext,
  type RequestInput,
  requireOrganization,
} from '../../http/endpoint.ts'
import { agentKeys } from '../../http/mcp/tool.ts'
import { ok, type Reply } from '../../http/reply.ts'
import type { LearningId } from '../../ids.ts'
import { NoPath, NoQuery } from '../../shape.ts'
import { findTextFlags } from '../../text/flags.ts'
import examples from './examples.json' with { type: 'json' }
import { findContext, prepareReviewSubject, refuseEmptyQuery } from './find.ts'
import { ContextBody, ContextReply, ExplainBody, Explanation } from './schema.ts'
import { type ExplanationRow, readExplanation } from './sql.ts'

/** Explains a Learning. For a pending or disapproved Learning, only the state is returned. */
async function explain(
  context: RequestContext,
  { body }: RequestInput<typeof NoPath, typeof NoQuery, typeof ExplainBody>,
): Promise<Reply> {
  const { scope, tx } = context
  const row = await readExplanation(scope, tx, requireOrganization(context), body.learning_id as LearningId)
  if (row === null) return refuse('NOT_FOUND', 'The organization has no Learning with this learning_id.')
  return ok(
    row.state === 'shared' ? renderExplanation(row) : { ...hiddenFields, id: row.id, state: row.state },
  )
}

const hiddenFields = {
  learning: null,
  file: null,
  repository_id: null,
  repository_name: null,
  author_username: null,
  source: null,
  source_url: null,
  created_at: null,
  usage_count: null,
  last_used_at: null,
} satisfies Partial<Explanation>

function renderExplanation({ text, created_at, last_used_at, ...row }: ExplanationRow): Explanation {
  const flags = findTextFlags(text, row.file)
  return {
    ...row,
    learning: text,
    created_at: new Date(created_at).toISOString(),
    last_used_at: last_used_at && new Date(last_used_at).toISOString(),
    ...(flags.length > 0 && { flags }),
  }
}

const readDefaults = {
  method: 'POST',
  tag: 'Learnings',
  keys: agentKeys,
  organization: 'required',
  permission: 'learning:read',
  admin: false,
  limit: 'review-context',
  readOnly: true,
  readsWithAdmission: true,
  refusals: ['NOT_FOUND'],
} as const

export const reviewContext = defineEndpoint({
  ...readDefaults,
  path: '/v1/review-context',
  operationId: 'findReviewContext',
  example: examples.reviewContext,
  summary: 'Find the Learnings for a review',
  description:
    'Returns the Learnings that apply to a change, best match first, each with the reason why it matches. Send `text`, ' +
    '`diff` or `files`, or several of them. A setting determines whether a repository receives its own Learnings or those ' +
    'of the whole organization; by default, a public repository receives only its own. Only what matches is returned, so ' +
    'the list may be empty. Learnings with a strong match count as used unless `record_use` is false.',
  body: ContextBody,
  checks: { input: refuseEmptyQuery },
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

import { refuse } from '../../errors.ts'
import type { RequestContext, RequestInput } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import type { LearningId } from '../../ids.ts'
import type { NoPath, NoQuery } from '../../shape.ts'
import { findTextFlags } from '../../text/flags.ts'
import { requireOrganization } from './find.ts'
import type { ExplainBody, Explanation } from './schema.ts'
import { type ExplanationRow, readExplanation } from './sql.ts'

/** Explains a Learning. For a pending or disapproved Learning, only the state is returned. */
export async function explain(
  context: RequestContext,
  { body }: RequestInput<typeof NoPath, typeof NoQuery, typeof ExplainBody>,
): Promise<Reply> {
  const { scope, tx } = context
  const row = await readExplanation(scope, tx, requireOrganization(context), body.learning_id as LearningId)
  if (row === undefined) return refuse('NOT_FOUND', 'The organization has no Learning with this learning_id.')
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
  const flags = findTextFlags(text)
  return {
    ...row,
    learning: text,
    created_at: new Date(created_at).toISOString(),
    last_used_at: last_used_at && new Date(last_used_at).toISOString(),
    ...(flags.length > 0 && { flags }),
  }
}

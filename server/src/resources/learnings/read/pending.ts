import type { SelectedScope } from '../../../access/scope.ts'
import type { AppContext } from '../../../http/app-context.ts'
import { type RequestContext, requireOrganization } from '../../../http/endpoint.ts'
import { ok, pendingReply, type Reply } from '../../../http/reply.ts'
import type { SimilarById } from '../../../learning-index/similar.ts'
import { findTextFlags } from '../../../text/flags.ts'
import { embedPendingTexts } from '../write/embed.ts'
import { canCompare, findSimilarLearnings } from '../write/similar.ts'
import { type PendingLearningRow, readPendingLearnings } from './pending-sql.ts'
import type { PendingLearningsParams, RenderedPendingLearning } from './schema.ts'

export interface PreparedPending {
  /** Null if the server has no calibrated embedding model. */
  readonly embed: ((texts: readonly string[]) => ReturnType<typeof embedPendingTexts>) | null
}

export async function preparePending(
  app: AppContext,
  _input: unknown,
  { scope }: SelectedScope,
): Promise<PreparedPending> {
  return { embed: (await canCompare(app)) ? (texts) => embedPendingTexts(scope, app, texts) : null }
}

/** The texts are embedded after the page is read: by then the request is admitted, and it holds no connection. */
export async function listPendingLearnings(
  context: RequestContext<PreparedPending>,
  { query }: { readonly query: PendingLearningsParams },
): Promise<Reply> {
  const { scope, tx, page, prepared, requestId } = context
  const organization = requireOrganization(context)
  const found = await readPendingLearnings(scope, tx, {
    organization,
    repositories: query.repository_ids ?? null,
    source: query.source ?? null,
    after: page.after && { proposedAt: String(page.after[0]), id: String(page.after[1]) },
    limit: page.limit + 1,
  })
  const rows = found.slice(0, page.limit)
  const last = found.length > page.limit ? rows.at(-1) : undefined
  const next_cursor = last ? page.cursorAfter(last.proposed_at, last.id) : null
  const render = (similar: SimilarById) =>
    ok({ data: rows.map((row) => renderPending(row, similar)), next_cursor })
  const { embed } = prepared
  if (embed === null || rows.length === 0) return render(new Map())
  return pendingReply({
    workId: requestId,
    async awaitReply() {
      const embedded = await embed(rows.map(({ learning }) => learning))
      const texts = rows.map(({ id, learning }) => ({ id, text: learning }))
      return render(
        await context.transaction((own) =>
          findSimilarLearnings({ scope, tx: own, organization }, texts, embedded, { withEachOther: false }),
        ),
      )
    },
  })
}

function renderPending(row: PendingLearningRow, similar: SimilarById): RenderedPendingLearning {
  return {
    ...row,
    proposed_at: new Date(row.proposed_at).toISOString(),
    deadline: row.deadline === null ? null : new Date(row.deadline).toISOString(),
    flags: [...(row.flags ?? findTextFlags(row.learning, row.file))],
    similar: similar.get(row.id)?.map((one) => ({ ...one })) ?? null,
  }
}

import type { Scope } from '../../../access/scope.ts'
import { type Statement, statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import {
  keyColumns,
  ownerColumns,
  type PullRequestKey,
  type RowOwner,
} from '../../../metrics-store/write/pull-request-sql.ts'
import {
  type ColumnTypes,
  encodeRows,
  renderInsert,
  renderUpdateSet,
} from '../../../metrics-store/write/rows-sql.ts'

/** A row of `review`. It exists for every finalized pull request, merged or closed, with or without findings. */
export interface ReviewRow extends PullRequestKey, RowOwner {
  readonly author_id: string | null
  readonly status: 'merged' | 'closed'
  readonly day: string
  readonly week: number
  readonly position: number
  readonly entry: string
  readonly tally: string | null
}

const columns: ColumnTypes<ReviewRow> = {
  ...keyColumns,
  ...ownerColumns,
  author_id: 'text',
  status: 'text',
  day: 'date',
  week: 'integer',
  position: 'bigint',
  entry: 'text',
  tally: 'text',
}

const insertReviews = statement('review-comments.insert-reviews', renderInsert('review', columns))

const upsertReviews = statement(
  'review-comments.upsert-reviews',
  `${renderInsert('review', columns)}
   on conflict (root_id, provider, host, repository_id, number) do update set ${renderUpdateSet(columns, keyColumns)}`,
)

export async function writeReviews(
  scope: Scope,
  tx: Tx,
  created: readonly ReviewRow[],
  changed: readonly ReviewRow[],
): Promise<void> {
  const write = async (text: Statement, rows: readonly ReviewRow[]) => {
    if (rows.length > 0) await tx.query(text, [scope.root, encodeRows(rows, columns)])
  }
  await Promise.all([write(insertReviews, created), write(upsertReviews, changed)])
}

import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { RowSink } from '../../db/raw-rows.ts'
import type { Tx } from '../../db/transaction.ts'
import { ownerColumns, type RowOwner } from '../write/pull-request-sql.ts'
import { type ColumnTypes, createInsert } from '../write/rows-sql.ts'
import { BLOCK_DAYS, type Grain } from './grain.ts'
import type { CountBlock } from './stale-sql.ts'
import { renderTallies, toDayRangeSql } from './tallies-sql.ts'

export interface CountRow extends RowOwner {
  readonly grain: Grain
  readonly period: number
  readonly repository_id: string
  readonly author_id: string
  readonly tally: string
}

const columns: ColumnTypes<CountRow> = {
  ...ownerColumns,
  grain: 'text',
  period: 'integer',
  repository_id: 'text',
  author_id: 'text',
  tally: 'text',
}

const selectTallies = statement(
  'metrics.tallies-of-block',
  renderTallies('organization_id = $2', toDayRangeSql('$3::int', `$3::int + ${BLOCK_DAYS - 1}`), "''::text"),
)

const deleteCounts = statement(
  'metrics.remove-counts',
  `delete from finding_count where root_id = $1 and organization_id = $2
     and grain in ('block', 'repository', 'author', 'total') and period between $3::int and $3::int + ${BLOCK_DAYS - 1}`,
)

const insertCounts = createInsert('metrics.insert-counts', 'finding_count', columns)

export async function readTallies(
  scope: Scope,
  tx: Tx,
  { organization_id, block }: CountBlock,
  sink: RowSink,
): Promise<void> {
  await tx.streamRows(selectTallies, [scope.root, organization_id, block], sink)
}

export async function replaceCounts(
  scope: Scope,
  tx: Tx,
  { organization_id, block }: CountBlock,
  rows: readonly CountRow[],
): Promise<void> {
  const removed = tx.query(deleteCounts, [scope.root, organization_id, block])
  await Promise.all([removed, insertCounts(scope, tx, rows)])
}

import type { Scope } from '../access/scope.ts'
import { statement } from '../db/connect.ts'
import type { Tx } from '../db/transaction.ts'
import { NIL_UUID } from '../ids.ts'

export type RowKey = readonly (string | number)[]

/** Rows in key order, as JSON: the target store maps them to its own columns. */
export interface RowChunk {
  readonly rows: number
  readonly lines: string
  /** Independent of the order of the rows. */
  readonly digest: string
  readonly last: RowKey | null
}

interface ChunkProgress {
  readonly rows: number
  readonly last: RowKey | null
}

const MAX_CHUNK_ROWS = 1_000
const MAX_CHUNK_BYTES = 4 * 1024 ** 2
const DELETE_BATCH_ROWS = 2_000
const COUNT_BATCH_ROWS = 50_000

// The primary key of each table, without the root. Add a new table at the end, so that a move in progress reaches it too.
const pullRequestKey = { pull_request_key: 'uuid' } as const
const dayKey = { day: 'date' } as const
const primaryKeys = {
  pull_request: pullRequestKey,
  finding: { ...pullRequestKey, ordinal: 'integer' },
  finding_week: {
    organization_id: 'uuid',
    week: 'date',
    instance_id: 'uuid',
    reviewer: 'text',
    severity: 'text',
    category: 'text',
  },
  outcome: { ...pullRequestKey, finding_id: 'text', event_id: 'text' },
  review_comment_change: { position: 'bigint' },
  metrics_day: dayKey,
  mcp_usage: pullRequestKey,
  mcp_event: { ...pullRequestKey, event_id: 'text' },
  mcp_day: dayKey,
} as const

export type MovedTable = keyof typeof primaryKeys
export const movedTables = Object.keys(primaryKeys) as MovedTable[]

const lowestValues = {
  uuid: NIL_UUID,
  text: '',
  date: '-infinity',
  integer: -1,
  bigint: -1,
} as const

export function getLowestKey(table: MovedTable): RowKey {
  return Object.values(primaryKeys[table]).map((type) => lowestValues[type])
}

const statements = Object.fromEntries(movedTables.map((table) => [table, createStatements(table)])) as Record<
  MovedTable,
  ReturnType<typeof createStatements>
>

function createStatements(table: MovedTable) {
  const columns = Object.keys(primaryKeys[table]).join(', ')
  const after = Object.values(primaryKeys[table]).map((type, index) => `($2::json ->> ${index})::${type}`)
  const followingRows = `root_id = $1 and (${columns}) > (${after.join(', ')}) order by ${columns}`
  const progress = (page: string) =>
    `(select count(*)::int from ${page}) as rows,
     (select json_build_array(${columns}) from ${page} order by (${columns}) desc limit 1) as last`
  const digest = 'coalesce(sum(hashtextextended(line, 0)), 0)::text as digest'
  return {
    // Limited by bytes as well: a chunk is held in memory twice.
    read: statement(
      `metrics.read-${table}`,
      `with page as (
         select ${columns}, row_to_json(t)::text as line from ${table} t where ${followingRows} limit $3
       ), chunk as (
         select * from (
           select *, sum(octet_length(line)) over (order by ${columns} rows unbounded preceding)
             - octet_length(line) as ahead
           from page) sized
         where ahead < $4
       )
       select ${progress('chunk')}, (select coalesce('[' || string_agg(line, ',') || ']', '[]') from chunk) as lines,
         (select ${digest} from chunk)`,
    ),
    insert: statement(
      `metrics.insert-${table}`,
      `with arrived as (
         insert into ${table} as t select * from json_populate_recordset(null::${table}, $2::json) where root_id = $1
         returning row_to_json(t)::text as line
       )
       select count(*)::int as rows, ${digest} from arrived`,
    ),
    // No one else changes the rows of a moved root, so a ctid identifies a row.
    delete: statement(
      `metrics.delete-${table}`,
      `with page as materialized (select ctid, ${columns} from ${table} where ${followingRows} limit $3),
       gone as (delete from ${table} where root_id = $1 and ctid = any (array(select ctid from page)))
       select ${progress('page')}`,
    ),
    count: statement(
      `metrics.count-${table}`,
      `with page as materialized (select ${columns} from ${table} where ${followingRows} limit $3)
       select ${progress('page')}`,
    ),
  }
}

export function readChunk(scope: Scope, tx: Tx, table: MovedTable, after: RowKey): Promise<RowChunk> {
  const values = [scope.root, JSON.stringify(after), MAX_CHUNK_ROWS, MAX_CHUNK_BYTES]
  return tx.one<RowChunk>(statements[table].read, values)
}

/** Throws unless the stored rows are identical to those of the source store. */
export async function insertChunk(scope: Scope, tx: Tx, table: MovedTable, chunk: RowChunk): Promise<void> {
  const values = [scope.root, chunk.lines]
  const arrived = await tx.one<{ rows: number; digest: string }>(statements[table].insert, values)
  if (arrived.rows === chunk.rows && arrived.digest === chunk.digest) return
  throw new Error(
    `Copied rows of ${table} differ from the source. Check that both stores are at the same migration.`,
  )
}

export function deleteChunk(scope: Scope, tx: Tx, table: MovedTable, after: RowKey): Promise<ChunkProgress> {
  const values = [scope.root, JSON.stringify(after), DELETE_BATCH_ROWS]
  return tx.one<ChunkProgress>(statements[table].delete, values)
}

/** In chunks: counting a large root in one statement would exceed the statement timeout. */
export async function countRows(scope: Scope, tx: Tx, table: MovedTable): Promise<number> {
  let rows = 0
  for (let after: RowKey | null = getLowestKey(table); after !== null; ) {
    const values: unknown[] = [scope.root, JSON.stringify(after), COUNT_BATCH_ROWS]
    const progress: ChunkProgress = await tx.one<ChunkProgress>(statements[table].count, values)
    rows += progress.rows
    after = progress.last
  }
  return rows
}

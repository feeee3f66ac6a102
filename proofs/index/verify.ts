import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../../server/test/database.ts'

type Superuser = ReturnType<TestDatabase['superuser']>

const MODEL = 'http:proof:64'

/** The stored state of a Learning; null if it was deleted. */
export interface StoredLearningState {
  readonly text: string
  readonly shared: boolean
  /** The index has a row for its current text. */
  readonly indexed: boolean
  /** A task for the worker exists. */
  readonly owed: boolean
}

const selectLearningState = `
  select l.text, l.state = 'shared' as shared,
    exists (select from learning_index i where i.organization_id = l.organization_id and i.learning_id = l.id
      and i.model = '${MODEL}' and i.content_hash = l.content_hash) as indexed,
    exists (select from learning_task t where t.learning_id = l.id and t.kind = 'index') as owed
  from learning l where l.id = $1`

const selectDifferences = `
  select count(*) filter (where i.learning_id is null) as missing,
    count(*) filter (where l.id is null or l.state <> 'shared') as orphans,
    count(*) filter (where i.content_hash <> l.content_hash) as outdated,
    count(*) as rows
  from (select * from learning where state = 'shared') l
  full join (select * from learning_index where model = '${MODEL}') i
    on i.organization_id = l.organization_id and i.learning_id = l.id`

export interface Differences {
  readonly rows: number
  readonly missing: number
  readonly orphans: number
  readonly outdated: number
}

/** Retries until PostgreSQL responds, because it is killed from time to time. */
async function queryWithRetry<Row extends object>(
  superuser: Superuser,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  for (;;) {
    try {
      return (await superuser.query<Row>(text, [...values])).rows
    } catch {
      await sleep(50)
    }
  }
}

export async function readLearningState(
  superuser: Superuser,
  id: string,
): Promise<StoredLearningState | null> {
  const [row] = await queryWithRetry<StoredLearningState>(superuser, selectLearningState, [id])
  return row ?? null
}

export async function countDifferences(superuser: Superuser): Promise<Differences> {
  const [row] = await queryWithRetry<Record<keyof Differences, string>>(superuser, selectDifferences)
  const count = (name: keyof Differences) => Number(row?.[name] ?? 0)
  return {
    rows: count('rows'),
    missing: count('missing'),
    orphans: count('orphans'),
    outdated: count('outdated'),
  }
}

export async function countPendingTasks(superuser: Superuser): Promise<number> {
  const rows = await queryWithRetry(superuser, `select 1 from learning_task where kind = 'index'`)
  return rows.length
}

/** Skips the ten minutes after a change of model in which the worker looks for missing rows: they are not proved here. */
export async function skipMissingRowScan(superuser: Superuser): Promise<void> {
  for (;;) {
    const { rowCount } = await superuser.query(
      `update learning_model set since = since - interval '1 hour' where model = $1 returning 1`,
      [MODEL],
    )
    if (rowCount === 1) return
    await sleep(100)
  }
}

import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { type CountChange, changesOf, type Rewritten } from './changes.ts'
import { addToStored } from './tally.ts'
import { type CountRow, readCounts, remove, upsert } from './write-sql.ts'

/** Counts anew what is written, under the lock of the head: nobody else changes what is read here. */
export async function writeCounts(scope: Scope, tx: Tx, rewritten: readonly Rewritten[]): Promise<void> {
  const { own, left, shared } = changesOf(rewritten)
  const stored = new Map((await readCounts(scope, tx, shared)).map(({ place, counts }) => [place, counts]))
  const rows: CountRow[] = []
  const empty: CountChange[] = [...left]
  const add = (change: CountChange, before: string | undefined) => {
    const counts = addToStored(before, change.tally)
    if (counts === null) empty.push(change)
    else rows.push({ ...change, counts })
  }
  for (const change of own) add(change, undefined)
  for (const [index, change] of shared.entries()) add(change, stored.get(index + 1))
  await Promise.all([upsert(scope, tx, rows), remove(scope, tx, empty)])
}

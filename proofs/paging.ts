import { proveHistories } from './paging/histories.ts'
import { proveInterleavings } from './paging/interleavings.ts'
import { proveRestore, proveRestorePoint } from './paging/restore.ts'
import { proveUnderWriters, showMissedWithoutLock } from './paging/under-writers.ts'
import type { ProofOptions } from './run.ts'
import { report } from './tools/report.ts'

const QUICK_ROWS = 3_000

/** A reader with a cursor gets every entry exactly once and in order, whatever is written concurrently. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const connections = quick || withoutCure ? [2] : [2, 3]
  if (withoutCure) {
    report('paging without its cures: positions from a sequence, rewritten in place, no restore point', [
      ...(await proveUnderWriters(QUICK_ROWS, false)),
      ...(await proveInterleavings(connections, false)),
      ...(await proveHistories(300, false)),
      ...(await proveRestorePoint(600, false)),
    ])
    return
  }
  report('paging: what is committed is told once and in order', [
    ...(await proveUnderWriters(quick ? QUICK_ROWS : 100_000, true)),
    await showMissedWithoutLock(QUICK_ROWS),
    ...(await proveInterleavings(connections, true)),
    ...(await proveHistories(quick ? 80 : 10_000, true)),
    ...(await proveRestore(quick ? 300 : 6_000)),
    ...(await proveRestorePoint(quick ? 300 : 6_000, true)),
  ])
}

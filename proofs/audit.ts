import { proveAppendOnly } from './audit/append-only.ts'
import { proveKills } from './audit/kills.ts'
import { provePaging } from './audit/paging.ts'
import { proveTampering } from './audit/tampering.ts'
import { proveWriters } from './audit/writers.ts'
import type { ProofOptions } from './run.ts'
import { report } from './tools/report.ts'

/** The audit log can be verified offline, and a poller reads every row exactly once. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  if (withoutCure) {
    report('audit without its cures: no signed heads, heads truncated first, positions from a sequence', [
      ...(await proveTampering({ rows: 200, trials: 20, trialsOfChain: 10, withHeads: false })),
      ...(await proveAppendOnly(9, false)),
      ...(await proveWriters(500, false)),
      ...(await provePaging(2_000, false)),
    ])
    return
  }
  const small = { rows: quick ? 200 : 1_000, trials: quick ? 50 : 1_000, trialsOfChain: 10, withHeads: true }
  const large = {
    rows: quick ? 100_000 : 1_000_000,
    trials: quick ? 1 : 5,
    trialsOfChain: 5,
    withHeads: true,
  }
  report('audit: tampering is found off-line, writers make one chain, pollers miss nothing', [
    ...(await proveTampering(small)),
    ...(await proveTampering(large)),
    ...(await proveAppendOnly(quick ? 12 : 150, true)),
    ...(await proveWriters(quick ? 1_000 : 20_000, true)),
    ...(await proveKills(quick ? 50 : 1_000)),
    ...(await provePaging(quick ? 2_000 : 50_000, true)),
  ])
}

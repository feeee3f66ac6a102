import { exportAudit } from '../../access/audit/export.ts'
import { AuditChainError, verifyExport } from '../../access/audit/verify.ts'
import { rootScope } from '../../access/scope.ts'
import type { Pool, Statement } from '../../db/connect.ts'
import { inTransactionUnscoped, readScoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import { pluralize } from '../../plural.ts'
import {
  countLearnings,
  countPullRequests,
  countSame,
  readAuditHash,
  readWeeks,
  type SampledDocument,
  samplePullRequests,
} from './drill-sql.ts'
import { type RootHeads, readHeadsUnscoped, readMetricsPositionsUnscoped } from './sql.ts'

// A restored copy is older than the live database, which goes on meanwhile. What the live database has not changed since the
// last positions of the copy must be in the copy, unchanged.

const ROOTS_PER_BATCH = 1000
const SAMPLE_PER_WEEK = 5

export interface Comparison {
  readonly roots: number
  readonly auditRows: number
  readonly learnings: number
  readonly pullRequests: number
  /** Pull requests whose columns were compared. */
  readonly sampled: number
  /** What is wrong with the copy, one sentence each. */
  readonly problems: readonly string[]
}

type Heads = RootHeads & { readonly metrics: number }
type Tally = { -readonly [Name in keyof Comparison]: Name extends 'problems' ? string[] : number }

/** Compares the audit chains, positions, counts and a sample of pull requests of every tenant root. */
export async function compareRestored(
  live: Pool,
  copy: Pool,
  report: (line: string) => void,
): Promise<Comparison> {
  const tally: Tally = { roots: 0, auditRows: 0, learnings: 0, pullRequests: 0, sampled: 0, problems: [] }
  for (let after: string | null = null; ; ) {
    const [restored, current] = await Promise.all([copy, live].map((pool) => readAllHeads(pool, after)))
    const last = restored?.at(-1)
    if (restored === undefined || current === undefined || last === undefined) break
    const byRoot = new Map(current.map((heads) => [heads.root_id, heads]))
    for (const heads of restored) {
      const now = byRoot.get(heads.root_id)
      // Deleted since.
      if (now !== undefined) await compareRoot(live, copy, heads, now, tally)
    }
    after = last.root_id
    report(`${tally.roots} tenant roots compared`)
  }
  if (tally.roots === 0) tally.problems.push('The copy has no tenant root of the live database.')
  return tally
}

async function readAllHeads(pool: Pool, after: string | null): Promise<Heads[]> {
  const heads = await inTransactionUnscoped(pool, (tx) => readHeadsUnscoped(tx, after, ROOTS_PER_BATCH))
  const roots = heads.map(({ root_id }) => root_id)
  const metrics = new Map(
    (await readMetricsPositionsUnscoped(pool, roots)).map((row) => [row.root_id, row.metrics]),
  )
  return heads.map((head) => ({ ...head, metrics: metrics.get(head.root_id) ?? 0 }))
}

const sequences = ['audit', 'learnings', 'security', 'metrics'] as const

async function compareRoot(live: Pool, copy: Pool, heads: Heads, now: Heads, tally: Tally): Promise<void> {
  const root = heads.root_id
  const complain = (problem: string) => tally.problems.push(`Tenant root ${root}: ${problem}`)
  for (const name of sequences)
    if (heads[name] > now[name])
      complain(`the copy is at position ${heads[name]} of ${name}, the live database at ${now[name]}.`)
  tally.roots += 1
  await compareAudit(live, copy, heads, tally, complain)
  const learnings = await countBoth(live, copy, root, countLearnings, [heads.learnings])
  tally.learnings += learnings.copy
  if (learnings.copy < learnings.live)
    complain(`missing in the copy: ${pluralize(learnings.live - learnings.copy, 'Learning')}.`)
  for (const { week } of await query<{ week: string }>(copy, root, readWeeks, []))
    await compareWeek(live, copy, heads, week, tally, complain)
}

async function compareAudit(
  live: Pool,
  copy: Pool,
  { root_id: root, audit, audit_hash }: Heads,
  tally: Tally,
  complain: (problem: string) => void,
): Promise<void> {
  try {
    const { rows } = await verifyExport(exportAudit(copy, rootScope(root), false), () =>
      Promise.resolve(null),
    )
    tally.auditRows += rows
  } catch (error) {
    if (!(error instanceof AuditChainError)) throw error
    complain(`the audit log of the copy does not verify. ${error.message}`)
  }
  const [row] = await query<{ hash: string }>(live, root, readAuditHash, [audit])
  // Retention may have dropped it since.
  if (row !== undefined && row.hash !== audit_hash)
    complain(`row ${audit} of the audit log is another one in the live database.`)
}

async function compareWeek(
  live: Pool,
  copy: Pool,
  { root_id: root, metrics }: Heads,
  week: string,
  tally: Tally,
  complain: (problem: string) => void,
): Promise<void> {
  const ofWeek = `of the week of ${week}`
  const counts = await countBoth(live, copy, root, countPullRequests, [week, metrics])
  tally.pullRequests += counts.copy
  if (counts.copy < counts.live)
    complain(`missing in the copy: ${pluralize(counts.live - counts.copy, 'pull request')} ${ofWeek}.`)
  const sample = await query<SampledDocument>(live, root, samplePullRequests, [
    week,
    metrics,
    SAMPLE_PER_WEEK,
  ])
  const [same] = await query<{ found: number }>(copy, root, countSame, [JSON.stringify(sample)])
  tally.sampled += sample.length
  if (same?.found !== sample.length)
    complain(
      `different in the copy: ${sample.length - (same?.found ?? 0)} of ${pluralize(sample.length, 'pull request')} ${ofWeek}.`,
    )
}

async function countBoth(live: Pool, copy: Pool, root: RootId, count: Statement, values: readonly unknown[]) {
  const [here, there] = await Promise.all(
    [live, copy].map((pool) => query<{ found: number }>(pool, root, count, values)),
  )
  return { live: here?.[0]?.found ?? 0, copy: there?.[0]?.found ?? 0 }
}

function query<Row>(pool: Pool, root: RootId, select: Statement, values: readonly unknown[]): Promise<Row[]> {
  return readScoped(pool, rootScope(root), (tx) => tx.query<Row>(select, [root, ...values]))
}

import type { FileScan } from './read.ts'

const FINDINGS_PER_PART = 500

/** A scan whose findings are serialized for storage. */
export interface PackedScan extends Omit<FileScan, 'findings'> {
  readonly count: number
  readonly parts: readonly string[]
}

/** Splits findings into parts, so that no row or message is large. A scan without findings has one empty part. */
export function packScan({ findings, ...scan }: FileScan): PackedScan {
  const parts: string[] = []
  for (let from = 0; from === 0 || from < findings.length; from += FINDINGS_PER_PART) {
    parts.push(JSON.stringify(findings.slice(from, from + FINDINGS_PER_PART)))
  }
  return { ...scan, count: findings.length, parts }
}

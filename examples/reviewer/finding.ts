import { createHash } from 'node:crypto'

export const severities = ['critical', 'major', 'minor', 'trivial', 'info'] as const
export const categories = [
  'data_integrity_and_integration',
  'functional_correctness',
  'maintainability_and_code_quality',
  'performance_and_scalability',
  'security_and_privacy',
  'stability_and_availability',
] as const

export interface Remark {
  readonly file: string
  readonly line: number
  readonly severity: (typeof severities)[number]
  readonly category: (typeof categories)[number]
  readonly message: string
}

/** A remark with what recognizes it later: in the next review of the same pull request, and after the merge. */
export interface Finding extends Remark {
  readonly id: string
  /** Digest of the line. The code itself is not stored. */
  readonly digest: string
}

/** The same remark about the same line has the same id, also if the line moved: a second review does not count it twice. */
export function toFinding(remark: Remark, text: string): Finding {
  const digest = digestOf(text)
  return { ...remark, digest, id: digestOf(`${remark.file}\n${digest}\n${remark.category}`) }
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text.trim()).digest('hex').slice(0, 32)
}

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { atLine } from '../../proofs/tools/json-lines.ts'
import type { ParsedFinding, PullRequestSnapshot } from '../../server/test/connectors/outcomes.ts'

/** A line of a data file; docs/proofs.md describes the fields. */
export interface Situation {
  readonly id: string
  readonly kind: string
  readonly set: 'developed' | 'held-out'
  /** A bare repository with the commits, as a path from the data file. */
  readonly repository: string
  readonly snapshot: PullRequestSnapshot
  readonly findings: readonly ParsedFinding[]
  /** By the id of the finding. */
  readonly verdicts?: Readonly<Record<string, { readonly accepted: boolean; readonly at: string }>>
  readonly alerts?: Readonly<
    Record<string, { readonly state: 'dismissed' | 'fixed'; readonly at: string | null }>
  >
  /** What really happened to each finding; null = it cannot be known. */
  readonly labels: Readonly<Record<string, boolean | null>>
}

/** Reads a data file. The repositories become absolute paths. */
export function loadSituations(path: string): Situation[] {
  const file = pathToFileURL(resolve(path))
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line, index) =>
      atLine(file, index + 1, () => {
        const situation = JSON.parse(line) as Situation
        check(situation)
        return { ...situation, repository: resolve(dirname(fileURLToPath(file)), situation.repository) }
      }),
    )
}

function check({ id, set, repository, snapshot, findings, labels }: Situation): void {
  for (const [name, value] of Object.entries({ id, repository, snapshot, findings, labels }))
    if (value === undefined || value === null) throw new Error(`"${name}" is missing`)
  if (set !== 'developed' && set !== 'held-out') throw new Error('"set" must be developed or held-out')
  for (const finding of findings)
    if (labels[finding.id] === undefined) throw new Error(`"labels" has no finding "${finding.id}"`)
}

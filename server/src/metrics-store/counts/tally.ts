import { type CountableFinding, categories, severities } from '../findings.ts'
import { getOrCreate } from '../groups.ts'

/** Posted findings and their known outcomes. */
export interface OutcomeCount {
  posted: number
  accepted: number
  notAccepted: number
}

export interface TallyFinding extends CountableFinding {
  readonly reviewer: string | null
}

/** Counts for one reviewer, severity and category; null = unknown. */
export interface CellCount extends OutcomeCount {
  readonly reviewer: string | null
  readonly severity: string | null
  readonly category: string | null
}

// A cell is a severity and a category. Stored rows contain these numbers, so both lists may only grow at the end.
const UNKNOWN = 15
const WIDTH = 16

export function toCell(severity: string | null, category: string | null): number {
  return WIDTH * toIndex(severities, severity) + toIndex(categories, category)
}

/** Greater than every cell number. */
export const MAX_CELLS = WIDTH * WIDTH
export const allCells: readonly number[] = [...severities, null].flatMap((severity) =>
  [...categories, null].map((category) => toCell(severity, category)),
)

/** The cell with its severity or category replaced by "any" unless it is kept. */
export function mergeCell(cell: number, keepSeverity: boolean, keepCategory: boolean): number {
  const category = cell % WIDTH
  return (keepSeverity ? cell - category : 0) + (keepCategory ? category : 0)
}

export function severityOf(cell: number): string | null {
  return severities[Math.floor(cell / WIDTH)] ?? null
}

export function categoryOf(cell: number): string | null {
  return categories[cell % WIDTH] ?? null
}

function toIndex(among: readonly string[], value: string | null): number {
  const index = value === null ? -1 : among.indexOf(value)
  return index === -1 ? UNKNOWN : index
}

/** The tally of the findings of a pull request. */
export function tallyFindings(findings: readonly TallyFinding[]): string {
  const counts = new Map<string, CellCount>()
  for (const { reviewer, severity, category, accepted } of findings) {
    const name = `${toCell(severity, category)} ${JSON.stringify(reviewer)}`
    const count = getOrCreate(counts, name, () => ({
      reviewer,
      severity,
      category,
      posted: 0,
      accepted: 0,
      notAccepted: 0,
    }))
    count.posted += 1
    if (accepted === true) count.accepted += 1
    if (accepted === false) count.notAccepted += 1
  }
  return renderTally([...counts.values()])
}

/** The stored form: per reviewer the name, then four numbers per cell: cell, posted, accepted, not accepted. */
export function renderTally(counts: readonly CellCount[]): string {
  const byReviewer = Map.groupBy(counts, ({ reviewer }) => reviewer)
  return JSON.stringify(
    [...byReviewer].map(([reviewer, cells]) => [
      reviewer,
      ...cells.flatMap(({ severity, category, posted, accepted, notAccepted }) => [
        toCell(severity, category),
        posted,
        accepted,
        notAccepted,
      ]),
    ]),
  )
}

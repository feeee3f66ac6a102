import { type Counted, categories, severities } from '../findings.ts'

/** Findings that were posted, and what is known of them. */
export interface Count {
  posted: number
  accepted: number
  notAccepted: number
}

/** Counts by reviewer and cell; null = nobody knows who. */
export type Tally = Map<string | null, Map<number, Count>>

export interface CountedFinding extends Counted {
  readonly reviewer: string | null
}

// A cell is a severity and a category. Stored rows name cells by these numbers, so that both lists may grow at their ends.
const UNKNOWN = 15
const WIDTH = 16

export function cellOf(severity: string | null, category: string | null): number {
  return WIDTH * placeOf(severities, severity) + placeOf(categories, category)
}

/** Above every cell. */
export const MOST_CELLS = WIDTH * WIDTH
export const allCells: readonly number[] = [...severities, null].flatMap((severity) =>
  [...categories, null].map((category) => cellOf(severity, category)),
)

/** The cell that stands for all of its severity, of its category, or of any. */
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

function placeOf(among: readonly string[], value: string | null): number {
  const place = value === null ? -1 : among.indexOf(value)
  return place === -1 ? UNKNOWN : place
}

/** Adds findings to a tally, or takes them off it again. */
export function addFindings(tally: Tally, findings: readonly CountedFinding[], sign: 1 | -1): void {
  for (const { reviewer, severity, category, accepted } of findings) {
    const count = countOf(tally, reviewer, cellOf(severity, category))
    count.posted += sign
    if (accepted === true) count.accepted += sign
    if (accepted === false) count.notAccepted += sign
  }
}

export function changesNothing(tally: Tally): boolean {
  for (const cells of tally.values())
    for (const { posted, accepted, notAccepted } of cells.values())
      if (posted !== 0 || accepted !== 0 || notAccepted !== 0) return false
  return true
}

function countOf(tally: Tally, reviewer: string | null, cell: number): Count {
  let cells = tally.get(reviewer)
  if (cells === undefined) {
    cells = new Map()
    tally.set(reviewer, cells)
  }
  let count = cells.get(cell)
  if (count === undefined) {
    count = { posted: 0, accepted: 0, notAccepted: 0 }
    cells.set(cell, count)
  }
  return count
}

/** As it is stored: of each reviewer the name, then four numbers a cell: its own, posted, accepted, not accepted. */
type StoredTally = [string | null, ...number[]][]

const NUMBERS = 4

/** What is stored when a tally has been added to it; null when nothing is left. Only what changes is taken apart. */
export function addToStored(text: string | undefined, added: Tally): string | null {
  const stored = text === undefined ? [] : (JSON.parse(text) as StoredTally)
  for (const [reviewer, cells] of added) {
    let row = stored.find(([name]) => name === reviewer)
    if (row === undefined) {
      row = [reviewer]
      stored.push(row)
    }
    for (const [cell, count] of cells) addToRow(row, cell, count)
  }
  const left = stored.filter(({ length }) => length > 1)
  return left.length === 0 ? null : JSON.stringify(left)
}

function addToRow(row: StoredTally[number], cell: number, { posted, accepted, notAccepted }: Count): void {
  let at = 1
  while (at < row.length && row[at] !== cell) at += NUMBERS
  if (at === row.length) row.push(cell, 0, 0, 0)
  row[at + 1] = (row[at + 1] as number) + posted
  row[at + 2] = (row[at + 2] as number) + accepted
  row[at + 3] = (row[at + 3] as number) + notAccepted
  if (row[at + 1] === 0) row.splice(at, NUMBERS)
}

export function parseTally(text: string): Tally {
  const tally: Tally = new Map()
  for (const row of JSON.parse(text) as StoredTally) {
    for (let at = 1; at < row.length; at += NUMBERS) {
      const [cell, posted, accepted, notAccepted] = row.slice(at, at + NUMBERS) as number[]
      Object.assign(countOf(tally, row[0], cell as number), { posted, accepted, notAccepted })
    }
  }
  return tally
}

import { RowColumns, type RowSink } from '../../../db/raw-rows.ts'
import { toFindingRecords } from './record.ts'
import type { FindingRecord, OutcomeFilter } from './schema.ts'
import type { FindingsRow } from './sql.ts'

interface FindingFilter {
  readonly reviewer: string | null
  readonly outcome: OutcomeFilter | null
}

/** The last finding that a page looked at: the write position of its pull request, and its index in it. */
type FindingPosition = readonly [position: number, index: number]

/** Collects the findings of rows (position, row) that match a filter, up to a maximum. Further rows are not parsed. */
export class FindingsSink implements RowSink {
  rowCount = 0
  readonly records: FindingRecord[] = []
  /** Where the next page starts: after this finding; an index of -1 is before the first one. */
  last: FindingPosition
  readonly #filter: FindingFilter
  readonly #maxRecords: number
  readonly #columns = new RowColumns()
  /** Whether a finding was left out because the page has no room for it. */
  isFull = false

  constructor(filter: FindingFilter, maxRecords: number, after: FindingPosition) {
    this.#filter = filter
    this.#maxRecords = maxRecords
    this.last = after
  }

  take(bytes: Buffer, start: number): void {
    this.rowCount += 1
    if (this.isFull) return
    this.#columns.start(bytes, start)
    this.#columns.next()
    const position = Number(this.#columns.text())
    this.#columns.next()
    const row = JSON.parse(this.#columns.text()) as FindingsRow
    const first = this.last[0] === position ? this.last[1] + 1 : 0
    for (const [index, record] of toFindingRecords(row).entries()) {
      if (index < first || !matches(record, this.#filter)) continue
      if (this.records.length === this.#maxRecords) {
        this.isFull = true
        return
      }
      this.records.push(record)
      this.last = [position, index]
    }
    this.last = [position, row.findings.length - 1]
  }
}

const acceptedByOutcome = { accepted: true, not_accepted: false, unknown: null } as const

function matches({ reviewer, accepted }: FindingRecord, filter: FindingFilter): boolean {
  if (filter.reviewer !== null && reviewer !== filter.reviewer) return false
  return filter.outcome === null || accepted === acceptedByOutcome[filter.outcome]
}

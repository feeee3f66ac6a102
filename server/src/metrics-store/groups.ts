import { RowColumns, type RowSink } from '../db/raw-rows.ts'

/** Sums rows by group as they arrive. */
export abstract class GroupSink<Sum> implements RowSink {
  rowCount = 0
  protected readonly groups = new Map<string | null, Sum>()
  protected readonly columns = new RowColumns()
  readonly #maxGroups: number

  constructor(maxGroups: number) {
    this.#maxGroups = maxGroups
  }

  /** More groups than the response can hold: the scan ends early. */
  get exceedsLimit(): boolean {
    return this.groups.size > this.#maxGroups
  }

  take(bytes: Buffer, start: number): void {
    this.rowCount += 1
    if (this.exceedsLimit) return
    this.columns.start(bytes, start)
    this.columns.next()
    this.addRow()
  }

  /** Adds the row, of which the first column is the current one. */
  protected abstract addRow(): void
}

/** The value of a key, which is created if the map has none. */
export function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = create()
    map.set(key, value)
  }
  return value
}

/** By code units; null last. */
export function compareNullsLast(one: string | null, other: string | null): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return one < other ? -1 : 1
}

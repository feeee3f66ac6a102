import type { RowSink } from '../../db/raw-rows.ts'
import { compareNullsLast } from '../groups.ts'
import { WEEK_DAYS } from '../week.ts'
import { NameInterner } from './name-interner.ts'
import { allCells, categoryOf, MAX_CELLS, mergeCell, type OutcomeCount, severityOf } from './tally.ts'

/** The keys of `group_by`, in the order of the response. */
export const groupKeys = [
  'week',
  'organization',
  'repository',
  'author',
  'reviewer',
  'severity',
  'category',
] as const
export type GroupKey = (typeof groupKeys)[number]

/** A group: its requested keys, null when unknown; `week` is the day number of its Monday. */
export interface FindingSum extends OutcomeCount {
  readonly week: number
  readonly organization: string | null
  readonly repository: string | null
  readonly author: string | null
  readonly reviewer: string | null
  readonly severity: string | null
  readonly category: string | null
}

/** Posted, accepted and not accepted, cell after cell. */
type CellCounters = Uint32Array
const NUMBERS_PER_CELL = 3

interface SumGroup {
  readonly week: number
  readonly organization: string | null
  readonly repository: string | null
  readonly author: string | null
  /** By reviewer number; all reviewers are 0 when the sums are not grouped by reviewer. */
  readonly sums: (CellCounters | undefined)[]
}

const ALL = 0
const COLUMN_COUNT_BYTES = 2
const LENGTH_BYTES = 4
const ZERO = '0'.charCodeAt(0)
const COMMA = ','.charCodeAt(0)
const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
const OPEN_BRACKET = '['.charCodeAt(0)

/**
 * Sums rows of (period, organization, repository, author, tally) as they arrive. It works on raw bytes because a tally holds many
 * numbers: parsing them in PostgreSQL, or into strings and arrays here, costs several times as much.
 */
export class SumSink implements RowSink {
  readonly #keys: ReadonlySet<GroupKey>
  readonly #maxSums: number
  readonly #groups = new Map<string, SumGroup>()
  /** The cells after merging severities or categories that are not grouped by, and the index of each. */
  readonly #cells: readonly number[]
  readonly #indexes = new Uint8Array(MAX_CELLS)
  readonly #byReviewer: boolean
  readonly #reviewers = new NameInterner()
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #sums = 0

  constructor(keys: ReadonlySet<GroupKey>, maxSums: number) {
    this.#keys = keys
    this.#maxSums = maxSums
    this.#byReviewer = keys.has('reviewer')
    const merged = (cell: number) => mergeCell(cell, keys.has('severity'), keys.has('category'))
    this.#cells = [...new Set(allCells.map(merged))].sort((a, b) => a - b)
    for (const cell of allCells) this.#indexes[cell] = this.#cells.indexOf(merged(cell))
  }

  /** More groups than the response can hold: later rows are ignored. */
  get exceedsLimit(): boolean {
    return this.#sums > this.#maxSums
  }

  take(bytes: Buffer, start: number): void {
    if (this.exceedsLimit) return
    this.#bytes = bytes
    this.#at = start + COLUMN_COUNT_BYTES
    const week = this.#keys.has('week') ? this.#readWeek() : this.#skip()
    const organization = this.#keys.has('organization') ? this.#readRaw() : this.#skip()
    const repository = this.#keys.has('repository') ? this.#readRaw() : this.#skip()
    const author = this.#keys.has('author') ? this.#readRaw() : this.#skip()
    const name = `${week}\n${organization}\n${repository}\n${author}`
    let group = this.#groups.get(name)
    if (group === undefined) {
      group = {
        week: Number(week),
        organization: decode(organization),
        repository: decode(repository),
        author: decode(author),
        sums: [],
      }
      this.#groups.set(name, group)
    }
    this.#at += LENGTH_BYTES
    this.#add(group.sums)
  }

  #readRaw(): string {
    const from = this.#at + LENGTH_BYTES
    this.#at = from + this.#bytes.readInt32BE(this.#at)
    return this.#bytes.toString('latin1', from, this.#at)
  }

  #readWeek(): string {
    const period = Number(this.#readRaw())
    return String(period - (period % WEEK_DAYS))
  }

  #skip(): string {
    this.#at += LENGTH_BYTES + this.#bytes.readInt32BE(this.#at)
    return ''
  }

  /** Parses the format of tally.ts: [["reviewer",cell,posted,accepted,not accepted,…],…] */
  #add(sums: SumGroup['sums']): void {
    this.#at += 1
    while (this.#bytes[this.#at] === OPEN_BRACKET) {
      const from = this.#at + 1
      this.#skipName(from)
      const reviewer = this.#byReviewer ? this.#reviewers.intern(this.#bytes, from, this.#at) : ALL
      const counts = (sums[reviewer] ??= new Uint32Array(NUMBERS_PER_CELL * this.#cells.length))
      while (this.#bytes[this.#at] === COMMA) {
        const index = NUMBERS_PER_CELL * (this.#indexes[this.#readNumber()] as number)
        if (counts[index] === 0) this.#sums += 1
        counts[index] = (counts[index] as number) + this.#readNumber()
        counts[index + 1] = (counts[index + 1] as number) + this.#readNumber()
        counts[index + 2] = (counts[index + 2] as number) + this.#readNumber()
      }
      this.#at += this.#bytes[this.#at + 1] === COMMA ? 2 : 1
    }
  }

  #skipName(from: number): void {
    let at = from
    if (this.#bytes[at] === QUOTE) {
      at += 1
      while (this.#bytes[at] !== QUOTE) at += this.#bytes[at] === BACKSLASH ? 2 : 1
      this.#at = at + 1
    } else this.#at = at + 'null'.length
  }

  /** The number behind the comma. */
  #readNumber(): number {
    let value = 0
    let at = this.#at + 1
    for (;;) {
      const digit = (this.#bytes[at] as number) - ZERO
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
      at += 1
    }
    this.#at = at
    return value
  }

  /** The ids in the rows, if the sums are grouped by organization. */
  organizations(): string[] {
    return [...new Set([...this.#groups.values()].flatMap(({ organization }) => organization ?? []))]
  }

  /**
   * Sorted by each key in turn, unknown values last, whatever the order of the rows. `organizationNames` replaces the ids of
   * organizations; those with the same name form one group.
   */
  sums(organizationNames: ReadonlyMap<string, string> = new Map()): FindingSum[] {
    const groups = this.#listGroups(organizationNames).sort(
      (a, b) =>
        a.week - b.week ||
        compareNullsLast(a.organization, b.organization) ||
        compareNullsLast(a.repository, b.repository) ||
        compareNullsLast(a.author, b.author),
    )
    const result: FindingSum[] = []
    const reviewers = this.#byReviewer ? this.#reviewers.sortedByName() : [{ number: ALL, name: null }]
    for (const group of groups) {
      for (const { number, name } of reviewers) {
        const counts = group.sums[number]
        if (counts !== undefined) this.#collect(result, group, name, counts)
      }
    }
    return result
  }

  #listGroups(organizationNames: ReadonlyMap<string, string>): SumGroup[] {
    const groups = this.#groups.values()
    return this.#keys.has('organization') ? mergeOrganizations(groups, organizationNames) : [...groups]
  }

  #collect(
    result: FindingSum[],
    { week, organization, repository, author }: SumGroup,
    reviewer: string | null,
    counts: CellCounters,
  ): void {
    for (const [index, cell] of this.#cells.entries()) {
      const posted = counts[NUMBERS_PER_CELL * index] as number
      if (posted === 0) continue
      result.push({
        week,
        organization,
        repository,
        author,
        reviewer,
        severity: severityOf(cell),
        category: categoryOf(cell),
        posted,
        accepted: counts[NUMBERS_PER_CELL * index + 1] as number,
        notAccepted: counts[NUMBERS_PER_CELL * index + 2] as number,
      })
    }
  }
}

function mergeOrganizations(groups: Iterable<SumGroup>, names: ReadonlyMap<string, string>): SumGroup[] {
  const merged = new Map<string, SumGroup>()
  for (const group of groups) {
    const { week, repository, author } = group
    const organization = names.get(group.organization ?? '') ?? null
    const name = JSON.stringify([week, organization, repository, author])
    const present = merged.get(name)
    const sums = present === undefined ? group.sums : addCounters(present.sums, group.sums)
    merged.set(name, { week, organization, repository, author, sums })
  }
  return [...merged.values()]
}

function addCounters(one: SumGroup['sums'], other: SumGroup['sums']): SumGroup['sums'] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, reviewer) => {
    const [counts, added] = [one[reviewer], other[reviewer]]
    if (counts === undefined || added === undefined) return counts ?? added
    return counts.map((count, index) => count + (added[index] as number))
  })
}

/** Decodes bytes that were read as latin1; '' means unknown. */
function decode(raw: string): string | null {
  return raw === '' ? null : Buffer.from(raw, 'latin1').toString()
}

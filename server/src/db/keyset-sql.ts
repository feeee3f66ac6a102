import { type NamedStatement, namedStatement } from './named-statement.ts'

// Keyset pages: rows after a position, read along an index whose leading column is the access path.

/** Up to this many values of an access path are scanned one by one. */
export const MAX_INDEX_SCANS = 100

export interface IndexColumn {
  readonly column: string
  readonly type: 'uuid' | 'text'
}

interface AccessPathCandidate<Path extends string> {
  readonly path: Path
  /** Null or undefined when the request does not filter by it. */
  readonly values: readonly string[] | null | undefined
  readonly maxValues?: number
}

/** The first candidate that the request filters by, with its distinct values. List the most selective one first. */
export function chooseAccessPath<Path extends string>(
  candidates: readonly AccessPathCandidate<Path>[],
): { readonly accessPath: Path; readonly pathValues: readonly string[] } {
  for (const { path, values, maxValues = Number.POSITIVE_INFINITY } of candidates)
    if (values !== null && values !== undefined && values.length <= maxValues)
      return { accessPath: path, pathValues: distinct(values) }
  throw new Error('The last candidate must always apply.')
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
}

/** One index scan for each combination of values of the sources; `rows` refers to these values. */
export function renderScans(sources: readonly string[], rows: string, alias = 'walked'): string {
  return `select ${alias}.* from ${[...sources, `lateral (${rows}) ${alias}`].join(' cross join ')}`
}

/** The scans merged in order of position. */
export function renderMergedScans(sources: readonly string[], rows: string, limit: string): string {
  return `${renderScans(sources, rows)} order by position limit ${limit}`
}

/**
 * Adds `bytes` to each row of a page: the size of `column` over the first `limit` rows. PostgreSQL knows the size of a text
 * without reading it. The row after these only shows that there is a next page.
 */
export function renderSizedRows(rows: string, column: string, limit: string): string {
  return `select *, sum(octet_length(${column})) filter (where place <= ${limit}) over () as bytes
       from (select *, row_number() over (order by position) as place from (${rows}) found) placed`
}

/** Composes each statement once, when it is first needed. */
export function createStatementCache(): (name: string, render: () => string) => NamedStatement {
  const cache = new Map<string, NamedStatement>()
  return (name, render) => {
    const found = cache.get(name) ?? namedStatement(name, render())
    cache.set(name, found)
    return found
  }
}

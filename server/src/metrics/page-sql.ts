import type { Scope } from '../access/scope.ts'
import { type Statement, statement } from '../db/connect.ts'
import type { Tx } from '../db/transaction.ts'
import { type Largest, largests, type Source } from './source-sql.ts'
import { weekOf } from './week.ts'

/** What a page is asked for; dates are inclusive days. */
export interface Window {
  readonly startDate: string
  readonly endDate: string
  readonly repositories: readonly string[] | null
  readonly authors: readonly string[] | null
}

/**
 * What leads to the rows of a page: each has an index of its own, (root, it, week, position, day), and those of which
 * there can be very many another without the week.
 */
const ways = {
  root: null,
  instance: { column: 'instance_id', type: 'uuid', byPosition: true },
  organization: { column: 'organization_id', type: 'uuid', byPosition: true },
  repository: { column: 'repository_id', type: 'text', byPosition: false },
  author: { column: 'author_id', type: 'text', byPosition: false },
} as const

type Way = keyof typeof ways

// A window is served by the smallest of these that holds its weeks: a day, a month, a year, four years. A branch too many
// costs nothing, since its week is null; planning costs 0.2 ms a branch, once for each connection.
const spans = [1, 6, 54, 216] as const
type Span = (typeof spans)[number] | 'wide'

// More organizations than this are not asked one by one.
const MOST_WALKED = 100

const filtersOf = ({
  condition,
}: Source) => `position > $2 and day between $3::date and $4::date and ${condition}
    and ($5::uuid[] is null or organization_id = any ($5)) and ($6::uuid is null or instance_id = $6)
    and ($7::text[] is null or repository_id = any ($7)) and ($8::text[] is null or author_id = any ($8))
    and organization_id <> all ($9::uuid[])`

// Nothing is read when the root's largest entry is beyond $11: the caller then measures the page first.
const guardedLimitOf = ({ largest }: Source) =>
  `(select case when ${largest} <= $11 then $10::bigint else 0 end from metrics_head where root_id = $1)`

/** What the rows of a page are taken from, and how. */
interface Shape {
  readonly source: Source
  readonly way: Way
  readonly span: Span
  readonly many: boolean
}

function rowsOf({ source, way, span, many }: Shape, selected: string): string {
  const led = ways[way]
  // Written so that no index has this order: rows that are few are found by their own index and sorted.
  const order = span === 'wide' && led !== null && !led.byPosition ? 'position + 0' : 'position'
  const guardedLimit = guardedLimitOf(source)
  const ordered = (rows: string, limit: string) =>
    `select * from (${rows}) merged order by ${order} limit ${limit}`
  if (led === null) return ordered(branches(source, selected, '', span, order), guardedLimit)
  const given = span === 'wide' ? '$12' : '$13'
  const rowsWith = (value: string) => branches(source, selected, ` and ${led.column} = ${value}`, span, order)
  if (!many) return ordered(rowsWith(`${given}::${led.type}`), guardedLimit)
  return `select walked.* from unnest(${given}::${led.type}[]) value
    cross join lateral (${ordered(rowsWith('value'), '$10')}) walked order by position limit ${guardedLimit}`
}

/** The weeks of a window, each in its order, to be merged as far as the page goes. */
function branches(source: Source, selected: string, condition: string, span: Span, order: string): string {
  const filters = filtersOf(source)
  const branch = (week: string) =>
    `(select ${selected} from ${source.table} where root_id = $1${condition}${week} and ${filters} order by ${order})`
  // Asks for the indexes without a week.
  if (span === 'wide') return branch(order === 'position' ? ' and position > 0' : '')
  const weeks = Array.from({ length: span }, (_, place) => {
    const week = `($12::int[])[${place + 1}]`
    return ` and week = ${week}${place < EDGES ? withinDays(source, week) : ''}`
  })
  return weeks.map(branch).join(' union all ')
}

// The first and the last week of a window come first: of these not every day may be asked for.
const EDGES = 2

/** Only the positions between which the days that are asked for lie: no entry before or after them is looked at. */
function withinDays(source: Source, week: string): string {
  const days = (bound: string) => `(select ${bound} from ${source.days} where root_id = $1 and week = ${week}
      and day between $3::date - date '0001-01-01' and $4::date - date '0001-01-01')`
  return ` and position >= ${days('min(first_position)')} and position <= ${days('max(last_position)')}`
}

const known = new Map<string, Statement>()

/** Statements are written once for each shape of page that is asked for. */
function shaped(name: string, text: () => string): Statement {
  const found = known.get(name)
  if (found !== undefined) return found
  const made = statement(name, text())
  known.set(name, made)
  return made
}

export interface Asked {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** A page of entries: those after a position, and one more to know whether there are others. */
export interface PageRequest {
  readonly source: Source
  readonly scope: Scope
  readonly window: Window
  /** Organizations whose rows are not shown. */
  readonly hidden: readonly string[]
  readonly after: number
  readonly rows: number
  /** Nothing is read when the root has a larger entry than this. */
  readonly largestEntry: number
}

/** Rows of (position, entry). */
export function askPage(request: PageRequest): Asked {
  return ask('page', 'position, entry', request, request.rows + 1, (rows) => rows)
}

/** How large the entries of a page are together, each with its separator: one row. */
export function askSize(request: PageRequest): Asked {
  return ask(
    'size',
    'position, octet_length(entry) as bytes',
    request,
    request.rows,
    (rows) => `select coalesce(sum(bytes + 1), 0)::bigint as bytes from (${rows}) page`,
  )
}

function ask(
  purpose: 'page' | 'size',
  selected: string,
  { source, scope, window, hidden, after, largestEntry }: PageRequest,
  rows: number,
  whole: (rows: string) => string,
): Asked {
  const { way, leading } = leadOf(scope, window)
  const weeks = weeksOf(window)
  const span = spans.find((most) => most >= weeks.length) ?? 'wide'
  const many = leading.length > 1
  const name = `metrics.${purpose}-of-${source.name}-by-${way}-${span}${many ? '-many' : ''}`
  const { root, organizations, instance } = scope
  const { startDate, endDate, repositories, authors } = window
  const values: unknown[] = [
    root,
    after,
    startDate,
    endDate,
    organizations,
    instance,
    repositories,
    authors,
    hidden,
    rows,
    largestEntry,
  ]
  if (span !== 'wide') values.push(weeks)
  if (way !== 'root') values.push(many ? leading : leading[0])
  return { statement: shaped(name, () => whole(rowsOf({ source, way, span, many }, selected))), values }
}

/** The narrowest way that is known: an author has fewer rows than a repository, that fewer than an organization. */
function leadOf(
  { organizations, instance }: Scope,
  { authors, repositories }: Window,
): { way: Way; leading: readonly string[] } {
  if (authors !== null) return { way: 'author', leading: distinct(authors) }
  if (repositories !== null) return { way: 'repository', leading: distinct(repositories) }
  if (organizations !== null && organizations.length <= MOST_WALKED)
    return { way: 'organization', leading: distinct(organizations) }
  if (instance !== null) return { way: 'instance', leading: [instance] }
  return { way: 'root', leading: [] }
}

export function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
}

function weeksOf({ startDate, endDate }: Window): number[] {
  const [first, last] = [weekOf(startDate), weekOf(endDate)]
  if (first === last) return [first]
  return [first, last, ...Array.from({ length: last - first - 1 }, (_, place) => first + 1 + place)]
}

const head = statement(
  'metrics.head',
  `select ${largests.join(', ')}, state = 'here' as here, move from metrics_head where root_id = $1`,
)

export interface Head extends Readonly<Record<Largest, number>> {
  /** Whether the root is in this store, and the move that brought it. */
  readonly here: boolean
  readonly move: number
}

export async function readHead(scope: Scope, tx: Tx): Promise<Head | null> {
  const [row] = await tx.query<Head & object>(head, [scope.root])
  return row ?? null
}

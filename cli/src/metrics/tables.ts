// The tables that metrics are written as, in CSV and Parquet: which columns they have and which rows a record becomes.

export type Cell = string | number | boolean | null

export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'date'

export interface Column {
  readonly name: string
  readonly type: ColumnType
}

export interface Table {
  readonly columns: readonly Column[]
  /** The rows of one record of the API, each with a cell for every column. */
  toRows(record: unknown): Cell[][]
}

type Fields = Readonly<Record<string, Cell>>

const column =
  (type: ColumnType) =>
  (name: string): Column => ({ name, type })
const text = column('text')
const integer = column('integer')
const timestamp = column('timestamp')
const boolean = column('boolean')

const toCells = (columns: readonly Column[], fields: Fields): Cell[] =>
  columns.map(({ name }) => fields[name] ?? null)

/** One row per item of a record. A record without items has one row, so that it is not lost. */
function joinTable<Name extends string>(
  items: Name,
  recordColumns: readonly Column[],
  itemColumns: readonly Column[],
): Table {
  const noCells = itemColumns.map(() => null)
  return {
    columns: [...recordColumns, ...itemColumns],
    toRows(record) {
      const cells = toCells(recordColumns, record as Fields)
      const parts = (record as Readonly<Record<Name, readonly Fields[]>>)[items]
      if (parts.length === 0) return [[...cells, ...noCells]]
      return parts.map((part) => [...cells, ...toCells(itemColumns, part)])
    },
  }
}

const findingColumns = [text('url'), text('severity'), text('category'), boolean('accepted')]

/** `GET /v1/metrics/review-comments`: one row per finding. */
export const commentsTable = joinTable(
  'coderabbit_comments',
  [text('pr_url'), text('organization_id'), text('repository_id'), text('author_id'), timestamp('merged_at')],
  findingColumns,
)

/** The copy that `metrics sync` keeps: one row per finding. */
export const copyTable = joinTable(
  'findings',
  [
    text('pull_request_key'),
    text('pr_url'),
    text('organization_id'),
    text('organization_name'),
    text('repository_id'),
    text('repository_name'),
    integer('number'),
    text('author_id'),
    timestamp('merged_at'),
    { name: 'counted_on', type: 'date' },
  ],
  [text('finding_id'), ...findingColumns, text('reviewer')],
)

interface Counter {
  readonly posted: number
  readonly accepted: number
}

interface ReviewCounters {
  readonly total: Counter
  readonly severity: Readonly<Record<string, Counter>>
  readonly category: Readonly<Record<string, Counter>>
}

const severities = ['critical', 'major', 'minor', 'trivial', 'info']
const categories = [
  'data_integrity_and_integration',
  'functional_correctness',
  'maintainability_and_code_quality',
  'performance_and_scalability',
  'security_and_privacy',
  'stability_and_availability',
]

const reviewColumns: readonly Column[] = [
  ...[
    'pr_url',
    'author_id',
    'author_username',
    'organization_id',
    'organization_name',
    'repository_id',
    'repository_name',
    'status',
  ].map(text),
  ...[
    'created_at',
    'ready_for_review_at',
    'first_human_review_at',
    'last_commit_at',
    'merged_at',
    'closed_at',
  ].map(timestamp),
  integer('review_iterations'),
  integer('estimated_complexity'),
  { name: 'estimated_review_minutes', type: 'number' },
]

const counterColumns = ['total_coderabbit', ...severities, ...categories].flatMap((name) => [
  integer(`${name}_comments_posted`),
  integer(`${name}_comments_accepted`),
])

/** `GET /v1/metrics/reviews`: one row per pull request, with the columns of its CSV. */
export const reviewsTable: Table = {
  columns: [...reviewColumns, ...counterColumns, { name: 'counted_on', type: 'date' }],
  toRows(record) {
    const fields = record as Fields
    const { coderabbit_comments: counters } = record as { readonly coderabbit_comments: ReviewCounters }
    const { total, severity, category } = counters
    const all = [
      total,
      ...severities.map((name) => severity[name]),
      ...categories.map((name) => category[name]),
    ]
    const counts = all.flatMap((counter) => [counter?.posted ?? 0, counter?.accepted ?? 0])
    return [[...toCells(reviewColumns, fields), ...counts, fields['counted_on'] ?? null]]
  },
}

interface McpServer {
  readonly name: string
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly errors: number }[]
}

const mcpColumns = [
  text('pr_url'),
  text('organization_id'),
  text('repository_id'),
  text('author_id'),
  timestamp('merged_at'),
]

/** `GET /v1/metrics/mcp`: one row per tool. */
export const mcpTable: Table = {
  columns: [...mcpColumns, text('server'), text('tool'), integer('calls'), integer('errors')],
  toRows(record) {
    const { servers } = record as { readonly servers: readonly McpServer[] }
    const cells = toCells(mcpColumns, record as Fields)
    return servers.flatMap(({ name, tools }) =>
      tools.map((tool) => [...cells, name, tool.name, tool.calls, tool.errors]),
    )
  },
}

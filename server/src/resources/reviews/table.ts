import { type Counter, type Counters, categories, severities } from '../../metrics-store/findings.ts'
import { csvLine } from '../../text/csv.ts'
import { type ReviewScalar, reviewScalars } from './schema.ts'

/** An entry as it is stored. */
type Review = Readonly<Record<ReviewScalar, string | number | null>> & {
  readonly coderabbit_comments: Counters
}

const counted = ['total_coderabbit', ...severities, ...categories]

/** The columns of the table: a pull request a line, its counters beside what is known of it. */
export const reviewColumns: readonly string[] = [
  ...reviewScalars,
  ...counted.flatMap((sort) => [`${sort}_comments_posted`, `${sort}_comments_accepted`]),
]

/** `entries` is stored JSON, joined with commas. */
export function renderTable(entries: string): string {
  const reviews = JSON.parse(`[${entries}]`) as Review[]
  return csvLine(reviewColumns) + reviews.map((review) => csvLine(toCells(review))).join('')
}

function toCells(review: Review): (string | number | null)[] {
  const { total, severity, category } = review.coderabbit_comments
  const counters: Counter[] = [
    total,
    ...severities.map((sort) => severity[sort]),
    ...categories.map((sort) => category[sort]),
  ]
  return [
    ...reviewScalars.map((field) => review[field]),
    ...counters.flatMap(({ posted, accepted }) => [posted, accepted]),
  ]
}

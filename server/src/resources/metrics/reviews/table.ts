import {
  categories,
  type FindingCounter,
  type FindingCounters,
  severities,
} from '../../../metrics-store/findings.ts'
import { csvLine } from '../../../text/csv.ts'
import { type ReviewScalar, reviewScalars } from './schema.ts'

/** An entry as it is stored. */
type Review = Readonly<Record<ReviewScalar, string | number | null>> & {
  readonly coderabbit_comments: FindingCounters
}

const counterNames = ['total_coderabbit', ...severities, ...categories]

/** The columns of the table: a pull request a line, its counters beside what is known of it. */
export const reviewColumns: readonly string[] = [
  ...reviewScalars,
  ...counterNames.flatMap((name) => [`${name}_comments_posted`, `${name}_comments_accepted`]),
]

/** `entries` is stored JSON, joined with commas. */
export function renderTable(entries: string): string {
  const reviews = JSON.parse(`[${entries}]`) as Review[]
  return csvLine(reviewColumns) + reviews.map((review) => csvLine(toCells(review))).join('')
}

function toCells(review: Review): (string | number | null)[] {
  const { total, severity, category } = review.coderabbit_comments
  const counters: FindingCounter[] = [
    total,
    ...severities.map((name) => severity[name]),
    ...categories.map((name) => category[name]),
  ]
  return [
    ...reviewScalars.map((field) => review[field]),
    ...counters.flatMap(({ posted, accepted }) => [posted, accepted]),
  ]
}

import { contentHash, textForIdentity } from '../../../text/identity.ts'
import { REDACTOR_VERSION, redact } from '../../../text/redact.ts'
import type { LearningState } from '../lifecycle.ts'
import type { LearningRow } from '../write-sql.ts'

/** Learnings of one repository whose texts are equal under the current redactor version. */
export interface DuplicateGroup {
  /** The new row of the oldest Learning. */
  readonly survivor: LearningRow
  readonly absorbed: readonly LearningRow[]
  /** Whether its index row already matches its new text. */
  readonly isIndexed: boolean
}

/** Keeps the id even if the text changes. */
export function reRedactLearning(row: LearningRow): LearningRow {
  const { repository_id, text, file, source_url } = row
  if (row.redactor_version >= REDACTOR_VERSION) return row
  return {
    ...row,
    text: redact(text).text,
    content_hash: contentHash(repository_id, textForIdentity(text)),
    redactor_version: REDACTOR_VERSION,
    file: file === null ? null : redact(file).text,
    source_url: source_url === null ? null : redact(source_url).text,
  }
}

/** Merges equal texts into the oldest Learning. Uses at most one position after `base` per group. */
export function mergeDuplicates(
  rows: readonly LearningRow[],
  { base, at }: { readonly base: number; readonly at: Date },
): DuplicateGroup[] {
  const groups = Map.groupBy(rows, (row) => reRedactLearning(row).content_hash.toString('hex'))
  return [...groups.values()].map((duplicates, index) => mergeGroup(duplicates, base + index + 1, at))
}

// As if the texts had always been equal: the earliest decision wins.
const statePrecedence: Readonly<Record<LearningState, number>> = {
  shared: 2,
  disapproved: 2,
  pending: 1,
  private: 0,
}

function mergeGroup(duplicates: readonly LearningRow[], position: number, at: Date): DuplicateGroup {
  const [was, ...gone] = duplicates.toSorted(byAge)
  if (was === undefined) throw new Error('A group of duplicates must not be empty.')
  const [strongest = was] = duplicates.toSorted(
    (one, other) => comparePrecedence(one, other) || byAge(one, other),
  )
  const { state, source, deadline } = strongest
  const redacted = reRedactLearning(was)
  const isSame =
    redacted.text === was.text && redacted.file === was.file && redacted.source_url === was.source_url
  const is = {
    ...redacted,
    state,
    source: gone.length === 0 ? was.source : source,
    deadline,
    position: state === 'shared' ? (was.position ?? position) : null,
    updated_at: isSame && was.state === state ? was.updated_at : at,
  }
  return {
    survivor: is,
    absorbed: gone,
    isIndexed: was.state === 'shared' && redacted.content_hash.equals(was.content_hash),
  }
}

/** Among pending Learnings, the earlier deadline wins. */
function comparePrecedence(one: LearningRow, other: LearningRow): number {
  return (
    statePrecedence[other.state] - statePrecedence[one.state] ||
    getDeadlineTime(one.deadline) - getDeadlineTime(other.deadline)
  )
}

function getDeadlineTime(deadline: Date | null): number {
  return deadline === null ? Number.MAX_SAFE_INTEGER : deadline.getTime()
}

function byAge(one: LearningRow, other: LearningRow): number {
  return one.created_at.getTime() - other.created_at.getTime() || (one.id < other.id ? -1 : 1)
}

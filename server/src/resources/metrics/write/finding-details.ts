import { type Static, type TObject, Type } from 'typebox'
import { normalizeTime, OptionalTime, optionalNullable, singleLineText } from '../../../bus/queue/shapes.ts'
import { redact } from '../../../text/redact.ts'
import { encodeSketch } from '../../../text/sketch.ts'

// Where and how a finding was posted, and why its outcome is what it is: for the ledger of reviewers. Stored apart from the
// findings, because review comments and changes never return it. No text of a comment and no code is among it.

export const postingForms = ['inline', 'body', 'suppressed', 'annotation'] as const
export type PostingForm = (typeof postingForms)[number]

export const choice = (among: readonly string[]) =>
  optionalNullable(
    Type.String({ description: `One of ${among.join(', ')}; any other value is stored as null.` }),
  )

const MAX_PATH_LENGTH = 1024
const MAX_LINE = 2 ** 31 - 1
const MAX_SKETCH_NUMBERS = 64
const MAX_EVIDENCE = 20

const Line = optionalNullable(Type.Integer({ minimum: 1, maximum: MAX_LINE }))

export const detailFields = {
  file: optionalNullable(
    singleLineText(
      MAX_PATH_LENGTH,
      'Path in the repository. Secrets in it are redacted before it is stored.',
    ),
  ),
  start_line: Line,
  end_line: Line,
  commit: optionalNullable(
    Type.String({ pattern: '^[0-9a-fA-F]{7,64}$', description: 'Commit that the lines refer to.' }),
  ),
  posted_at: OptionalTime,
  posted_as: choice(postingForms),
  raw_severity: optionalNullable(singleLineText(100, 'Severity in the words of the reviewer.')),
  bot_key: optionalNullable(
    singleLineText(255, 'ID of the finding that the reviewer itself uses, the same when it is posted again.'),
  ),
  parser: optionalNullable(singleLineText(100, 'Name and version of the parser that read the finding.')),
  sketch: optionalNullable(
    Type.Array(Type.Integer({ minimum: 0, maximum: 0xffff }), {
      maxItems: MAX_SKETCH_NUMBERS,
      description: 'MinHash of the words of the finding: compares two findings without their text.',
    }),
  ),
}

/** Only the fields that were sent. */
export interface FindingDetails {
  readonly file?: string
  readonly start_line?: number
  readonly end_line?: number
  readonly commit?: string
  readonly posted_at?: string
  readonly posted_as?: PostingForm
  readonly raw_severity?: string
  readonly bot_key?: string
  readonly parser?: string
  /** As `encodeSketch` writes it. */
  readonly sketch?: string
}

export const evidenceFields = {
  rule: optionalNullable(singleLineText(64, 'Rule that decided the outcome.')),
  evidence: optionalNullable(
    Type.Array(Type.Object({ kind: singleLineText(64), at: OptionalTime }), {
      maxItems: MAX_EVIDENCE,
      description: 'What the outcome was decided on, and when that happened; no text and no code.',
    }),
  ),
}

export interface Evidence {
  readonly kind: string
  readonly at: string | null
}

/** null when no field was sent. */
export function normalizeDetails(given: Static<TObject<typeof detailFields>>): FindingDetails | null {
  const [start, end] = orderLines(given.start_line ?? null, given.end_line ?? null)
  const sketch = given.sketch ?? []
  const details = {
    file: given.file ? redact(given.file).text : null,
    start_line: start,
    end_line: end,
    commit: given.commit?.toLowerCase() ?? null,
    posted_at: normalizeTime(given.posted_at),
    posted_as: postingForms.find((form) => form === given.posted_as) ?? null,
    raw_severity: given.raw_severity ? redact(given.raw_severity).text : null,
    bot_key: given.bot_key ? redact(given.bot_key).text : null,
    parser: given.parser ?? null,
    sketch: sketch.length === 0 ? null : encodeSketch([...new Set(sketch)].sort((a, b) => a - b)),
  }
  const sent = Object.entries(details).filter(([, value]) => value !== null)
  return sent.length === 0 ? null : Object.fromEntries(sent)
}

/** One line alone is the whole range; a reversed range is put in order. */
function orderLines(start: number | null, end: number | null): [number | null, number | null] {
  const [one, other] = [start ?? end, end ?? start]
  return one !== null && other !== null && other < one ? [other, one] : [one, other]
}

import { type Static, Type } from 'typebox'
import { closed } from '../../shape.ts'

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof severities)[number]

export const findingStates = ['open', 'fixed', 'dismissed'] as const
export type FindingState = (typeof findingStates)[number]

const findingFormats = ['json', 'csv', 'sarif'] as const
export type FindingFormat = (typeof findingFormats)[number]

const text = (description: string) => Type.String({ description })
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const line = (description: string) => Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const oneOf = <Value extends string>(values: readonly Value[], options: Record<string, unknown>) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...options })

export const SecurityFindingsQuery = Type.Object(
  {
    org_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'Workspace tokens: the Git provider’s id of one organization. Ignored for other keys.',
      }),
    ),
    repo_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Findings of this repository, by its id at the Git provider.',
      }),
    ),
    scan_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Findings that this scan was the last to see.',
      }),
    ),
    state: Type.Optional(
      oneOf([...findingStates, 'all'], {
        default: 'open',
        description:
          'fixed: a later complete scan did not see it. dismissed: somebody said so, with a reason.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 100,
        description: 'Findings per page. Only with `format=json`: the other forms are whole.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({ description: 'next_cursor of the previous page, unchanged. Only with `format=json`.' }),
    ),
    format: Type.Optional(
      oneOf(findingFormats, {
        default: 'json',
        description: 'csv, sarif: one file with everything, at most 50,000 findings and 16 MiB.',
      }),
    ),
  },
  closed,
)

export type ListFindingsParams = Static<typeof SecurityFindingsQuery>

/** A finding as callers see it. */
const SecurityFinding = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Stays when its lines move or its file is renamed.' }),
    scan_id: text('The scan that saw it last.'),
    organization_id: text('ID assigned by the Git provider.'),
    organization_name: text('As of the writing.'),
    repository_id: text('ID assigned by the Git provider.'),
    repository_name: text('As of the writing.'),
    severity: oneOf(severities, {}),
    state: oneOf(findingStates, {}),
    cwe: Type.Union([Type.String(), Type.Null()], {
      description: 'The kind of weakness, if the scanner told it.',
      examples: ['CWE-89'],
    }),
    title: Type.String({ examples: ['SQL built from a request parameter'] }),
    description: text('Plain text, stripped of recognized credentials.'),
    file_path: Type.String({
      description: 'From the root of the repository.',
      examples: ['src/orders/search.ts'],
    }),
    start_line: line('null when the finding is about the whole file.'),
    end_line: line('The last line of it.'),
    first_seen_at: time('When a scan saw it first.'),
    last_seen_at: time('When a scan saw it last.'),
  },
  closed,
)

export type SecurityFinding = Static<typeof SecurityFinding>

/** The fields in the order in which they are told, in JSON and in CSV. */
export const securityFindingFields = Object.keys(
  SecurityFinding.properties,
) as readonly (keyof SecurityFinding)[]

export const SecurityFindingsPage = Type.Object(
  {
    data: Type.Array(SecurityFinding),
    next_cursor: textOrNull('null when no more remain.'),
  },
  closed,
)

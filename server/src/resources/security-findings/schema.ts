import { type Static, Type } from 'typebox'
import { choice, closedObject, nullable, optionalOrgId } from '../../shape.ts'

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof severities)[number]

export const findingStates = ['open', 'fixed', 'dismissed'] as const
export type FindingState = (typeof findingStates)[number]

const findingFormats = ['json', 'csv', 'sarif'] as const
export type FindingFormat = (typeof findingFormats)[number]

const text = (description: string) => Type.String({ description })
const line = (description: string) => nullable(Type.Integer({ minimum: 1 }), { description })
const time = (description: string) => Type.String({ format: 'date-time', description })

export const SecurityFindingsQuery = closedObject({
  org_id: optionalOrgId(
    'For workspace tokens: ID of one organization, assigned by the Git provider. Ignored for other keys.',
  ),
  repo_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only findings of this repository. ID assigned by the Git provider.',
    }),
  ),
  scan_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only findings that were last seen by this scan.',
    }),
  ),
  state: Type.Optional(
    choice([...findingStates, 'all'], {
      default: 'open',
      description: 'fixed: a later complete scan did not report it. dismissed: dismissed with a reason.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'Findings per page. Only with `format=json`; other formats return all findings.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: '`next_cursor` of the previous page, unchanged. Only with `format=json`.' }),
  ),
  format: Type.Optional(
    choice(findingFormats, {
      default: 'json',
      description: 'csv and sarif return one file with all findings, at most 50,000 findings and 16 MiB.',
    }),
  ),
})

export type ListFindingsParams = Static<typeof SecurityFindingsQuery>

/** A finding in responses. */
const SecurityFinding = closedObject({
  id: Type.String({
    format: 'uuid',
    description: 'Does not change when the lines move or the file is renamed.',
  }),
  scan_id: text('The scan that last reported the finding.'),
  organization_id: text('ID assigned by the Git provider.'),
  organization_name: text('Name when the finding was last written.'),
  repository_id: text('ID assigned by the Git provider.'),
  repository_name: text('Name when the finding was last written.'),
  severity: choice(severities, {}),
  state: choice(findingStates, {}),
  cwe: nullable(Type.String(), {
    description: 'Type of weakness; null if the scanner did not report one.',
    examples: ['CWE-89'],
  }),
  title: Type.String({ examples: ['SQL built from a request parameter'] }),
  description: text('Plain text. Recognized credentials are removed.'),
  file_path: Type.String({
    description: 'Path relative to the root of the repository.',
    examples: ['src/orders/search.ts'],
  }),
  start_line: line('First line; null if the finding concerns the whole file.'),
  end_line: line('Last line of the finding.'),
  first_seen_at: time('Time of the first scan that reported the finding.'),
  last_seen_at: time('Time of the last scan that reported the finding.'),
})

export type SecurityFinding = Static<typeof SecurityFinding>

/** Fields in the order of JSON and CSV. */
export const securityFindingFields = Object.keys(
  SecurityFinding.properties,
) as readonly (keyof SecurityFinding)[]

export const SecurityFindingsPage = closedObject({
  data: Type.Array(SecurityFinding),
  next_cursor: nullable(Type.String(), { description: 'null if there are no more findings.' }),
})

export const summaryKeys = ['severity', 'state', 'repository', 'age'] as const
export type SummaryKey = (typeof summaryKeys)[number]

/** Days since a finding was first seen. */
const ages = ['0-7', '8-30', '31-90', '91+'] as const
export type FindingAge = (typeof ages)[number]

const { org_id, repo_id, state } = SecurityFindingsQuery.properties

export const SecuritySummaryQuery = closedObject({
  org_id,
  repo_id,
  state,
  group_by: Type.Optional(
    Type.Array(choice(summaryKeys, {}), {
      maxItems: summaryKeys.length,
      uniqueItems: true,
      description: `Keys to group findings by, comma-separated: any of ${summaryKeys.join(', ')}. Without it the response has one total.`,
    }),
  ),
})

export type SummaryParams = Static<typeof SecuritySummaryQuery>

const SecurityGroup = closedObject(
  {
    severity: Type.Optional(choice(severities, {})),
    state: Type.Optional(choice(findingStates, {})),
    repository: Type.Optional(text('ID assigned by the Git provider.')),
    age: Type.Optional(choice(ages, { description: 'Whole days since the finding was first seen.' })),
    repository_name: Type.Optional(
      text('With `repository`: the name when its latest finding was written. It does not affect grouping.'),
    ),
  },
  {
    description: 'The keys of `group_by`, in this order. Groups without findings are not returned.',
  },
)

export const SecuritySummary = closedObject({
  data: Type.Array(
    closedObject({
      group: SecurityGroup,
      findings: Type.Integer({
        minimum: 0,
        description: 'As many as the list returns for the same filters.',
      }),
      oldest_first_seen_at: nullable(Type.String({ format: 'date-time' }), {
        description: 'When the oldest finding of the group was first seen; null if there is none.',
      }),
    }),
  ),
})

/** Only for the API reference: the standard describes the runs. */
export const SarifLog = closedObject(
  {
    $schema: Type.String(),
    version: Type.Literal('2.1.0'),
    runs: Type.Array(
      Type.Object({}, { description: 'One run per tool and repository, as the standard describes it.' }),
    ),
  },
  {
    description:
      'With `format=sarif`: a file in the Static Analysis Results Interchange Format (SARIF) 2.1.0, as a JSON object.',
  },
)

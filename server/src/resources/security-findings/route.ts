import { Type } from 'typebox'
import { allButLegacyAndAgenticKeys, defineEndpoint, type RequestContext } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../response-size.ts'
import examples from './examples.json' with { type: 'json' }
import { listSecurityFindings, refuseInvalidQuery } from './list.ts'
import {
  findingStates,
  SarifLog,
  SecurityFindingsPage,
  SecurityFindingsQuery,
  SecuritySummary,
  SecuritySummaryQuery,
  type SummaryKey,
  type SummaryParams,
  securityFindingFields,
  summaryKeys,
} from './schema.ts'
import { type FindingGroupRow, readFindingGroups } from './sql.ts'

/** The smallest possible size of a group. A summary with more groups than fit is refused. */
const MIN_GROUP_BYTES = 60
const MAX_GROUPS = Math.floor(MAX_RESPONSE_BYTES / MIN_GROUP_BYTES)

const NO_FINDINGS: FindingGroupRow = {
  severity: null,
  state: null,
  repository: null,
  repository_name: null,
  age: null,
  findings: 0,
  oldest_first_seen_at: null,
}

async function summarizeSecurityFindings(
  { scope, tx }: RequestContext,
  { query: { repo_id, state = 'open', group_by = [] } }: { readonly query: SummaryParams },
): Promise<Reply> {
  const rows = await readFindingGroups(scope, tx, {
    repositories: repo_id === undefined ? null : [repo_id],
    states: state === 'all' ? findingStates : [state],
    keys: group_by,
    maxGroups: MAX_GROUPS,
  })
  if (rows.length > MAX_GROUPS) return refuseLargeResponse('Group by fewer keys or add filters.')
  // Without keys the response has one total, even when it counts nothing.
  const groups = rows.length === 0 && group_by.length === 0 ? [NO_FINDINGS] : rows
  const keys = summaryKeys.filter((key) => group_by.includes(key))
  const data = groups.map(({ findings, oldest_first_seen_at, ...values }) => ({
    group: renderGroup(keys, values),
    findings,
    oldest_first_seen_at,
  }))
  return ok({ data })
}

function renderGroup(
  keys: readonly SummaryKey[],
  values: Omit<FindingGroupRow, 'findings' | 'oldest_first_seen_at'>,
) {
  return {
    ...Object.fromEntries(keys.map((key) => [key, values[key]])),
    ...(keys.includes('repository') && { repository_name: values.repository_name }),
  }
}

const readDefaults = {
  method: 'GET',
  tag: 'Security',
  keys: allButLegacyAndAgenticKeys,
  organization: 'optional',
  plan: 'any',
  permission: 'security:read',
  admin: false,
  limit: 'security',
  readsWithAdmission: true,
  maxReplyBytes: MAX_RESPONSE_BYTES,
} as const

export const securityFindings = defineEndpoint({
  ...readDefaults,
  path: '/v1/security/scans/code',
  operationId: 'listSecurityFindings',
  example: examples.securityFindings,
  summary: 'List or download the findings of security scans',
  description:
    'Returns findings of code scans as JSON pages in write order, or as one file. A finding keeps its ID when its lines ' +
    'move or its file is renamed. A finding that changes, for example its state, moves to the end of the order, so that a ' +
    'reader of later pages gets it again; a finding that is only seen again does not move. SARIF files have one run per ' +
    'tool and repository, plain text only, and a fingerprint that does not change when lines move.',
  query: SecurityFindingsQuery,
  checks: { input: refuseInvalidQuery },
  paging: {
    defaultLimit: 100,
    limitInCursor: false,
    boundBy: ['repo_id', 'scan_id', 'state'],
    positions: 'security',
  },
  replies: {
    200: {
      description: 'A page of findings, or a file with all findings.',
      body: SecurityFindingsPage,
      files: {
        'text/csv': Type.String({
          description: `With \`format=csv\`: a header and one line per finding, as in RFC 4180. Columns: ${securityFindingFields.join(', ')}.`,
        }),
        'application/sarif+json': SarifLog,
      },
    },
  },
  run: listSecurityFindings,
})

export const securitySummary = defineEndpoint({
  ...readDefaults,
  path: '/v1/security/summary',
  operationId: 'summarizeSecurityFindings',
  example: examples.securitySummary,
  summary: 'Count the findings of security scans',
  description:
    'Returns how many findings there are and when the oldest of them was first seen, grouped by the keys in `group_by`. ' +
    'The counts match `/v1/security/scans/code` with the same filters. Groups are sorted by severity, state, ' +
    'repository and age.',
  query: SecuritySummaryQuery,
  replies: {
    200: { description: 'All groups with findings; one total without `group_by`.', body: SecuritySummary },
  },
  run: summarizeSecurityFindings,
})

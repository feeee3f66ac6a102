import { Type } from 'typebox'
import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { MAX_RESPONSE_BYTES } from '../../response-size.ts'
import { NoPath } from '../../shape.ts'
import { securityFindingsExample, securitySummaryExample } from './examples.ts'
import { listSecurityFindings, refuseInvalidQuery } from './list.ts'
import {
  SarifLog,
  SecurityFindingsPage,
  SecurityFindingsQuery,
  SecuritySummary,
  SecuritySummaryQuery,
  securityFindingFields,
} from './schema.ts'
import { summarizeSecurityFindings } from './summary.ts'

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
  errorBody: 'error',
  params: NoPath,
  body: null,
  maxReplyBytes: MAX_RESPONSE_BYTES,
} as const

export const securityFindings = defineEndpoint({
  ...readDefaults,
  path: '/v1/security/scans/code',
  operationId: 'listSecurityFindings',
  example: securityFindingsExample,
  summary: 'List or download the findings of security scans',
  description:
    'Returns findings of code scans as JSON pages in write order, or as one file. A finding keeps its ID when its lines ' +
    'move or its file is renamed. A finding that changes, for example its state, moves to the end of the order, so that a ' +
    'reader of later pages gets it again; a finding that is only seen again does not move. SARIF files have one run per ' +
    'tool and repository, plain text only, and a fingerprint that does not change when lines move.',
  query: SecurityFindingsQuery,
  refine: refuseInvalidQuery,
  paging: { defaultLimit: 100, limitInCursor: false, positions: 'security' },
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
  refusals: ['INVALID_CURSOR'],
  run: listSecurityFindings,
})

export const securitySummary = defineEndpoint({
  ...readDefaults,
  path: '/v1/security/summary',
  operationId: 'summarizeSecurityFindings',
  example: securitySummaryExample,
  summary: 'Count the findings of security scans',
  description:
    'Returns how many findings there are and when the oldest of them was first seen, grouped by the keys in `group_by`. ' +
    'The counts match `/v1/security/scans/code` with the same filters. Groups are sorted by severity, state, ' +
    'repository and age.',
  query: SecuritySummaryQuery,
  paging: null,
  replies: {
    200: { description: 'All groups with findings; one total without `group_by`.', body: SecuritySummary },
  },
  refusals: [],
  run: summarizeSecurityFindings,
})

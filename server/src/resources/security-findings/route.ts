import { Type } from 'typebox'
import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { MAX_RESPONSE_BYTES } from '../../response-size.ts'
import { NoPath } from '../../shape.ts'
import { securityFindingsExample } from './examples.ts'
import { listSecurityFindings, refuseInvalidQuery } from './list.ts'
import { SarifLog, SecurityFindingsPage, SecurityFindingsQuery, securityFindingFields } from './schema.ts'

export const securityFindings = defineEndpoint({
  method: 'GET',
  path: '/v1/security/scans/code',
  operationId: 'listSecurityFindings',
  example: securityFindingsExample,
  summary: 'List or download the findings of security scans',
  description:
    'Returns findings of code scans as JSON pages in write order, or as one file. A finding keeps its ID when its lines ' +
    'move or its file is renamed. A finding that changes, for example its state, moves to the end of the order, so that a ' +
    'reader of later pages gets it again; a finding that is only seen again does not move. SARIF files have one run per ' +
    'tool and repository, plain text only, and a fingerprint that does not change when lines move.',
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
  query: SecurityFindingsQuery,
  body: null,
  refine: refuseInvalidQuery,
  paging: { defaultLimit: 100, limitInCursor: false, positions: 'security' },
  maxReplyBytes: MAX_RESPONSE_BYTES,
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

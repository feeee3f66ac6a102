import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { MAX_RESPONSE_BYTES } from '../../response-size.ts'
import { NoPath } from '../../shape.ts'
import { listSecurityFindings, refuseInvalidQuery } from './list.ts'
import { SecurityFindingsPage, SecurityFindingsQuery, securityFindingFields } from './schema.ts'

export const securityFindings = defineEndpoint({
  method: 'GET',
  path: '/v1/security/scans/code',
  operationId: 'listSecurityFindings',
  summary: 'List or download the findings of security scans',
  description:
    'Findings of code scans, as pages of JSON in the order of writing, or as one file. A finding keeps its id when its ' +
    'lines move or its file is renamed. One that shows something new, such as another state, moves to the end of the ' +
    'order, so that who reads on meets it again; one that was merely seen again stays. SARIF has a run for each tool and ' +
    'repository, plain text only, and a fingerprint that survives moved lines.',
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
  paging: { defaultLimit: 100, limitInCursor: false },
  maxReplyBytes: MAX_RESPONSE_BYTES,
  replies: {
    200: {
      description: 'A page of findings, or all of them as a file.',
      body: SecurityFindingsPage,
      files: {
        'text/csv': `With \`format=csv\`: a header and one line a finding, by RFC 4180. Columns: ${securityFindingFields.join(', ')}.`,
        'application/sarif+json':
          'With `format=sarif`: a file by the Static Analysis Results Interchange Format 2.1.0.',
      },
    },
  },
  refusals: ['INVALID_CURSOR'],
  run: listSecurityFindings,
})

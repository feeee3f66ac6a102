import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { NoPath } from '../../shape.ts'
import { auditLogsExample } from './examples.ts'
import { listAuditLogs } from './list.ts'
import { AuditLogsPage, AuditLogsQuery } from './schema.ts'
import { refuseInvalidQuery } from './window.ts'

export const auditLogs = defineEndpoint({
  method: 'GET',
  path: '/v1/audit-logs',
  operationId: 'listAuditLogs',
  example: auditLogsExample,
  summary: 'Read the audit log',
  description:
    'Lists changes and refused requests with their actors. Numbered pages start with the newest row. To poll, use a cursor ' +
    'instead: it returns rows in write order, never skips a row and does not expire. A workspace token without org_id reads ' +
    'the whole workspace, including rows that belong to no organization.',
  tag: 'Audit log',
  keys: allButLegacyAndAgenticKeys,
  organization: 'optional',
  plan: 'enterprise',
  permission: 'audit_log:read',
  admin: false,
  limit: 'audit',
  readsWithAdmission: true,
  errorBody: 'error',
  params: NoPath,
  query: AuditLogsQuery,
  body: null,
  refine: refuseInvalidQuery,
  paging: { defaultLimit: 10, limitInCursor: false, startCursor: 'start', positions: 'audit' },
  replies: { 200: { description: 'A page of the audit log.', body: AuditLogsPage } },
  refusals: ['INVALID_CURSOR', 'ORG_ID_AMBIGUOUS', 'ORGANIZATION_NOT_FOUND'],
  run: listAuditLogs,
})

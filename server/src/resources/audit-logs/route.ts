import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { NoPath } from '../../shape.ts'
import { listAuditLogs } from './list.ts'
import { AuditLogsPage, AuditLogsQuery } from './schema.ts'
import { refuseInvalidQuery } from './window.ts'

export const auditLogs = defineEndpoint({
  method: 'GET',
  path: '/v1/audit-logs',
  operationId: 'listAuditLogs',
  summary: 'Read the audit log',
  description:
    'What was changed and what was refused, by whom. Pages are numbered from the newest row on. For pollers there is a ' +
    'cursor instead: it goes in the order of writing, never passes a row by, and can be kept and used again at any time. ' +
    'A workspace token without org_id reads the whole workspace, with what belongs to no organization.',
  tag: 'Audit log',
  keys: allButLegacyAndAgenticKeys,
  organization: 'optional',
  plan: 'enterprise',
  permission: 'audit_log:read',
  admin: true,
  limit: 'audit',
  readsWithAdmission: true,
  errorBody: 'error',
  params: NoPath,
  query: AuditLogsQuery,
  body: null,
  refine: refuseInvalidQuery,
  paging: { defaultLimit: 10, limitInCursor: false, startCursor: 'start' },
  replies: { 200: { description: 'A page of the audit log.', body: AuditLogsPage } },
  refusals: ['INVALID_CURSOR', 'ORG_ID_AMBIGUOUS', 'ORGANIZATION_NOT_FOUND'],
  run: listAuditLogs,
})

import { allButLegacyAndAgenticKeys, defineEndpoint, type RequestContext } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import examples from './examples.json' with { type: 'json' }
import { listAuditLogs } from './list.ts'
import {
  AuditChain,
  AuditChainQuery,
  type AuditChainRequest,
  AuditLogsPage,
  AuditLogsQuery,
} from './schema.ts'
import { readChain, readPublicKeys, readSignedHeads } from './sql.ts'
import { refuseInvalidQuery } from './window.ts'

/** The chain belongs to the tenant root, so every caller of the root gets the same one. */
async function readAuditChain(
  { scope, tx }: RequestContext,
  { query: { after = 0, limit = 1000 } }: { readonly query: AuditChainRequest },
): Promise<Reply> {
  const data = await readChain(scope, tx, after, limit)
  const last = data.at(-1)?.position ?? after
  const [heads, public_keys] = await Promise.all([
    readSignedHeads(scope, tx, after, last),
    readPublicKeys(scope, tx),
  ])
  return ok({ data, heads, public_keys })
}

const common = {
  method: 'GET',
  tag: 'Audit log',
  keys: allButLegacyAndAgenticKeys,
  organization: 'optional',
  permission: 'audit_log:read',
  admin: false,
  limit: 'audit',
  readsWithAdmission: true,
} as const

export const auditLogs = defineEndpoint({
  ...common,
  path: '/v1/audit-logs',
  operationId: 'listAuditLogs',
  example: examples.auditLogs,
  summary: 'Read the audit log',
  description:
    'Lists changes and refused requests with their actors. Numbered pages start with the newest row. To poll, use a cursor ' +
    'instead: it returns rows in write order, never skips a row and does not expire. A workspace token without org_id reads ' +
    'the whole workspace, including rows that belong to no organization.',
  query: AuditLogsQuery,
  checks: { input: refuseInvalidQuery },
  paging: {
    defaultLimit: 10,
    limitInCursor: false,
    boundBy: ['search', 'actions', 'resource_types', 'date_from', 'date_to'],
    startCursor: 'start',
    positions: 'audit',
  },
  replies: { 200: { description: 'A page of the audit log.', body: AuditLogsPage } },
  refusals: ['ORG_ID_AMBIGUOUS', 'ORGANIZATION_NOT_FOUND'],
  run: listAuditLogs,
})

export const auditChain = defineEndpoint({
  ...common,
  path: '/v1/audit-logs/chain',
  operationId: 'readAuditChain',
  example: examples.auditChain,
  summary: 'Read the hash chain of the audit log',
  description:
    'Returns position, digest and hash of all rows of the tenant root, also of those that the key cannot read, with the signed ' +
    'heads of these positions and the public keys. With them a caller verifies the rows of `GET /v1/audit-logs`: the digest ' +
    'is the SHA-256 of `content`, and the hash the SHA-256 of the previous hash (32 zero bytes before row 1), the position ' +
    '(8 bytes, big-endian) and the digest. To read on, pass the last position as `after`.',
  query: AuditChainQuery,
  replies: { 200: { description: 'A part of the chain.', body: AuditChain } },
  refusals: ['ORG_ID_AMBIGUOUS', 'ORGANIZATION_NOT_FOUND'],
  run: readAuditChain,
})

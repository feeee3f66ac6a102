import type { UploadEndpoint } from '../../http/ingest/endpoint.ts'
import examples from './examples.json' with { type: 'json' }
import { acceptSarif } from './sarif/accept.ts'
import { SarifFile, UploadQuery, UploadReceipt } from './schema.ts'

const MIB = 1024 ** 2

export const uploadSarif: UploadEndpoint = {
  method: 'POST',
  path: '/ingest/v1/sarif',
  operationId: 'uploadSarif',
  example: examples.uploadSarif,
  summary: 'Upload a SARIF file',
  description:
    'Uploads findings of security tools in a repository as a SARIF 2.1.0 file of at most 25 MiB (uncompressed) and 50,000 ' +
    'results. Runs with the same tool and category form one scan. The findings are stored, without credentials and code, ' +
    'before the response is sent, and are compared with earlier scans shortly after.',
  tag: 'Events',
  errorBody: 'error',
  query: UploadQuery,
  mediaTypes: ['application/sarif+json', 'application/json'],
  file: SarifFile,
  maxBytes: 25 * MIB,
  replies: { 202: { description: 'The stored scans.', body: UploadReceipt } },
  refusals: ['RATE_LIMIT_EXCEEDED'],
  run: acceptSarif,
}

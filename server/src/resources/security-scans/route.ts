import type { UploadEndpoint } from '../../http/ingest/endpoint.ts'
import { acceptSarif } from './sarif/accept.ts'
import { SarifFile, UploadQuery, UploadReceipt } from './schema.ts'

const MIB = 1024 ** 2

export const uploadSarif: UploadEndpoint = {
  method: 'POST',
  path: '/ingest/v1/sarif',
  operationId: 'uploadSarif',
  summary: 'Send a SARIF file',
  description:
    'What security tools found in a repository, as a file of SARIF 2.1.0 of at most 25 MiB (after inflating) and 50,000 ' +
    'results. Each tool and category of runs in it is one scan. The file is read at once; its findings are stored, ' +
    'without credentials and without code, before the answer is sent, and are compared with earlier scans soon after.',
  tag: 'Events',
  errorBody: 'error',
  query: UploadQuery,
  mediaTypes: ['application/sarif+json', 'application/json'],
  file: SarifFile,
  maxBytes: 25 * MIB,
  replies: { 202: { description: 'The scans that were stored.', body: UploadReceipt } },
  refusals: [],
  run: acceptSarif,
}

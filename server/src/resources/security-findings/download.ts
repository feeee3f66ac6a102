import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { Reply } from '../../http/reply.ts'
import { checkResponseSize, MAX_RESPONSE_BYTES } from '../../response-size.ts'
import { CSV_TYPE, csvLine } from '../../text/csv.ts'
import { createSarifFile } from './sarif.ts'
import { type FindingFormat, securityFindingFields } from './schema.ts'
import { type FindingFilter, type FindingRow, readAllFindings } from './sql.ts'

const MAX_FINDINGS = 50_000

/**
 * Builds the whole file before the first byte is sent: it is refused or complete, and one snapshot. A slow client
 * occupies memory, at most 16 MiB, but no database connection.
 */
export async function createDownload(
  scope: Scope,
  tx: Tx,
  filter: FindingFilter,
  format: Exclude<FindingFormat, 'json'>,
): Promise<Reply> {
  const file = format === 'csv' ? createCsvFile() : createSarifFile()
  let [records, bytes] = [0, 0]
  const order = format === 'csv' ? 'position' : 'place'
  for await (const rows of readAllFindings(scope, tx, filter, { most: MAX_FINDINGS + 1, order })) {
    records += rows.length
    if (records > MAX_FINDINGS) refuseTooManyFindings()
    bytes += file.add(rows)
    checkResponseSize(bytes, MAX_RESPONSE_BYTES, NARROW_HINT)
  }
  const chunks = file.end()
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  checkResponseSize(size, MAX_RESPONSE_BYTES, NARROW_HINT)
  return {
    status: 200,
    headers: { 'content-disposition': `attachment; filename="security-findings.${format}"` },
    body: { chunks, type: contentTypes[format] },
  }
}

const contentTypes = { csv: CSV_TYPE, sarif: 'application/sarif+json; charset=utf-8' } as const

function createCsvFile() {
  const chunks = [Buffer.from(csvLine(securityFindingFields))]
  return {
    add(rows: readonly FindingRow[]): number {
      const chunk = Buffer.from(
        rows.map((row) => csvLine(securityFindingFields.map((field) => row[field]))).join(''),
      )
      chunks.push(chunk)
      return chunk.length
    },
    end: () => chunks,
  }
}

const NARROW_HINT = 'Filter by repo_id, scan_id or state, or read pages with format=json.'

function refuseTooManyFindings(): never {
  return refuse('RESPONSE_TOO_LARGE', `The file would have more than 50,000 findings. ${NARROW_HINT}`)
}

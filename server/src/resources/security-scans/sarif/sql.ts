import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { Finding } from '../finding.ts'

const FINDINGS_A_PART = 500

const insertUpload = statement(
  'security-scans.insert-upload',
  'insert into sarif_upload (root_id, id, created_at) values ($1, $2, $3)',
)

const insertPart = statement(
  'security-scans.insert-upload-part',
  'insert into sarif_upload_part (root_id, upload_id, run, part, findings) values ($1, $2, $3, $4, $5)',
)

/** In parts, so that no row and no message is large; a run without findings has one part, which is empty. */
export async function storeUpload(
  scope: Scope,
  tx: Tx,
  id: string,
  at: Date,
  runs: readonly (readonly Finding[])[],
): Promise<void> {
  await tx.query(insertUpload, [scope.root, id, at])
  for (const [run, findings] of runs.entries()) {
    for (let part = 0; part === 0 || part * FINDINGS_A_PART < findings.length; part++) {
      const slice = findings.slice(part * FINDINGS_A_PART, (part + 1) * FINDINGS_A_PART)
      await tx.query(insertPart, [scope.root, id, run, part, JSON.stringify(slice)])
    }
  }
}

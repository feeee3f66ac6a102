import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'

const insertUpload = statement(
  'security-scans.insert-upload',
  'insert into sarif_upload (root_id, id, created_at) values ($1, $2, $3)',
)

const insertPart = statement(
  'security-scans.insert-upload-part',
  'insert into sarif_upload_part (root_id, upload_id, run, part, findings) values ($1, $2, $3, $4, $5)',
)

/** Stores the packed parts of each run. */
export async function storeUpload(
  scope: Scope,
  tx: Tx,
  id: string,
  at: Date,
  runs: readonly (readonly string[])[],
): Promise<void> {
  await tx.query(insertUpload, [scope.root, id, at])
  for (const [run, parts] of runs.entries()) {
    for (const [part, findings] of parts.entries()) {
      await tx.query(insertPart, [scope.root, id, run, part, findings])
    }
  }
}

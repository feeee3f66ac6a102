import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'

const head = statement('demo.security-head', 'select 1 as found from security_head where root_id = $1')

const open = statement(
  'demo.open-findings',
  'select id, rule_id, repository_id from security_finding where root_id = $1 order by position',
)

/** Whether the root has ever been told of a scan. */
export async function hasHadScans(scope: Scope, tx: Tx): Promise<boolean> {
  return (await tx.query(head, [scope.root])).length > 0
}

export function readFoundIds(
  scope: Scope,
  tx: Tx,
): Promise<{ id: string; rule_id: string; repository_id: string }[]> {
  return tx.query<{ id: string; rule_id: string; repository_id: string }>(open, [scope.root])
}

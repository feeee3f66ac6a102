import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { LearningId, OrganizationId } from '../../../ids.ts'

/** What no verb can say of a Learning: how it has fared since it was written. */
export interface Career {
  readonly organization_id: OrganizationId
  readonly id: LearningId
  readonly source: string
  readonly disapproved: boolean
  readonly uses: number
  readonly last_used_at: Date | null
}

const head = statement('demo.learning-head', 'select 1 as found from learning_head where root_id = $1')

const careers = statement(
  'demo.careers',
  `update learning l set source = given.source, usage_count = given.uses, last_used_at = given.last_used_at,
     state = case when given.disapproved then 'disapproved' else l.state end
   from json_to_recordset($2) as given (organization_id uuid, id uuid, source text, disapproved boolean, uses bigint,
     last_used_at timestamptz)
   where l.root_id = $1 and l.organization_id = given.organization_id and l.id = given.id`,
)

/** Whether the root has ever had a Learning. */
export async function hasHadLearnings(scope: Scope, tx: Tx): Promise<boolean> {
  return (await tx.query(head, [scope.root])).length > 0
}

export async function writeCareers(scope: Scope, tx: Tx, given: readonly Career[]): Promise<void> {
  await tx.query(careers, [scope.root, JSON.stringify(given)])
}

import { auditChange } from '../../access/change-context.ts'
import { rootScope, type Scope } from '../../access/scope.ts'
import type { KnownRestrictions, Restriction } from '../../bus/restrictions.ts'
import type { Pool } from '../../db/connect.ts'
import { inTransaction, type Tx } from '../../db/transaction.ts'
import type { LearningId, OrganizationId, RootId } from '../../ids.ts'
import { applyRestriction, endSessionsAndLinks } from './restrictions-sql.ts'

export interface AppliedRestrictions {
  readonly restrictions: number
  readonly sessions: number
  readonly links: number
  /** Commands of the operator that must run again: erasures and deletions. */
  readonly commands: readonly string[]
}

export interface ApplyOptions {
  readonly restoredTo: Date
  readonly at: Date
  /** Returns null if there is no such Learning. */
  readonly removeLearning: (
    scope: Scope,
    tx: Tx,
    organization: OrganizationId,
    id: LearningId,
    at: Date,
  ) => Promise<unknown>
}

/** Takes away again, in every root, what was taken away after the restore point, and ends all sessions and unused links. */
export async function applyRestrictions(
  pool: Pool,
  roots: readonly RootId[],
  { restrictions }: Pick<KnownRestrictions, 'restrictions'>,
  options: ApplyOptions,
): Promise<AppliedRestrictions> {
  const byRoot = Map.groupBy(restrictions, ({ root }) => root)
  const total = { restrictions: 0, sessions: 0, links: 0 }
  for (const root of roots) {
    const applied = await applyToRoot(pool, root, byRoot.get(root) ?? [], options)
    for (const [name, count] of Object.entries(applied)) total[name as keyof typeof total] += count
  }
  return { ...total, commands: restrictions.flatMap(toCommand) }
}

function applyToRoot(
  pool: Pool,
  root: RootId,
  restrictions: readonly Restriction[],
  options: ApplyOptions,
): Promise<Omit<AppliedRestrictions, 'commands'>> {
  const scope = rootScope(root)
  const { restoredTo, at, removeLearning } = options
  const apply = async (tx: Tx, change: Restriction['change']) => {
    if (change.table === 'root_tombstone') return false
    if (change.table !== 'learning' || !change.deleted) return applyRestriction(scope, tx, change)
    const [organization, id] = [change['organization_id'] as OrganizationId, change['id'] as LearningId]
    return (await removeLearning(scope, tx, organization, id, at)) !== null
  }
  return inTransaction(pool, scope, async (tx) => {
    let applied = 0
    for (const { change } of restrictions) if (await apply(tx, change)) applied += 1
    const ended = await endSessionsAndLinks(scope, tx, at)
    const counts = { restrictions: applied, ...ended }
    if (applied + ended.sessions + ended.links > 0)
      await auditChange(
        { tx, scope, actor: { kind: 'operator', id: null }, at },
        {
          action: 'root_restored',
          resourceId: root,
          organization: null,
          metadata: { restored_to: restoredTo.toISOString(), ...counts },
        },
      )
    return counts
  })
}

/** What takes long and asks for a confirmation is left to the operator. */
function toCommand({ root, change }: Restriction): string[] {
  if (change.table === 'root_tombstone') return [`root delete --root ${root}`]
  const isErasure = change.table === 'person' && change['erased_at'] !== null
  return isErasure ? [`person erase --root ${root} --person ${String(change['id'])}`] : []
}

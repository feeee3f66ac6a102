import { actorOf, auditAll } from '../../access/audit.ts'
import { takeSeats } from '../../access/root.ts'
import { emit } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import type { Context } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { updateMode } from './sql.ts'

interface Mode {
  readonly mode: 'automatic' | 'manual'
}

/** Requests that wait stay: an admin decides them, or leaves them. */
export async function setSeatMode(
  context: Context,
  { body: { mode } }: { readonly body: Mode },
): Promise<Reply> {
  const { scope, tx, principal } = context
  const [, meant] = await Promise.all([takeSeats(scope, tx), updateMode(scope, tx, mode)])
  if (meant.length === 0) {
    return principal.kind === 'instance'
      ? refuse('ORGANIZATION_NOT_FOUND', 'This key is authorized for no active organization.')
      : refuse('SELF_HOSTED_ONLY', 'The seat assignment mode can be set for self-hosted organizations only.')
  }
  const changed = meant.filter(({ differs }) => differs).map(({ id }) => id)
  const actor = actorOf(context)
  const entries = changed.map((organization) => {
    return {
      action: 'seat_mode_changed',
      resourceType: 'seat',
      resourceId: organization,
      organization,
      actor,
      metadata: { mode },
    } as const
  })
  const told = changed.map((organization_id) =>
    emit(tx, scope, { type: 'organization.changed', payload: { organization_id, active: true } }),
  )
  await Promise.all([...told, auditAll(tx, scope, entries, context.now())])
  return ok({ mode })
}

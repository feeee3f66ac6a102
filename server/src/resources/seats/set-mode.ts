import { auditChanges, toChange } from '../../access/change-context.ts'
import { lockAndCountSeats } from '../../access/root.ts'
import { emit } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import type { AccessCheck, RequestContext } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { hasSelfHosted, updateMode } from './sql.ts'

interface SeatModeBody {
  readonly mode: 'automatic' | 'manual'
}

export async function refuseUnlessSelfHosted({ principal, scope, tx }: AccessCheck): Promise<void> {
  if (await hasSelfHosted(scope, tx)) return
  if (principal.kind === 'instance')
    refuse('ORGANIZATION_NOT_FOUND', 'This key is not authorized for any active organization.')
  refuse('SELF_HOSTED_ONLY', 'The seat assignment mode can only be set for self-hosted organizations.')
}

/** Open requests for seats are unchanged: an admin decides them. */
export async function setSeatMode(
  context: RequestContext,
  { body: { mode } }: { readonly body: SeatModeBody },
): Promise<Reply> {
  const change = toChange(context)
  const { scope, tx } = change
  const [, organizations] = await Promise.all([lockAndCountSeats(scope, tx), updateMode(scope, tx, mode)])
  const changed = organizations.filter(({ differs }) => differs).map(({ id }) => id)
  const entries = changed.map((organization) => {
    return {
      action: 'seat_mode_changed',
      resourceId: organization,
      organization,
      metadata: { mode },
      before: { mode: mode === 'manual' ? 'automatic' : 'manual' },
      after: { mode },
    } as const
  })
  const emitted = changed.map((organization_id) =>
    emit(tx, scope, { type: 'organization.changed', payload: { organization_id, active: true } }),
  )
  await Promise.all([...emitted, auditChanges(change, entries)])
  return ok({ mode })
}

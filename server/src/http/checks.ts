import type { Principal } from '../access/principal.ts'
import { refuse } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'

// What an endpoint asks of whoever calls it; the door asks in the contract's order.

export function refuseKind({ keys }: Pick<Endpoint, 'keys'>, { kind }: Principal): void {
  const verdict = keys[kind]
  switch (verdict) {
    case 'allowed':
      return
    case 'LEGACY_API_KEY':
      return refuse(
        verdict,
        'Legacy API keys are no longer accepted here. Regenerate the key and retry with the new one.',
      )
    case 'KEY_KIND_NOT_ALLOWED':
      return refuse(verdict, `This endpoint does not accept keys of the kind "${kind}".`)
  }
}

export function refuseDemotedOwner(principal: Principal): void {
  if (principal.kind === 'workspace' && !principal.admin) {
    refuse(
      'OWNER_NOT_ADMIN',
      'The owner of this workspace token is no longer a workspace admin. Ask an admin for a new token.',
    )
  }
}

export function refusePlan({ plan }: Endpoint, principal: Principal): void {
  if (plan === 'any') return
  if (principal.plan !== 'enterprise') {
    refuse('ENTERPRISE_REQUIRED', 'This endpoint needs the Enterprise plan.')
  }
  if (!principal.subscriptionActive) {
    refuse('NO_ACTIVE_SUBSCRIPTION', 'The organization has no active subscription. Renew it and retry.')
  }
}

export function refusePermission({ admin, permission }: Endpoint, principal: Principal): void {
  if (admin && !principal.admin) refuse('NOT_ADMIN', 'This endpoint needs the Admin role.')
  if (permission !== null && !principal.permissions.has(permission)) {
    refuse(
      'PERMISSION_DENIED',
      `This endpoint needs the permission ${permission}, of the key and of its owner's role.`,
    )
  }
}

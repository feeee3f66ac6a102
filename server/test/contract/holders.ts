import assert from 'node:assert/strict'
import { type KeyKind, keyKinds, makeKey } from '../../src/access/key-format.ts'
import type { ErrorCode } from '../../src/errors.ts'
import type { Tenant, TestKey, TestOrganization } from '../tenant.ts'
import { type Row, refusalOf } from './table.ts'

/** A key under the name of its row in the matrix. What it opens is said by its kind, unless it is dead. */
export interface Holder {
  readonly name: string
  readonly value: string | undefined
  readonly key?: TestKey
  readonly kind?: KeyKind
  readonly dead?: ErrorCode
}

const targets = ['own', 'sibling', 'foreign', 'missing', 'ALL', 'nothing'] as const
export type Target = (typeof targets)[number]

export async function makeHolders(tenant: Tenant): Promise<Holder[]> {
  const unknown = makeKey('user')
  const dead = 'UNAUTHORIZED'
  const living: Holder[] = []
  for (const kind of keyKinds) {
    const key = await tenant.keyOf(kind)
    living.push({ name: kind, value: key.value, key, kind })
  }
  const made = async (name: string, ...of: Parameters<Tenant['keyOf']>) => {
    const key = await tenant.keyOf(...of)
    return { name, key, value: key.value }
  }
  const deadOfKinds: Holder[] = []
  for (const kind of keyKinds) {
    deadOfKinds.push({ ...(await made(`expired ${kind}`, kind, { expired: true })), dead })
    deadOfKinds.push({ ...(await made(`revoked ${kind}`, kind, { revoked: true })), dead })
    if (kind !== 'instance')
      deadOfKinds.push({
        ...(await made(`${kind} of an inactive owner`, kind, { inactiveOwner: true })),
        dead,
      })
  }
  const demoted = await made('workspace with demoted owner', 'workspace', { demotedOwner: true })
  return [
    { name: 'no key', value: undefined, dead },
    { name: 'empty key', value: '', dead },
    { name: 'malformed', value: 'not-a-key', dead },
    { name: 'bad check digits', value: unknown.slice(0, -1) + (unknown.endsWith('0') ? '1' : '0'), dead },
    { name: 'unknown', value: unknown, dead },
    { ...(await made('ingest credential', 'ingest')), dead },
    ...deadOfKinds,
    ...living,
    { ...demoted, kind: 'workspace', dead: 'OWNER_NOT_ADMIN' },
  ]
}

/** The organization a target means for a holder: its own first one, the one beside it, somebody else's, nobody's. */
export function organizationOf(tenant: Tenant, holder: Holder, target: Target): TestOrganization | null {
  const own = holder.kind === 'instance' ? tenant.instance : tenant.workspace
  if (target === 'own') return own.organizations[0]
  if (target === 'sibling') return own.organizations[1] ?? assert.fail('there is no sibling')
  return target === 'foreign' ? tenant.alone.organizations[0] : null
}

/** The targets that make a difference to a route. */
export function targetsOf({ selector, ofInstance }: Row): readonly Target[] {
  if (selector === 'none') return ['nothing']
  if (selector === 'path') return targets.slice(0, 4)
  return targets.filter((target) => target !== 'ALL' || !ofInstance)
}

/** What the contract says: null = the request is served. */
export function expected(row: Row, holder: Holder, target: Target): ErrorCode | null {
  if (holder.dead === 'UNAUTHORIZED' || holder.kind === undefined) return 'UNAUTHORIZED'
  const { kind } = holder
  return refusalOf(row, kind) ?? holder.dead ?? selectionRefusal(row, kind, target) ?? served(row, kind)
}

/** What a good request is answered with, if not with what was asked for. */
export function served({ nothing, inCloud }: Row, kind: KeyKind): ErrorCode | null {
  return nothing ?? (kind === 'instance' ? null : inCloud) ?? null
}

function selectionRefusal({ selector, ofInstance }: Row, kind: KeyKind, target: Target): ErrorCode | null {
  const visible = target === 'own' || (target === 'sibling' && (kind === 'workspace' || kind === 'instance'))
  if (selector === 'path') return visible ? null : 'ORGANIZATION_NOT_FOUND'
  if (selector === 'none' || (kind !== 'workspace' && !(ofInstance && kind === 'instance'))) return null
  if (target === 'nothing')
    return kind === 'workspace' && selector === 'org_id required' ? 'ORG_ID_REQUIRED' : null
  return visible ? null : 'ORGANIZATION_NOT_FOUND'
}

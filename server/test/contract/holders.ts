import assert from 'node:assert/strict'
import { createKeyValue, type KeyKind, keyKinds } from '../../src/access/key-format.ts'
import type { ErrorCode } from '../../src/errors.ts'
import type { Tenant, TestKey, TestOrganization } from '../tenant.ts'
import { type EndpointContract, getKeyKindRefusal } from './table.ts'

/** A key with the name of its row in the matrix. Its kind determines its access, unless it is invalid. */
export interface KeyCase {
  readonly name: string
  readonly value: string | undefined
  readonly key?: TestKey
  readonly kind?: KeyKind
  readonly rejectedWith?: ErrorCode
}

const targets = ['own', 'sibling', 'foreign', 'missing', 'ALL', 'nothing'] as const
export type Target = (typeof targets)[number]

export async function createKeyCases(tenant: Tenant): Promise<KeyCase[]> {
  const unknown = createKeyValue('user')
  const rejectedWith = 'UNAUTHORIZED'
  const validKeys: KeyCase[] = []
  for (const kind of keyKinds) {
    const key = await tenant.createKey(kind)
    validKeys.push({ name: kind, value: key.value, key, kind })
  }
  const createCase = async (name: string, ...of: Parameters<Tenant['createKey']>) => {
    const key = await tenant.createKey(...of)
    return { name, key, value: key.value }
  }
  const rejectedKeys: KeyCase[] = []
  for (const kind of keyKinds) {
    rejectedKeys.push({ ...(await createCase(`expired ${kind}`, kind, { expired: true })), rejectedWith })
    rejectedKeys.push({ ...(await createCase(`revoked ${kind}`, kind, { revoked: true })), rejectedWith })
    if (kind !== 'instance')
      rejectedKeys.push({
        ...(await createCase(`${kind} of an inactive owner`, kind, { inactiveOwner: true })),
        rejectedWith,
      })
  }
  const demoted = await createCase('workspace with demoted owner', 'workspace', { demotedOwner: true })
  return [
    { name: 'no key', value: undefined, rejectedWith },
    { name: 'empty key', value: '', rejectedWith },
    { name: 'malformed', value: 'not-a-key', rejectedWith },
    {
      name: 'bad check digits',
      value: unknown.slice(0, -1) + (unknown.endsWith('0') ? '1' : '0'),
      rejectedWith,
    },
    { name: 'unknown', value: unknown, rejectedWith },
    { ...(await createCase('ingest credential', 'ingest')), rejectedWith },
    ...rejectedKeys,
    ...validKeys,
    { ...demoted, kind: 'workspace', rejectedWith: 'OWNER_NOT_ADMIN' },
  ]
}

/** The organization that a target means for a key: its own first one, its sibling, a foreign one, an unknown one. */
export function findTargetOrganization(
  tenant: Tenant,
  keyCase: KeyCase,
  target: Target,
): TestOrganization | null {
  const own = keyCase.kind === 'instance' ? tenant.instance : tenant.workspace
  if (target === 'own') return own.organizations[0]
  if (target === 'sibling') return own.organizations[1] ?? assert.fail('there is no sibling')
  return target === 'foreign' ? tenant.alone.organizations[0] : null
}

/** The targets that matter for a route. */
export function listTargets({ selector, instanceMaySelect }: EndpointContract): readonly Target[] {
  if (selector === 'none') return ['nothing']
  if (selector === 'path') return targets.slice(0, 4)
  return targets.filter((target) => target !== 'ALL' || !instanceMaySelect)
}

/** The error code by the contract; null = the request succeeds. */
export function expectedRefusal(row: EndpointContract, keyCase: KeyCase, target: Target): ErrorCode | null {
  if (keyCase.rejectedWith === 'UNAUTHORIZED' || keyCase.kind === undefined) return 'UNAUTHORIZED'
  const { kind } = keyCase
  return (
    getKeyKindRefusal(row, kind) ??
    keyCase.rejectedWith ??
    selectionRefusal(row, kind, target) ??
    expectedErrorWhenAllowed(row, kind)
  )
}

/** The error code of a valid request; null = it succeeds. */
export function expectedErrorWhenAllowed(
  { notFoundCode, cloudCode }: EndpointContract,
  kind: KeyKind,
): ErrorCode | null {
  return notFoundCode ?? (kind === 'instance' ? null : cloudCode) ?? null
}

function selectionRefusal(
  { selector, instanceMaySelect }: EndpointContract,
  kind: KeyKind,
  target: Target,
): ErrorCode | null {
  const visible = target === 'own' || (target === 'sibling' && (kind === 'workspace' || kind === 'instance'))
  if (selector === 'path') return visible ? null : 'ORGANIZATION_NOT_FOUND'
  if (selector === 'none' || (kind !== 'workspace' && !(instanceMaySelect && kind === 'instance')))
    return null
  if (target === 'nothing')
    return kind === 'workspace' && selector === 'org_id required' ? 'ORG_ID_REQUIRED' : null
  return visible ? null : 'ORGANIZATION_NOT_FOUND'
}

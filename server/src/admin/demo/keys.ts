import type { ChangeContext } from '../../access/change-context.ts'
import { verifyIngestCredential } from '../../access/ingest-credential.ts'
import type { KeyRing } from '../../config.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import { createKey } from '../../resources/keys/create.ts'
import { findKeyByValue, getKeyState, type KeyState, listKeys } from '../../resources/keys/list.ts'
import type { BoundKind, KeyRequest } from '../../resources/keys/request.ts'
import { revokeKey } from '../../resources/keys/revoke.ts'
import { demotePerson, promotePerson } from '../../resources/people/set-workspace-admin.ts'
import { type Operator, runChange } from '../operator.ts'
import { alone, type DemoRoot, instance, lowerPlan, withoutMetrics, workspace } from './cast.ts'
import { instanceIdOf, keyIdOf, organizationIdOf, personIdOf, rootIdOf } from './ids.ts'

export const demoKeyNames = [
  'organization',
  'user',
  'workspace',
  'instance',
  'legacy',
  'agentic',
  'expired',
  'revoked',
  'workspace_demoted_owner',
  'other_tenant',
  'lower_plan',
  'metrics_off',
  'instance_narrow',
  'ingest',
  'ingest_instance',
  'ingest_other_tenant',
] as const
export type DemoKeyName = (typeof demoKeyNames)[number]
export type DemoKeys = Record<DemoKeyName, string>

interface DemoKey {
  readonly of: DemoRoot
  readonly state: KeyState
  /** Days before now at which it is made. */
  readonly age?: number
  /** Is promoted for the moment in which the token is made. */
  readonly demotedOwner?: PersonId
  request(at: Date, ring: KeyRing): KeyRequest
}

const DAY = 86_400_000
const LONGEST_DAYS = 366

/** Keeps the values that still are what they should be, and mints the others in the place of their predecessors. */
export async function seedKeys(operator: Operator, ring: KeyRing, known: Partial<DemoKeys>) {
  const keys: Partial<DemoKeys> = {}
  let minted = 0
  for (const name of demoKeyNames) {
    const value = known[name]
    const keep = value !== undefined && (await isStillGood(operator, ring, name, value))
    keys[name] = keep ? value : await replace(operator, ring, name)
    if (!keep) minted += 1
  }
  return { keys: keys as DemoKeys, minted }
}

async function isStillGood(
  operator: Operator,
  ring: KeyRing,
  name: DemoKeyName,
  value: string,
): Promise<boolean> {
  const { of, state } = demoKeys[name]
  // A token in its last day would not last through an afternoon with the demo.
  const at = inDays(operator.now(), 1)
  if (isIngest(name) && verifyIngestCredential(ring, value, at) === null) return false
  const found = await runChange(operator, rootIdOf(of.name), ({ scope, tx }) =>
    findKeyByValue(scope, tx, value),
  )
  return found !== null && found.name === titleOf(name) && getKeyState(found, at) === state
}

async function replace(operator: Operator, ring: KeyRing, name: DemoKeyName): Promise<string> {
  const key = demoKeys[name]
  const root = rootIdOf(key.of.name)
  const earlier = await runChange(operator, root, (change) => revokeEarlier(change, titleOf(name)))
  const then = { ...operator, now: () => inDays(operator.now(), -(key.age ?? 0)) }
  return runChange(then, root, async (change) => {
    if (key.demotedOwner) await promotePerson(change, key.demotedOwner)
    // An ingest credential's id is part of its value, which nobody may foretell.
    const id = isIngest(name) ? {} : { id: keyIdOf(name, earlier) }
    const shown = await createKey(change, { ...key.request(change.at, ring), ...id, name: titleOf(name) })
    if (key.demotedOwner) await demotePerson(change, key.demotedOwner)
    if (key.state === 'revoked') await revokeKey(change, shown.id)
    return shown.value
  })
}

/** Answers how many there were, ended ones included. */
async function revokeEarlier(change: ChangeContext, title: string): Promise<number> {
  const page = { after: null, limit: 10_000, kind: null, organization: null, owner: null }
  const earlier = (await listKeys(change.scope, change.tx, page)).filter(({ name }) => name === title)
  for (const { id } of earlier.filter((key) => getKeyState(key, change.at) === 'active'))
    await revokeKey(change, id)
  return earlier.length
}

function isIngest(name: DemoKeyName): boolean {
  return name.startsWith('ingest')
}

function titleOf(name: DemoKeyName): string {
  return `Demo: ${name.replaceAll('_', ' ')}`
}

function inDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY)
}

function firstOrganizationOf({ organizations }: DemoRoot) {
  return organizationIdOf(organizations[0]?.orgId ?? '')
}

function boundKey(of: DemoRoot, email: string, kind: BoundKind): DemoKey {
  const request = { kind, organization: firstOrganizationOf(of), owner: personIdOf(email) }
  return { of, state: 'active', request: () => request }
}

function workspaceToken(owner: PersonId): DemoKey {
  return {
    of: workspace,
    state: 'active',
    request: (at) => ({ kind: 'workspace', owner, expiresAt: inDays(at, LONGEST_DAYS) }),
  }
}

/** Of these organizations of the instance; null = of all. */
function instanceKey(organizations: readonly OrganizationId[] | null): DemoKey {
  const id = instanceIdOf(instance.instance?.host ?? '')
  const home = firstOrganizationOf(instance)
  return {
    of: instance,
    state: 'active',
    request: () => ({ kind: 'instance', instance: id, home, organizations }),
  }
}

/** Speaks for every organization of the root. */
function ingestCredential(of: DemoRoot): DemoKey {
  return {
    of,
    state: 'active',
    request: (at, ring) => {
      const expiresAt = inDays(at, LONGEST_DAYS)
      return { kind: 'ingest', organizations: null, ring, expiresAt }
    },
  }
}

const admin = 'amara.okafor@example.com'
const demotedAdmin = personIdOf('tobias.lindqvist@example.com')
const userKey = boundKey(workspace, admin, 'user')

const demoKeys: Readonly<Record<DemoKeyName, DemoKey>> = {
  organization: boundKey(workspace, admin, 'organization'),
  user: userKey,
  workspace: workspaceToken(personIdOf('ingrid.solheim@example.com')),
  instance: instanceKey(null),
  legacy: boundKey(workspace, admin, 'legacy'),
  agentic: boundKey(workspace, admin, 'agentic'),
  expired: {
    ...userKey,
    state: 'expired',
    age: 2,
    request: (at, ring) => ({ ...userKey.request(at, ring), expiresAt: inDays(at, 1) }),
  },
  revoked: { ...userKey, state: 'revoked' },
  workspace_demoted_owner: { ...workspaceToken(demotedAdmin), demotedOwner: demotedAdmin },
  other_tenant: boundKey(alone, 'hannah.brandt@example.com', 'user'),
  lower_plan: boundKey(lowerPlan, 'noor.vandijk@example.com', 'user'),
  metrics_off: boundKey(withoutMetrics, 'edda.moss@example.com', 'user'),
  instance_narrow: instanceKey([firstOrganizationOf(instance)]),
  ingest: ingestCredential(workspace),
  ingest_instance: ingestCredential(instance),
  ingest_other_tenant: ingestCredential(alone),
}

import type { WrittenEntry } from '../../../access/audit.ts'
import {
  type ChangeContext,
  type ChangeEntry,
  toChange,
  toPersonEntry,
} from '../../../access/change-context.ts'
import type { Principal } from '../../../access/principal.ts'
import { readRootKind } from '../../../access/root.ts'
import { refuse } from '../../../errors.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import type { OrganizationId, PersonId } from '../../../ids.ts'
import { DAY_MS } from '../../../time.ts'
import { deprovisionPerson, lockForDeprovisioning } from '../deprovision.ts'
import { KEY_IN_USE_DAYS, type OffboardingRequest, type OffboardingResult, type Receipt } from './schema.ts'
import { findPerson, type OffboardingFacts, readFacts } from './sql.ts'

const MAX_NAMED_KEYS = 10

interface OffboardingInput {
  readonly body: OffboardingRequest
}

export function isDryRun({ body }: OffboardingInput): boolean {
  return body.dry_run !== false
}

/** An account is unique in an organization only. */
export function refuseAccountWithoutOrganization({ body }: OffboardingInput, { kind }: Principal): void {
  if (kind !== 'workspace' || body.org_id !== undefined || !('user_id' in body.member)) return
  refuse(
    'ORG_ID_REQUIRED',
    'user_id names an account of one organization. Pass org_id, or name the person by email or cr_user_id.',
  )
}

/** A dry run and the change decide by the same facts; the change reads them under locks that it holds to the commit. */
export async function offboard(context: RequestContext, { body }: OffboardingInput): Promise<Reply> {
  const { scope, tx, principal } = context
  const change = toChange(context)
  const organization = await findLimit(context)
  const lookup = 'user_id' in body.member ? context.organization : organization
  const person = (await findPerson(scope, tx, body.member, lookup)) ?? refuseUnknownPerson()
  const dryRun = isDryRun({ body })
  if (!dryRun) await lockForDeprovisioning(change, person, organization)
  const facts = await readFacts(scope, tx, {
    person,
    organization,
    allKeys: principal.kind === 'workspace',
    at: change.at,
    usedAfter: new Date(change.at.getTime() - KEY_IN_USE_DAYS * DAY_MS),
  })
  if (facts === null || (organization !== null && facts.roles.length === 0)) return refuseUnknownPerson()
  refuseProtectedRoles(facts, organization)
  const result = toResult(facts, organization)
  if (dryRun) return ok({ ...result, executed: false, receipt: null })
  refuseKeysInUse(facts, body.confirm_keys ?? [])
  const summary = toSummary(person, context.organization, result)
  const { audit } = await deprovisionPerson(change, person, { organization, roles: 'remove' }, [summary])
  const ended = { ...result.person, active: result.person.active && organization !== null }
  return ok({ ...result, person: ended, executed: true, receipt: toReceipt(change, audit) })
}

/** The organization that the request is limited to; null = the whole root. */
export async function findLimit({ scope, tx, organization }: RequestContext): Promise<OrganizationId | null> {
  if (organization === null) return null
  return (await readRootKind(scope, tx)) === 'organization' ? null : organization
}

export function refuseUnknownPerson(): never {
  return refuse('NOT_FOUND', 'No such person was found. List users with GET /v1/users.')
}

function refuseProtectedRoles(
  { person, roles }: OffboardingFacts,
  organization: OrganizationId | null,
): void {
  const name = (role: (typeof roles)[number]) => `${role.organization_name} (${role.organization.id})`
  const billing = roles.filter(({ role_name, role_type }) => {
    return role_type === 'system' && role_name === 'cr_billing_admin'
  })
  if (billing.length > 0) {
    refuse(
      'PROTECTED_ROLE',
      `The person is billing admin of ${billing.map(name).join(', ')}. Give that role to somebody else first.`,
    )
  }
  const last = roles.filter(({ last_admin }) => last_admin)
  if (last.length > 0) {
    refuse(
      'LAST_ADMIN',
      `The person is the last admin of ${last.map(name).join(', ')}. Give another user the role cr_admin first.`,
    )
  }
  if (organization === null && person.last_admin) {
    refuse(
      'LAST_ADMIN',
      'The person is the last workspace admin. The operator can make another person workspace admin.',
    )
  }
}

function refuseKeysInUse({ keys }: OffboardingFacts, confirmed: readonly string[]): void {
  const confirmedKeys = new Set(confirmed.map((id) => id.toLowerCase()))
  const inUse = keys.filter(({ id, ends, in_use }) => ends && in_use && !confirmedKeys.has(id))
  if (inUse.length === 0) return
  const named = inUse.slice(0, MAX_NAMED_KEYS).map(({ id }) => id)
  const rest = inUse.length > named.length ? ` and ${inUse.length - named.length} more` : ''
  refuse(
    'KEY_IN_USE',
    `Keys of the person were used within ${KEY_IN_USE_DAYS} days: ${named.join(', ')}${rest}. Replace them where they ` +
      'are used, then pass their ids in confirm_keys.',
  )
}

function toResult(
  { person, roles, keys, pendingLearnings }: OffboardingFacts,
  organization: OrganizationId | null,
): Omit<OffboardingResult, 'executed' | 'receipt'> {
  const { cr_user_id, name, email, active, workspace_admin } = person
  const rootWide = organization === null
  return {
    person: { cr_user_id, name, email, active },
    sessions: rootWide ? person.sessions : 0,
    keys: keys.map((key) => {
      const { in_use: _, ...listed } = key
      return listed
    }),
    seats: rootWide ? person.seats : 0,
    roles: [
      ...(rootWide && workspace_admin ? [workspaceAdminRole] : []),
      ...roles.map((role) => {
        const { last_admin: _, ...listed } = role
        return listed
      }),
    ],
    pending_learnings: pendingLearnings,
  }
}

const workspaceAdminRole = {
  organization_id: null,
  organization: null,
  organization_name: null,
  user_id: null,
  role_name: 'workspace_admin',
  role_type: 'workspace',
} as const

/** One row says what the others belong to; the log has it also if nothing was left to end. */
function toSummary(
  id: PersonId,
  organization: OrganizationId | null,
  { person, sessions, keys, seats, roles, pending_learnings }: ReturnType<typeof toResult>,
): ChangeEntry {
  const ended = { sessions, keys: keys.filter(({ ends }) => ends).length, seats, roles: roles.length }
  const { name, email } = person
  const metadata = { ...ended, pending_learnings }
  return toPersonEntry('person_offboarded', { id, name, email }, metadata, { organization })
}

/** The rows are consecutive, because the head of the chain is locked while they are written. */
function toReceipt({ scope, at }: ChangeContext, audit: readonly WrittenEntry[]): Receipt {
  const [first, last] = [audit[0], audit.at(-1)]
  if (first === undefined || last === undefined) throw new Error('An offboarding wrote no audit row.')
  return {
    root_id: scope.root,
    at: at.toISOString(),
    previous_hash: first.previous_hash,
    rows: audit.map(({ id, action, position, digest, hash }) => ({ id, action, position, digest, hash })),
    head: { position: last.position, hash: last.hash },
  }
}

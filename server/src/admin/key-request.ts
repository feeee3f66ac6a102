import type { ChangeContext } from '../access/change-context.ts'
import type { KeyRing } from '../config.ts'
import type { InstanceId, OrganizationId, PersonId } from '../ids.ts'
import type { AnyKeyKind, KeyRequest } from '../resources/keys/request.ts'
import { findOrganizationByText } from '../resources/organizations/list-all.ts'
import { findPerson } from '../resources/people/list.ts'
import { UsageError } from './command.ts'
import { readPermissions } from './roles.ts'

export const keyKindOption = {
  kind: 'choice',
  choices: ['organization', 'user', 'workspace', 'instance', 'legacy', 'agentic', 'ingest'],
} as const

interface KeyArguments {
  readonly kind: AnyKeyKind
  readonly name: string | undefined
  readonly organization: string | undefined
  readonly owner: string | undefined
  readonly authorized: readonly string[] | undefined
  readonly permissions: readonly string[] | undefined
}

/** What each kind takes beside a name, permissions and an expiry: needed, or possible. */
const optionsByKind: Readonly<
  Record<AnyKeyKind, Partial<Record<'organization' | 'owner' | 'authorized', 'needed' | 'possible'>>>
> = {
  organization: { organization: 'needed', owner: 'needed' },
  user: { organization: 'needed', owner: 'needed' },
  legacy: { organization: 'needed', owner: 'needed' },
  agentic: { organization: 'needed', owner: 'needed' },
  workspace: { owner: 'needed' },
  instance: { organization: 'needed', authorized: 'possible' },
  ingest: { authorized: 'possible' },
}

/** Turns what was typed into a request; an option that the kind does not take is a mistake, not noise. */
export async function readKeyRequest(
  change: ChangeContext,
  args: KeyArguments,
  ring: () => KeyRing,
): Promise<KeyRequest> {
  const { kind } = args
  refuseMisplacedOptions(args)
  const permissions = args.permissions && readPermissions(args.permissions)
  const common = { ...(args.name && { name: args.name }), ...(permissions && { permissions }) }
  switch (kind) {
    case 'organization':
    case 'user':
    case 'legacy':
    case 'agentic': {
      const { id } = await findOrganization(change, args)
      return { ...common, kind, organization: id, owner: await findOwner(change, args) }
    }
    case 'workspace':
      return { ...common, kind, owner: await findOwner(change, args) }
    case 'instance': {
      const home = await findOrganization(change, args)
      const organizations = await findAuthorized(change, args)
      return { ...common, kind, instance: requireInstance(home), home: home.id, organizations }
    }
    case 'ingest':
      return { ...common, kind, organizations: await findAuthorized(change, args), ring: ring() }
  }
}

function refuseMisplacedOptions(args: KeyArguments): void {
  for (const option of ['organization', 'owner', 'authorized'] as const) {
    const given = args[option] !== undefined
    const rule = optionsByKind[args.kind][option]
    if (rule === 'needed' && !given) throw new UsageError(`A key of the kind ${args.kind} needs --${option}.`)
    if (rule === undefined && given)
      throw new UsageError(`A key of the kind ${args.kind} takes no --${option}.`)
  }
}

function findOrganization({ scope, tx }: ChangeContext, { organization = '' }: KeyArguments) {
  return findOrganizationByText(scope, tx, organization)
}

async function findOwner({ scope, tx }: ChangeContext, { owner = '' }: KeyArguments): Promise<PersonId> {
  return (await findPerson(scope, tx, owner)).id
}

async function findAuthorized(
  { scope, tx }: ChangeContext,
  { authorized }: KeyArguments,
): Promise<OrganizationId[] | null> {
  if (authorized === undefined) return null
  const found: OrganizationId[] = []
  for (const text of authorized) found.push((await findOrganizationByText(scope, tx, text)).id)
  return found
}

function requireInstance(home: {
  readonly name: string
  readonly instance_id: InstanceId | null
}): InstanceId {
  if (home.instance_id !== null) return home.instance_id
  throw new UsageError(
    `${home.name} is on no self-hosted instance: an instance key cannot have it as its home.`,
  )
}

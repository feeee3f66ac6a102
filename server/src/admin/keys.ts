import type { ChangeContext } from '../access/change-context.ts'
import type { KeyRing } from '../config.ts'
import type { InstanceId, KeyId, OrganizationId, PersonId } from '../ids.ts'
import { createLog } from '../observe/log.ts'
import { pluralize } from '../plural.ts'
import { refreshRevokedCredentials } from '../resources/events/refresh-revoked-credentials.ts'
import { createKey, revokeKey, rotateKey } from '../resources/keys/manage.ts'
import type { AnyKeyKind, IssuedKey, KeyRequest } from '../resources/keys/request.ts'
import { getKeyState, readKeys } from '../resources/keys/sql.ts'
import { findOrganizationByText } from '../resources/organizations/find.ts'
import { findPerson } from '../resources/people/manage.ts'
import { DAY_MS } from '../time.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  IncompleteError,
  idFormat,
  listPage,
  type Output,
  option,
  UsageError,
} from './command.ts'
import { type AdminContext, changeRoot } from './context.ts'
import { readPermissions } from './roles.ts'

const keyKindOption = {
  kind: 'choice',
  choices: ['organization', 'user', 'workspace', 'instance', 'legacy', 'agentic', 'ingest'],
} as const

/** The longest lifetime that an ingest credential may have. */
const DEFAULT_INGEST_DAYS = 366
const expiryOption = option.integer(
  1,
  3660,
  `Days until the key expires; required for workspace tokens (default: never, ingest credentials: ${DEFAULT_INGEST_DAYS})`,
)
const keyOption = option.text('ID', 'Id of the key, from key list', {
  required: true,
  format: idFormat('the id of a key, from key list, not its value'),
})

const create = defineCommand({
  name: 'key create',
  summary: 'Create a key; its value is shown only once',
  environment: ['WORKER_DATABASE_URL', 'INGEST_KEYS for ingest credentials'],
  options: {
    root: option.root,
    kind: { ...keyKindOption, required: true, summary: 'Kind of key' },
    name: option.text('NAME', 'Name of the key; required for a workspace token'),
    organization: option.text('ORGANIZATION', 'Organization the key is bound to, or home of an instance key'),
    owner: option.text('PERSON', 'Owner: e-mail or id; not for instance and ingest keys'),
    authorized: option.list('ORGANIZATION,…', 'Organizations of an instance or ingest key (default: all)'),
    permissions: option.list(
      'RESOURCE:ACCESS,…',
      'Limit the key to these permissions (default: those of the owner’s role)',
    ),
    'expires-in-days': expiryOption,
  },
  example:
    "--root 'Meridian Freight' --kind user --organization 41207731 --owner amara.okafor@example.com --expires-in-days 90",
  async run(admin, values) {
    const shown = await changeRoot(admin, values.root, async (change) => {
      const expiry = toExpiry(change, readLifetimeDays(values))
      const request = await readKeyRequest(change, values, () => admin.ingestRing())
      return createKey(change, { ...request, ...expiry })
    })
    return showOnce(`Created ${shown.kind} key.`, shown)
  },
})

const list = defineCommand({
  name: 'key list',
  summary: 'List keys, without their values',
  options: {
    root: option.root,
    kind: { ...keyKindOption, summary: 'Only keys of this kind' },
    organization: option.text('ORGANIZATION', 'Only keys of this organization: id, org_id or name'),
    owner: option.text('PERSON', 'Only keys of this person: e-mail or id'),
    ...option.page,
  },
  example: "--root 'Meridian Freight' --kind workspace",
  run: (admin, values) =>
    listPage(values, 'There are no matching keys.', (page) =>
      changeRoot(admin, values.root, async ({ scope, tx, at }) => {
        const { organization: org, owner: who, kind = null } = values
        const organization = org === undefined ? null : (await findOrganizationByText(scope, tx, org)).id
        const owner = who === undefined ? null : (await findPerson(scope, tx, who)).id
        const found = await readKeys(scope, tx, { ...page, kind, organization, owner })
        return found.map((key) => ({
          id: key.id,
          kind: key.kind,
          name: key.name,
          key: `${key.prefix}…${key.last_four}`,
          state: getKeyState(key, at),
          owner: key.owner_id,
          organization: key.organization_id,
          created: key.created_at,
          expires: key.expires_at,
          last_used: key.last_used_at,
        }))
      }),
    ),
})

const rotate = defineCommand({
  name: 'key rotate',
  summary: 'Replace a key with a new one; a legacy key becomes a user key',
  environment: ['WORKER_DATABASE_URL', 'INGEST_KEYS, NATS_URL and BUS_PREFIX for ingest credentials'],
  options: {
    root: option.root,
    key: keyOption,
    'overlap-days': option.integer(0, 7, 'Days the old key keeps working (default: 0, revoked at once)'),
    'expires-in-days': {
      ...expiryOption,
      summary: 'Days until the new key expires (default: lifetime of the old key)',
    },
  },
  example: "--root 'Meridian Freight' --key 6e7f5d3c-2f2a-4c0f-9a58-0d7f1c1b2a39 --overlap-days 7",
  async run(admin, values) {
    const ring = admin.env['INGEST_KEYS'] ? admin.ingestRing() : null
    const overlapDays = values['overlap-days'] ?? 0
    const shown = await changeRoot(admin, values.root, async (change) => {
      const issued = await rotateKey(change, values.key as KeyId, {
        overlapDays,
        ring,
        ...toExpiry(change, values['expires-in-days']),
      })
      // Fails before the commit if the revocation could not be published after it.
      if (issued.kind === 'ingest') await admin.bus()
      return issued
    })
    const old =
      overlapDays === 0
        ? 'The old key is revoked.'
        : `The old key expires in ${pluralize(overlapDays, 'day')} at the latest.`
    const output = showOnce(`Created the new ${shown.kind} key. ${old}`, shown)
    if (shown.kind === 'ingest') await publishRevocation(admin, values.root, values.key, output)
    return output
  },
})

const revoke = defineCommand({
  name: 'key revoke',
  summary: 'Revoke a key, effective immediately on every node',
  environment: ['WORKER_DATABASE_URL', 'NATS_URL and BUS_PREFIX for ingest credentials'],
  options: { root: option.root, key: keyOption, 'dry-run': option.dryRun },
  example: "--root 'Meridian Freight' --key 6e7f5d3c-2f2a-4c0f-9a58-0d7f1c1b2a39 --dry-run",
  async run(admin, { root, key, 'dry-run': dryRun }) {
    const { kind, changed } = await changeRoot(admin, root, (change) => revokeKey(change, key as KeyId), {
      dryRun,
    })
    const message = dryRun ? 'Would revoke the key: requests with it would be rejected.' : 'Revoked the key.'
    const output = briefOutput(changed ? message : 'The key is already revoked.', {
      id: key,
      changed,
      dry_run: dryRun,
    })
    // Also if it was already revoked: an earlier command may have failed to publish it.
    if (kind === 'ingest' && !dryRun) await publishRevocation(admin, root, key, output)
    return output
  },
})

/** Resolves when the bus has acknowledged the revocation. */
async function publishRevocation(
  admin: AdminContext,
  root: string,
  key: string,
  output: Output,
): Promise<void> {
  try {
    const { pool: database, now } = await admin.operator()
    await refreshRevokedCredentials({
      database,
      bus: await admin.bus(),
      log: createLog('admin', 'silent'),
      now,
    })
  } catch (error) {
    throw new IncompleteError(
      `The change is stored, but NATS has not acknowledged it, so nodes can still accept the old credential. To publish it: ` +
        `npm run admin -- key revoke --root '${root}' --key ${key}. The worker publishes it too, when it reaches NATS.`,
      output,
      error,
    )
  }
}

function readLifetimeDays(values: {
  readonly kind: AnyKeyKind
  readonly 'expires-in-days': number | undefined
}): number | undefined {
  const { kind, 'expires-in-days': days } = values
  if (days !== undefined) return days
  if (kind === 'workspace')
    throw new UsageError('--expires-in-days is required for a workspace token. Pass 1 to 366.')
  return kind === 'ingest' ? DEFAULT_INGEST_DAYS : undefined
}

function toExpiry({ at }: ChangeContext, days: number | undefined): { expiresAt?: Date } {
  return days === undefined ? {} : { expiresAt: new Date(at.getTime() + days * DAY_MS) }
}

function showOnce(message: string, { id, kind, value, expiresAt }: IssuedKey): Output {
  const fields = { id, kind, value, expires: expiresAt?.toISOString() ?? null }
  return { message: `${message} Store its value in a safe place: it is not shown again.`, fields }
}

interface KeyArguments {
  readonly kind: AnyKeyKind
  readonly name: string | undefined
  readonly organization: string | undefined
  readonly owner: string | undefined
  readonly authorized: readonly string[] | undefined
  readonly permissions: readonly string[] | undefined
}

/** Every kind also accepts a name, permissions and an expiry. */
const optionsByKind: Readonly<
  Record<AnyKeyKind, Partial<Record<'organization' | 'owner' | 'authorized', 'required' | 'optional'>>>
> = {
  organization: { organization: 'required', owner: 'required' },
  user: { organization: 'required', owner: 'required' },
  legacy: { organization: 'required', owner: 'required' },
  agentic: { organization: 'required', owner: 'required' },
  workspace: { owner: 'required' },
  instance: { organization: 'required', authorized: 'optional' },
  ingest: { authorized: 'optional' },
}

/** Rejects options that the kind of key does not accept, rather than ignoring them. */
async function readKeyRequest(
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
  for (const name of ['organization', 'owner', 'authorized'] as const) {
    const given = args[name] !== undefined
    const rule = optionsByKind[args.kind][name]
    if (rule === 'required' && !given)
      throw new UsageError(`--${name} is required for a key of kind ${args.kind}.`)
    if (rule === undefined && given)
      throw new UsageError(`--${name} is not allowed for a key of kind ${args.kind}.`)
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
    `${home.name} is not on a self-hosted instance, so it cannot be the home of an instance key.`,
  )
}

export const keyCommands: readonly AdminCommand[] = [create, list, rotate, revoke]

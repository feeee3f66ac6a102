import type { ChangeContext } from '../access/change-context.ts'
import type { SystemRole } from '../access/permissions.ts'
import { getCloudHost } from '../access/provider-host.ts'
import { rootScope } from '../access/scope.ts'
import { inTransaction } from '../db/transaction.ts'
import { pluralize } from '../plural.ts'
import { toPublicUrl } from '../public-url.ts'
import { getKeyState, readKeys } from '../resources/keys/sql.ts'
import { findOrganizationByText } from '../resources/organizations/find.ts'
import { erasePerson } from '../resources/people/erase.ts'
import { createLink } from '../resources/people/links/manage.ts'
import {
  addPerson,
  deactivatePerson,
  demotePerson,
  findPerson,
  promotePerson,
  reactivatePerson,
} from '../resources/people/manage.ts'
import { type MergeResult, mergePeople } from '../resources/people/merge.ts'
import { type Person, readPeople } from '../resources/people/sql.ts'
import { findRole } from '../resources/roles/list.ts'
import { findRootUnscoped } from '../resources/workspaces/manage.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  emailFormat,
  listPage,
  type Output,
  option,
  UsageError,
} from './command.ts'
import { type AdminContext, changeRoot } from './context.ts'

const add = defineCommand({
  name: 'person add',
  summary: 'Add a person with accounts at Git providers and memberships in organizations',
  options: {
    root: option.root,
    email: option.text('E-MAIL', 'E-mail address, unique in the tenant root', {
      required: true,
      format: emailFormat,
    }),
    name: option.text('NAME', 'First and last name', { required: true }),
    accounts: option.list(
      'PROVIDER:ID:USERNAME,…',
      'Accounts at Git providers; PROVIDER@HOST if not in the provider’s cloud',
      { required: true },
    ),
    organizations: option.list('ORGANIZATION,…', 'Organizations to join: id, org_id or name'),
    role: option.text('ROLE', 'Role in these organizations: id or name (default: cr_member)'),
    'workspace-admin': option.flag('Make the person a workspace admin'),
  },
  example:
    "--root 'Meridian Freight' --email mei.tanaka@example.com --name 'Mei Tanaka' " +
    '--accounts github:20144871:mei-tanaka --organizations 41207731 --role cr_member',
  async run(admin, values) {
    const { root, name, organizations = [], role = 'cr_member' } = values
    const accounts = values.accounts.map(readAccount)
    const id = await changeRoot(admin, root, async (change) => {
      const memberships = []
      for (const text of organizations) memberships.push(await findMembership(change, text, role))
      const workspaceAdmin = values['workspace-admin']
      return addPerson(change, { email: values.email, name, workspaceAdmin, accounts, memberships })
    })
    return {
      message: `Added ${name}.`,
      fields: { id, email: values.email.toLowerCase(), organizations: organizations.length },
    }
  },
})

function readAccount(text: string) {
  const match = /^([a-z]+)(?:@([^\s:@]+(?::\d{1,5})?))?:([^\s:]+):([^\s:]+)$/.exec(text)
  const [, provider, host, accountId, username] = match ?? []
  if (!provider || !accountId || !username) {
    throw new UsageError('--accounts must be a list of PROVIDER:ID:USERNAME or PROVIDER@HOST:ID:USERNAME.')
  }
  return { provider, host: host ?? getCloudHost(provider), accountId, username }
}

async function findMembership({ scope, tx }: ChangeContext, organization: string, role: string) {
  const { id } = await findOrganizationByText(scope, tx, organization)
  const found = await findRole(scope, tx, id, role)
  const given = found.type === 'system' ? { system: found.id as SystemRole } : { custom: found.id }
  return { organization: id, role: given }
}

const list = defineCommand({
  name: 'person list',
  summary: 'List the people of a tenant root or of one organization',
  options: {
    root: option.root,
    organization: option.text('ORGANIZATION', 'Only members of this organization: id, org_id or name'),
    ...option.page,
  },
  example: "--root 'Meridian Freight'",
  run: (admin, values) =>
    listPage(values, 'There are no people.', (page) =>
      changeRoot(admin, values.root, async ({ scope, tx }) => {
        const { organization } = values
        const only =
          organization === undefined ? null : (await findOrganizationByText(scope, tx, organization)).id
        return readPeople(scope, tx, only, page)
      }),
    ),
})

const deactivate = defineCommand({
  name: 'person deactivate',
  summary: 'Deactivate a person: all their keys are rejected',
  options: { root: option.root, person: option.person, 'dry-run': option.dryRun },
  example: "--root 'Meridian Freight' --person rafael.moreno@example.com --dry-run",
  run(admin, { root, person, 'dry-run': dryRun }) {
    const work = async (change: ChangeContext): Promise<Output> => {
      const { id, name } = await findPerson(change.scope, change.tx, person)
      const keys = await countKeys(change, id)
      const changed = await deactivatePerson(change, id)
      const action = dryRun ? `Would deactivate ${name} and` : `Deactivated ${name} and`
      const message = changed ? `${action} ${pluralize(keys, 'active key')}.` : `${name} is already inactive.`
      return briefOutput(message, { id, changed, keys, dry_run: dryRun })
    }
    return changeRoot(admin, root, work, { dryRun })
  },
})

async function countKeys({ scope, tx, at }: ChangeContext, owner: Person['id']): Promise<number> {
  const page = { after: null, limit: 10_000, kind: null, organization: null, owner }
  return (await readKeys(scope, tx, page)).filter((key) => getKeyState(key, at) === 'active').length
}

const reactivate = defineCommand({
  name: 'person reactivate',
  summary: 'Reactivate a person; keys that were not revoked work again',
  options: { root: option.root, person: option.person },
  example: "--root 'Meridian Freight' --person rafael.moreno@example.com",
  run: (admin, { root, person }) =>
    changePerson(admin, root, person, reactivatePerson, ['Reactivated', 'is already active']),
})

const promote = defineCommand({
  name: 'person promote',
  summary: 'Make a person a workspace admin',
  options: { root: option.root, person: option.person },
  example: "--root 'Meridian Freight' --person amara.okafor@example.com",
  run: (admin, { root, person }) =>
    changePerson(admin, root, person, promotePerson, ['Promoted', 'is already a workspace admin']),
})

const demote = defineCommand({
  name: 'person demote',
  summary: 'Remove a workspace admin; their workspace tokens are rejected',
  options: { root: option.root, person: option.person },
  example: "--root 'Meridian Freight' --person amara.okafor@example.com",
  run: (admin, { root, person }) =>
    changePerson(admin, root, person, demotePerson, ['Demoted', 'is not a workspace admin']),
})

function changePerson(
  admin: AdminContext,
  root: string,
  person: string,
  applyChange: (change: ChangeContext, person: Person['id']) => Promise<boolean>,
  [action, unchanged]: readonly [string, string],
): Promise<Output> {
  return changeRoot(admin, root, async (change) => {
    const { id, name } = await findPerson(change.scope, change.tx, person)
    const changed = await applyChange(change, id)
    return briefOutput(changed ? `${action} ${name}.` : `${name} ${unchanged}.`, { id, changed })
  })
}

const INVITATION_DAYS = 7

const signInLink = defineCommand({
  name: 'person sign-in-link',
  summary: 'Create a link that signs a person in once; it is shown only once',
  environment: ['WORKER_DATABASE_URL', 'PUBLIC_URL'],
  options: {
    root: option.root,
    person: option.person,
    minutes: option.integer(1, 60, 'Minutes until the link expires (default: 10)'),
  },
  positionals: ['person'],
  example: "amara.okafor@example.com --root 'Meridian Freight'",
  run: (admin, { root, person, minutes = 10 }) =>
    showLink(admin, root, person, { purpose: 'sign_in', minutes }, (name) => `Sign-in link for ${name}.`),
})

const invite = defineCommand({
  name: 'person invite',
  summary: `Create an invitation link for a person; it works once, within ${INVITATION_DAYS} days`,
  environment: ['WORKER_DATABASE_URL', 'PUBLIC_URL'],
  options: { root: option.root, person: option.person },
  positionals: ['person'],
  example: "mei.tanaka@example.com --root 'Meridian Freight'",
  run: (admin, { root, person }) =>
    showLink(
      admin,
      root,
      person,
      { purpose: 'invitation', minutes: INVITATION_DAYS * 24 * 60 },
      (name) => `Invited ${name}.`,
    ),
})

async function showLink(
  admin: AdminContext,
  root: string,
  person: string,
  link: Parameters<typeof createLink>[2],
  describe: (name: string) => string,
): Promise<Output> {
  // Read first: without an address, no link is created.
  const publicUrl = admin.publicUrl()
  const created = await changeRoot(admin, root, (change) => createLink(change, person, link))
  const { id, name } = created.person
  return {
    message: `${describe(name)} It works once; send it only to this person.`,
    fields: {
      person: id,
      url: toPublicUrl(publicUrl, `/auth/links/${created.value}`),
      expires_at: created.expiresAt.toISOString(),
    },
  }
}

const merge = defineCommand({
  name: 'person merge',
  summary: 'Merge two records of the same person and delete the duplicate',
  options: {
    root: option.root,
    keep: option.text('PERSON', 'The person who stays: id or e-mail', { required: true }),
    duplicate: option.text('PERSON', 'The record that is deleted: id or e-mail', { required: true }),
    'dry-run': option.dryRun,
  },
  positionals: ['keep', 'duplicate'],
  example: "mei.tanaka@example.com mei@personal.example --root 'Meridian Freight' --dry-run",
  run(admin, { root, keep, duplicate, 'dry-run': dryRun }) {
    const work = async (change: ChangeContext): Promise<Output> => {
      const { scope, tx } = change
      const kept = await findPerson(scope, tx, keep)
      const other = await findPerson(scope, tx, duplicate)
      const result = await mergePeople(change, { keep: kept.id, duplicate: other.id })
      const [from, into] = [other, kept].map(({ id, name }) => `${name} (${id})`)
      return {
        message: `${dryRun ? 'Would merge' : 'Merged'} ${from} into ${into}.`,
        fields: { id: kept.id, duplicate_id: other.id, ...toMergeFields(result), dry_run: dryRun },
      }
    }
    return changeRoot(admin, root, work, { dryRun })
  },
})

function toMergeFields({ rows, conflicts, promoted, email }: MergeResult) {
  const { session, passkey, sign_in_link, double_memberships: _, ...moved } = rows
  return {
    ...moved,
    // Both were members: the role that stays, and the one that does not.
    double_memberships: conflicts.map(({ organization, kept, duplicate, role }) => {
      return `${organization}: ${role} (kept record ${kept}, duplicate ${duplicate})`
    }),
    ended_sessions: session,
    deleted_passkeys: passkey,
    deleted_sign_in_links: sign_in_link,
    becomes_workspace_admin: promoted,
    takes_email: email,
  }
}

const erase = defineCommand({
  name: 'person erase',
  summary: 'Erase a person’s personal data in all stores; without --confirm, only count it',
  environment: ['WORKER_DATABASE_URL', 'METRICS_STORES', 'NATS_URL', 'BUS_PREFIX'],
  options: {
    root: option.root,
    person: option.person,
    confirm: option.text('E-MAIL', 'Repeat the e-mail to confirm (the id, if already erased)'),
    'dry-run': option.dryRun,
  },
  example: "--root 'Meridian Freight' --person rafael.moreno@example.com --dry-run",
  async run(admin, { root, person, confirm, 'dry-run': dryRun }) {
    const { pool: database, now } = await admin.operator()
    const { id: rootId } = await findRootUnscoped(database, root)
    const scope = rootScope(rootId)
    const { id, email } = await inTransaction(database, scope, (tx) => findPerson(scope, tx, person))
    const name = email ?? id
    if (confirm !== undefined && confirm.toLowerCase() !== name) {
      throw new UsageError(`--confirm must be ${email === null ? 'the id' : 'the e-mail'} of the person.`)
    }
    const countOnly = dryRun || confirm === undefined
    const reportProgress = countOnly ? () => {} : admin.reportProgress
    reportProgress(`Erasing person ${id}. If the command is interrupted, run it again.`)
    const stores = admin.stores()
    const eraser = { database, stores, bus: await admin.bus(), now, dryRun: countOnly, reportProgress }
    const { rows, withoutAdmin } = await erasePerson(eraser, rootId, id)
    const message = countOnly
      ? `Nothing was erased. To erase person ${id} from these rows: --confirm ${name}`
      : `Erased person ${id}. Only ids remain.`
    return { message, fields: { id, ...rows, without_admin: withoutAdmin, dry_run: countOnly } }
  },
})

export const personCommands: readonly AdminCommand[] = [
  add,
  list,
  deactivate,
  reactivate,
  promote,
  demote,
  merge,
  signInLink,
  invite,
  erase,
]

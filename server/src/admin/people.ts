import type { ChangeContext } from '../access/change-context.ts'
import type { SystemRole } from '../access/permissions.ts'
import { getCloudHost } from '../access/provider-host.ts'
import { rootScope } from '../access/scope.ts'
import { inTransaction } from '../db/transaction.ts'
import { getKeyState, listKeys } from '../resources/keys/list.ts'
import { findOrganizationByText } from '../resources/organizations/list-all.ts'
import { addPerson } from '../resources/people/add.ts'
import { erasePerson } from '../resources/people/erase.ts'
import { findPerson, listPeople } from '../resources/people/list.ts'
import { deactivatePerson, reactivatePerson } from '../resources/people/set-active.ts'
import { demotePerson, promotePerson } from '../resources/people/set-workspace-admin.ts'
import type { Person } from '../resources/people/sql.ts'
import { findRole } from '../resources/roles/list.ts'
import { findRootUnscoped } from '../resources/workspaces/find.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  dryRunOption,
  type Output,
  pageOptions,
  personOption,
  renderNextPageHint,
  rootOption,
  toPage,
  UsageError,
} from './command.ts'
import { changeRoot } from './context.ts'

const emailFormat = { pattern: /^[^\s@,]+@[^\s@,]+$/, description: 'an e-mail address' }

const add = defineCommand({
  name: 'person add',
  summary: 'Add a person with accounts at Git providers and memberships in organizations',
  options: {
    root: rootOption,
    email: {
      kind: 'text',
      placeholder: 'E-MAIL',
      required: true,
      format: emailFormat,
      summary: 'Unique in the tenant root',
    },
    name: { kind: 'text', placeholder: 'NAME', required: true, summary: 'First and last name' },
    accounts: {
      kind: 'list',
      placeholder: 'PROVIDER[@HOST]:ID:USERNAME,…',
      required: true,
      summary: 'Accounts at Git providers; without HOST, in the provider’s cloud',
    },
    organizations: {
      kind: 'list',
      placeholder: 'ORGANIZATION,…',
      summary: 'Organizations to join: id, org_id or name',
    },
    role: { kind: 'text', placeholder: 'ROLE', summary: 'Role in them: id or name of a role (cr_member)' },
    'workspace-admin': { kind: 'flag', summary: 'Admin of the whole workspace' },
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
  const match = /^([a-z]+)(?:@([^\s:@]+))?:([^\s:]+):([^\s:]+)$/.exec(text)
  const [, provider, host, accountId, username] = match ?? []
  if (!provider || !accountId || !username) {
    throw new UsageError('--accounts must read PROVIDER:ID:USERNAME or PROVIDER@HOST:ID:USERNAME, each.')
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
  summary: 'List people of a tenant root, or of one organization of it',
  options: {
    root: rootOption,
    organization: {
      kind: 'text',
      placeholder: 'ORGANIZATION',
      summary: 'Only its members: id, org_id or name',
    },
    ...pageOptions,
  },
  example: "--root 'Meridian Freight'",
  async run(admin, values) {
    const page = toPage(values)
    const people = await changeRoot(admin, values.root, async ({ scope, tx }) => {
      const { organization } = values
      const only =
        organization === undefined ? null : (await findOrganizationByText(scope, tx, organization)).id
      return listPeople(scope, tx, only, page)
    })
    const rows = people.map((person) => ({ ...person }))
    return { rows, emptyMessage: 'There is nobody here yet.', more: renderNextPageHint(rows, page.limit) }
  },
})

const deactivate = defineCommand({
  name: 'person deactivate',
  summary: 'Shut a person out: every key of the person is refused',
  options: { root: rootOption, person: personOption, 'dry-run': dryRunOption },
  example: "--root 'Meridian Freight' --person rafael.moreno@example.com --dry-run",
  run(admin, { root, person, 'dry-run': dryRun }) {
    const work = async (change: ChangeContext): Promise<Output> => {
      const { id, name } = await findPerson(change.scope, change.tx, person)
      const keys = await countKeys(change, id)
      const changed = await deactivatePerson(change, id)
      const did = dryRun ? `Would deactivate ${name}, and with that` : `Deactivated ${name}, and with that`
      const message = changed ? `${did} ${keys} active keys.` : `${name} is inactive already.`
      return briefOutput(message, { id, changed, keys, dry_run: dryRun })
    }
    return changeRoot(admin, root, work, { dryRun })
  },
})

async function countKeys({ scope, tx, at }: ChangeContext, owner: Person['id']): Promise<number> {
  const page = { after: null, limit: 10_000, kind: null, organization: null, owner }
  return (await listKeys(scope, tx, page)).filter((key) => getKeyState(key, at) === 'active').length
}

const reactivate = defineCommand({
  name: 'person reactivate',
  summary: 'Let a person in again; keys that were not revoked work again',
  options: { root: rootOption, person: personOption },
  example: "--root 'Meridian Freight' --person rafael.moreno@example.com",
  run: (admin, { root, person }) =>
    changePerson(admin, root, person, reactivatePerson, ['Reactivated', 'is active already']),
})

const promote = defineCommand({
  name: 'person promote',
  summary: 'Make a person a workspace admin',
  options: { root: rootOption, person: personOption },
  example: "--root 'Meridian Freight' --person amara.okafor@example.com",
  run: (admin, { root, person }) =>
    changePerson(admin, root, person, promotePerson, ['Promoted', 'is a workspace admin already']),
})

const demote = defineCommand({
  name: 'person demote',
  summary: 'Take workspace administration away; the tokens of the person are refused',
  options: { root: rootOption, person: personOption },
  example: "--root 'Meridian Freight' --person amara.okafor@example.com",
  run: (admin, { root, person }) =>
    changePerson(admin, root, person, demotePerson, ['Demoted', 'is no workspace admin']),
})

function changePerson(
  admin: Parameters<AdminCommand['run']>[0],
  root: string,
  person: string,
  applyChange: (change: ChangeContext, person: Person['id']) => Promise<boolean>,
  [did, already]: readonly [string, string],
): Promise<Output> {
  return changeRoot(admin, root, async (change) => {
    const { id, name } = await findPerson(change.scope, change.tx, person)
    const changed = await applyChange(change, id)
    return briefOutput(changed ? `${did} ${name}.` : `${name} ${already}.`, { id, changed })
  })
}

const erase = defineCommand({
  name: 'person erase',
  summary: 'Erase the personal data of a person, in every store; without --confirm, count it',
  environment: ['WORKER_DATABASE_URL', 'METRICS_STORES', 'NATS_URL', 'BUS_PREFIX'],
  options: {
    root: rootOption,
    person: personOption,
    confirm: {
      kind: 'text',
      placeholder: 'E-MAIL',
      summary: 'The e-mail, typed once more (the id, if erased before)',
    },
    'dry-run': dryRunOption,
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
    const reportProgress = countOnly ? () => {} : admin.say
    reportProgress(`Erasing the person ${id}. If this is broken off, run the same command again.`)
    const stores = admin.stores()
    const eraser = { database, stores, bus: await admin.bus(), now, dryRun: countOnly, reportProgress }
    const { rows, withoutAdmin } = await erasePerson(eraser, rootId, id)
    const message = countOnly
      ? `Nothing was erased. To erase the person ${id} from all of this: --confirm ${name}`
      : `Erased the person ${id}. What stays are ids.`
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
  erase,
]

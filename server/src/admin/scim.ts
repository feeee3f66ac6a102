import type { ChangeContext } from '../access/change-context.ts'
import { systemRoleNames } from '../access/permissions.ts'
import { readCredentials } from '../resources/people/scim/credential-sql.ts'
import {
  createScimCredential,
  getCredentialState,
  MAX_LIFETIME_DAYS,
  revokeScimCredential,
} from '../resources/people/scim/credentials.ts'
import { readGroupMappings } from '../resources/people/scim/group-sql.ts'
import { linkUser } from '../resources/people/scim/link-user.ts'
import { mapGroup, unmapGroup } from '../resources/people/scim/map-group.ts'
import type { Role } from '../resources/people/sql.ts'
import { findRole } from '../resources/roles/list.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  emailFormat,
  idFormat,
  listPage,
  option,
} from './command.ts'
import { changeOrganization, changeRoot } from './context.ts'

const create = defineCommand({
  name: 'scim-credential create',
  summary: 'Create a credential for an identity provider; its value is shown only once',
  options: {
    root: option.root,
    name: option.text('NAME', 'Name, such as the identity provider', { required: true }),
    'expires-in-days': option.integer(1, MAX_LIFETIME_DAYS, 'Days until the credential expires', {
      required: true,
    }),
  },
  example: "--root 'Meridian Freight' --name Okta --expires-in-days 180",
  async run(admin, { root, name, 'expires-in-days': lifetimeDays }) {
    const issued = await changeRoot(admin, root, (change) =>
      createScimCredential(change, { name, lifetimeDays }),
    )
    return {
      message: 'Created SCIM credential. Store its value in a safe place: it is not shown again.',
      fields: { id: issued.id, value: issued.value, expires: issued.expiresAt.toISOString() },
    }
  },
})

const list = defineCommand({
  name: 'scim-credential list',
  summary: 'List credentials of identity providers, without their values',
  options: { root: option.root, ...option.page },
  example: "--root 'Meridian Freight'",
  run: (admin, values) =>
    listPage(values, 'There are no SCIM credentials.', (page) =>
      changeRoot(admin, values.root, async ({ scope, tx, at }) => {
        const found = await readCredentials(scope, tx, page)
        return found.map((credential) => ({
          id: credential.id,
          name: credential.name,
          credential: `${credential.prefix}…${credential.last_four}`,
          state: getCredentialState(credential, at),
          created: credential.created_at,
          expires: credential.expires_at,
          last_used: credential.last_used_at,
        }))
      }),
    ),
})

const revoke = defineCommand({
  name: 'scim-credential revoke',
  summary: 'Revoke the credential of an identity provider, effective immediately on every node',
  options: {
    root: option.root,
    credential: option.text('ID', 'Id of the credential, from scim-credential list', {
      required: true,
      format: idFormat('the id of a credential, from scim-credential list, not its value'),
    }),
    'dry-run': option.dryRun,
  },
  example: "--root 'Meridian Freight' --credential 6e7f5d3c-2f2a-4c0f-9a58-0d7f1c1b2a39 --dry-run",
  async run(admin, { root, credential, 'dry-run': dryRun }) {
    const work = (change: ChangeContext) => revokeScimCredential(change, credential)
    const changed = await changeRoot(admin, root, work, { dryRun })
    const message = dryRun
      ? 'Would revoke the credential: requests of the identity provider would be rejected.'
      : 'Revoked the credential.'
    return briefOutput(changed ? message : 'The credential is already revoked.', {
      id: credential,
      changed,
      dry_run: dryRun,
    })
  },
})

const groupOption = option.text('NAME', 'Name of the group at the identity provider, from scim-group list', {
  required: true,
})

const listGroups = defineCommand({
  name: 'scim-group list',
  summary: 'List the groups that identity providers pushed, with the roles that they give',
  options: { root: option.root, ...option.page },
  example: "--root 'Meridian Freight'",
  run: (admin, values) =>
    listPage(values, 'There are no SCIM groups.', (page) =>
      changeRoot(admin, values.root, ({ scope, tx }) => readGroupMappings(scope, tx, page)),
    ),
})

const map = defineCommand({
  name: 'scim-group map',
  summary: 'Give the members of a group a role in an organization',
  options: {
    root: option.root,
    group: groupOption,
    organization: option.organization,
    role: option.text('ROLE', 'Role: cr_admin, cr_member, or the id or name of a custom role', {
      required: true,
    }),
    'dry-run': option.dryRun,
  },
  example: "--root 'Meridian Freight' --group 'Review admins' --organization 41207731 --role cr_admin",
  async run(admin, values) {
    const { group, 'dry-run': dryRun } = values
    const given = await changeOrganization(admin, values, async (change, { id }) => {
      const role = toRole(await findRole(change.scope, change.tx, id, values.role))
      await mapGroup(change, group, id, role)
      return { organization: id, role: 'system' in role ? role.system : role.custom }
    })
    const message = dryRun
      ? 'Would map the group.'
      : 'Mapped the group. Its members have the role from now on.'
    return briefOutput(message, { group, ...given, dry_run: dryRun })
  },
})

const unmap = defineCommand({
  name: 'scim-group unmap',
  summary: 'Stop giving the members of a group a role in an organization',
  options: {
    root: option.root,
    group: groupOption,
    organization: option.organization,
    'dry-run': option.dryRun,
  },
  example: "--root 'Meridian Freight' --group 'Review admins' --organization 41207731 --dry-run",
  async run(admin, values) {
    const { group, 'dry-run': dryRun } = values
    const changed = await changeOrganization(admin, values, (change, { id }) => unmapGroup(change, group, id))
    const message = dryRun ? 'Would unmap the group.' : 'Unmapped the group.'
    return briefOutput(changed ? message : 'The group gives no role in this organization.', {
      group,
      changed,
      dry_run: dryRun,
    })
  },
})

function toRole({ id, type }: { readonly id: string; readonly type: 'system' | 'custom' }): Role {
  const system = systemRoleNames.find((name) => name === id)
  return type === 'system' && system !== undefined ? { system } : { custom: id }
}

const linkPerson = defineCommand({
  name: 'scim-user link',
  summary: 'Link a person, also a workspace admin, to an account at the identity provider',
  options: {
    root: option.root,
    person: option.person,
    'user-name': option.text('NAME', 'userName that the identity provider sends', { required: true }),
    'external-id': option.text(
      'ID',
      'externalId that the identity provider sends; this account signs in as the person',
      { required: true },
    ),
    email: option.text('E-MAIL', 'New e-mail address of the person (default: unchanged)', {
      format: emailFormat,
    }),
    'dry-run': option.dryRun,
  },
  example:
    "--root 'Meridian Freight' --person amara.okafor@example.com --user-name amara.okafor@example.com " +
    '--external-id 00u1a2b3c4D5e6F7g8h9 --dry-run',
  async run(admin, { root, person, 'user-name': userName, 'external-id': externalId, email, ...values }) {
    const dryRun = values['dry-run']
    const { id, name } = await changeRoot(
      admin,
      root,
      (change) => linkUser(change, person, { userName, externalId, email }),
      { dryRun },
    )
    const message = dryRun
      ? `Would link ${name} to the account.`
      : `Linked ${name} to the account. The identity provider finds the user by its userName.`
    return briefOutput(message, { id, dry_run: dryRun })
  },
})

export const scimCommands: readonly AdminCommand[] = [
  create,
  list,
  revoke,
  listGroups,
  map,
  unmap,
  linkPerson,
]

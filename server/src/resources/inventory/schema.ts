import { type Static, type TSchema, Type } from 'typebox'

const MAX_ITEMS = 500
// Neither control characters nor half a surrogate pair, which no database would store as text.
const FORBIDDEN_CHARACTERS = '\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff'

function singleLineText(maxLength: number, description: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: `^[^${FORBIDDEN_CHARACTERS}]{1,${maxLength}}$`,
    description,
  })
}

function optionalList<Element extends TSchema>(element: Element, description: string) {
  return Type.Optional(Type.Array(element, { maxItems: MAX_ITEMS, description }))
}

const Provider = singleLineText(50, 'Kind of Git provider, as in github or gitlab.')
const Host = Type.Optional(
  singleLineText(253, 'Host of the Git provider. Default: the cloud of the provider.'),
)
const accountId = singleLineText(200, 'ID of the account, assigned by the Git provider of the organization.')
const repositoryId = singleLineText(200, 'ID of the repository, assigned by the Git provider.')
// Two people without an address must not pass for one: what is no address is refused.
const email = Type.String({
  minLength: 3,
  maxLength: 320,
  pattern: `^[^@, ${FORBIDDEN_CHARACTERS}]{1,318}@[^@, ${FORBIDDEN_CHARACTERS}]{1,318}$`,
  description: 'Lower-cased when it is stored. Accounts with the same address are one person.',
})

const organizationRefFields = {
  provider: Provider,
  host: Host,
  id: singleLineText(200, 'ID of the organization, assigned by the Git provider.'),
}
const OrganizationRef = Type.Object(organizationRefFields, { description: 'Which organization is meant.' })

const Organization = Type.Object({
  ...organizationRefFields,
  name: singleLineText(200, 'Name of the organization.'),
  active: Type.Optional(Type.Boolean({ description: 'Default true; false = out of use, and not shown.' })),
})

const Repository = Type.Object({
  organization: OrganizationRef,
  id: repositoryId,
  name: singleLineText(200, 'Name of the repository.'),
  private: Type.Optional(Type.Boolean({ description: 'Default true.' })),
  active: Type.Optional(Type.Boolean({ description: 'Default true; false = out of use, and not shown.' })),
})

const Account = Type.Object({
  provider: Provider,
  host: Host,
  id: singleLineText(200, 'ID of the account, assigned by the Git provider.'),
  username: singleLineText(200, 'User name at the Git provider.'),
  email,
  name: singleLineText(200, 'Name of the person.'),
})

const Membership = Type.Object({
  organization: OrganizationRef,
  account_id: accountId,
  active: Type.Optional(Type.Boolean({ description: 'Default true = joins; false = leaves.' })),
})

const RepositoryAccess = Type.Object({
  organization: OrganizationRef,
  repository_id: repositoryId,
  account_id: accountId,
  granted: Type.Boolean({
    description:
      'true = the member can read the repository, as of `occurred_at` of the event; false = no longer.',
  }),
})

export const InventoryChanged = Type.Object({
  organizations: optionalList(Organization, 'Organizations as they are now.'),
  repositories: optionalList(Repository, 'Repositories as they are now.'),
  accounts: optionalList(Account, 'Accounts at the Git provider as they are now.'),
  memberships: optionalList(Membership, 'Who joined and who left an organization.'),
  repository_access: optionalList(RepositoryAccess, 'Who can read a repository, and who no longer can.'),
})

export type InventoryPayload = Static<typeof InventoryChanged>
type OrganizationRefPayload = Static<typeof OrganizationRef>

/** The fields we know. Defaults are not filled in, lest a message grows beyond what the door has admitted. */
export function normalizeInventory(payload: InventoryPayload): unknown {
  const { organizations, repositories, accounts, memberships, repository_access } = payload
  return {
    organizations: organizations?.map((item) => ({
      ...normalizeRef(item),
      name: item.name,
      active: item.active,
    })),
    repositories: repositories?.map(({ organization, id, name, private: hidden, active }) => {
      return { organization: normalizeRef(organization), id, name, private: hidden, active }
    }),
    accounts: accounts?.map((item) => {
      return {
        ...normalizeRef(item),
        username: item.username,
        email: item.email.toLowerCase(),
        name: item.name,
      }
    }),
    memberships: memberships?.map(({ organization, account_id, active }) => {
      return { organization: normalizeRef(organization), account_id, active }
    }),
    repository_access: repository_access?.map(({ organization, repository_id, account_id, granted }) => {
      return { organization: normalizeRef(organization), repository_id, account_id, granted }
    }),
  }
}

function normalizeRef({ provider, host, id }: OrganizationRefPayload) {
  return { provider, host, id }
}

import { type Static, type TSchema, Type } from 'typebox'
import { type OrganizationRef as NormalizedRef, normalizeOrganization } from '../../bus/queue/shapes.ts'
import { cleanName } from '../../names.ts'
import { nullable } from '../../shape.ts'

const MAX_ITEMS = 500
// Control characters and halves of surrogate pairs, which PostgreSQL cannot store as text.
const FORBIDDEN_CHARACTERS = '\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff'

function singleLineText(maxLength: number, description: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: `^[^${FORBIDDEN_CHARACTERS}]{1,${maxLength}}$`,
    description,
  })
}

/** Cleaned when the event is normalized, so a name does not keep its object from being reported. */
function name(description: string) {
  return Type.String({ minLength: 1, maxLength: 200, description })
}

function optionalList<Element extends TSchema>(element: Element, description: string) {
  return Type.Optional(Type.Array(element, { maxItems: MAX_ITEMS, description }))
}

const Provider = singleLineText(50, 'Git provider, for example github or gitlab.')
const Host = Type.Optional(
  singleLineText(253, 'Host of the Git provider. Default: the provider’s cloud host.'),
)
const accountId = singleLineText(200, 'ID of the account, assigned by the Git provider of the organization.')
const repositoryId = singleLineText(200, 'ID of the repository, assigned by the Git provider.')
// An e-mail address identifies a person, so a placeholder must not merge two people.
const email = nullable(
  Type.String({
    minLength: 3,
    maxLength: 320,
    pattern: `^[^@, ${FORBIDDEN_CHARACTERS}]{1,318}@[^@, ${FORBIDDEN_CHARACTERS}]{1,318}$`,
  }),
  {
    description:
      'E-mail address, stored in lower case. Accounts with the same address belong to one person. If the Git provider does ' +
      'not show it, omit it or send null: a new account is then a person of its own, and a stored address stays.',
  },
)

const organizationRefFields = {
  provider: Provider,
  host: Host,
  id: singleLineText(200, 'ID of the organization, assigned by the Git provider.'),
}
const OrganizationRef = Type.Object(organizationRefFields, {
  description: 'The organization, by provider, host and ID.',
})

const Organization = Type.Object({
  ...organizationRefFields,
  name: name('Name of the organization.'),
  active: Type.Optional(
    Type.Boolean({ description: 'Default true. If false, it is inactive and not returned.' }),
  ),
})

const Repository = Type.Object({
  organization: OrganizationRef,
  id: repositoryId,
  name: name('Name of the repository.'),
  private: Type.Optional(Type.Boolean({ description: 'Whether the repository is private. Default true.' })),
  active: Type.Optional(
    Type.Boolean({ description: 'Default true. If false, it is inactive and not returned.' }),
  ),
})

const Account = Type.Object({
  provider: Provider,
  host: Host,
  id: singleLineText(200, 'ID of the account, assigned by the Git provider.'),
  username: name('Username at the Git provider.'),
  email: Type.Optional(email),
  name: name('Name of the person.'),
})

const Membership = Type.Object({
  organization: OrganizationRef,
  account_id: accountId,
  active: Type.Optional(Type.Boolean({ description: 'Default true: the account joins. false: it leaves.' })),
})

const RepositoryAccess = Type.Object({
  organization: OrganizationRef,
  repository_id: repositoryId,
  account_id: accountId,
  granted: Type.Boolean({
    description: 'true: the member can read the repository as of `occurred_at`. false: no longer.',
  }),
})

export const InventoryChanged = Type.Object({
  organizations: optionalList(Organization, 'Organizations with their current values.'),
  repositories: optionalList(Repository, 'Repositories with their current values.'),
  accounts: optionalList(Account, 'Accounts at the Git provider with their current values.'),
  memberships: optionalList(Membership, 'Accounts that joined or left an organization.'),
  repository_access: optionalList(RepositoryAccess, 'Accounts that can read a repository, or no longer can.'),
})

export type InventoryPayload = Static<typeof InventoryChanged>
type OrganizationRefPayload = Static<typeof OrganizationRef>

/** The name of what has neither a name nor an id that can be shown. */
const UNNAMED = 'unnamed'

/** Picks the known fields. Defaults are not filled in: they could make the message larger than allowed. */
export function normalizeInventory(payload: InventoryPayload): unknown {
  const { organizations, repositories, accounts, memberships, repository_access } = payload
  return {
    organizations: organizations?.map((item) => ({
      ...normalizeRef(item),
      name: cleanName(item.name) || cleanName(item.id) || UNNAMED,
      active: item.active,
    })),
    repositories: repositories?.map(({ organization, id, name: given, private: isPrivate, active }) => {
      const ref = normalizeRef(organization)
      return {
        organization: ref,
        id,
        name: cleanName(given) || cleanName(id) || UNNAMED,
        private: isPrivate,
        active,
      }
    }),
    accounts: accounts?.map((item) => {
      const username = cleanName(item.username) || cleanName(item.id) || UNNAMED
      return {
        ...normalizeRef(item),
        username,
        email: item.email?.toLowerCase(),
        name: cleanName(item.name) || username,
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

export function listInventoryOrganizations(payload: InventoryPayload): NormalizedRef[] {
  const { organizations = [], repositories = [], memberships = [], repository_access = [] } = payload
  const named = [...repositories, ...memberships, ...repository_access].map(
    ({ organization }) => organization,
  )
  const refs = [...organizations, ...named].map(normalizeOrganization)
  return [...new Map(refs.map((ref) => [`${ref.provider}\n${ref.host}\n${ref.id}`, ref])).values()]
}

function normalizeRef({ provider, host, id }: OrganizationRefPayload) {
  return { provider, host, id }
}

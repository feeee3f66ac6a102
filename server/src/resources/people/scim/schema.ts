// The attributes of users and groups that are stored and returned. Everything else that a provider sends is ignored.

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export interface SimpleAttribute {
  readonly type: 'string' | 'boolean'
  readonly description: string
  readonly required?: true
  readonly unique?: true
  readonly caseExact?: true
  /** Sent by us only; a value that a provider sends is ignored. */
  readonly readOnly?: true
}

export interface ComplexAttribute {
  readonly type: 'complex'
  readonly description: string
  readonly multiValued: boolean
  readonly readOnly?: true
  readonly subAttributes: Readonly<Record<string, SimpleAttribute>>
}

export type Attribute = SimpleAttribute | ComplexAttribute
export type Attributes = Readonly<Record<string, Attribute>>

const text = (description: string): SimpleAttribute => ({ type: 'string', description })

export const userAttributes = {
  externalId: {
    type: 'string',
    description: 'The id of the user at the identity provider.',
    caseExact: true,
  },
  userName: {
    type: 'string',
    description: 'The name by which the user signs in at the identity provider.',
    required: true,
    unique: true,
  },
  active: { type: 'boolean', description: 'False ends all access of the person. True restores none of it.' },
  displayName: text('The name that is shown.'),
  nickName: text('A casual name.'),
  title: text('The job title.'),
  userType: text('The relation to the organization, such as Employee.'),
  preferredLanguage: text('The preferred language.'),
  locale: text('The locale.'),
  timezone: text('The time zone.'),
  name: {
    type: 'complex',
    description: 'The parts of the name.',
    multiValued: false,
    subAttributes: {
      formatted: text('The full name.'),
      familyName: text('The family name.'),
      givenName: text('The given name.'),
      middleName: text('The middle name.'),
      honorificPrefix: text('A title before the name.'),
      honorificSuffix: text('A suffix after the name.'),
    },
  },
  emails: {
    type: 'complex',
    description: 'E-mail addresses. The primary one, else the first, is the address of the person.',
    multiValued: true,
    subAttributes: {
      value: text('The address.'),
      display: text('The address as it is shown.'),
      type: text('What the address is for, such as work.'),
      primary: { type: 'boolean', description: 'Whether this is the address of the person.' },
    },
  },
  groups: {
    type: 'complex',
    description: 'The groups of the user. Change them through /Groups.',
    multiValued: true,
    readOnly: true,
    subAttributes: {
      value: { ...text('The id of the group.'), readOnly: true },
      display: { ...text('The name of the group.'), readOnly: true },
    },
  },
} as const satisfies Attributes

export const groupAttributes = {
  externalId: {
    type: 'string',
    description: 'The id of the group at the identity provider.',
    caseExact: true,
  },
  displayName: {
    type: 'string',
    description: 'The name of the group, by which the operator maps it to a role.',
    required: true,
    unique: true,
  },
  members: {
    type: 'complex',
    description: 'The users in the group.',
    multiValued: true,
    subAttributes: {
      value: text('The id of the user.'),
      display: { ...text('The name of the user.'), readOnly: true },
    },
  },
} as const satisfies Attributes

/** As RFC 7643, section 7, describes it. */
export function describeSchema(id: string, name: string, attributes: Attributes) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description: `${name}s of a tenant root.`,
    attributes: Object.entries(attributes).map(([attribute, definition]) => describe(attribute, definition)),
  }
}

function describe(name: string, definition: Attribute): Readonly<Record<string, unknown>> {
  const { type, description, readOnly } = definition
  const complex = definition.type === 'complex' ? definition : null
  const simple = definition.type === 'complex' ? null : definition
  return {
    name,
    type,
    multiValued: complex?.multiValued ?? false,
    description,
    required: simple?.required ?? false,
    ...(type === 'string' && { caseExact: simple?.caseExact ?? false }),
    mutability: readOnly ? 'readOnly' : 'readWrite',
    returned: 'default',
    ...(type !== 'boolean' && { uniqueness: simple?.unique ? 'server' : 'none' }),
    ...(complex && {
      subAttributes: Object.entries(complex.subAttributes).map(([sub, inner]) => describe(sub, inner)),
    }),
  }
}

import { scimEndpoints } from '../../server/test/proofs/fuzz.ts'
import type { Operation, Parameter, Schema } from './document.ts'

// SCIM is not in openapi.json: RFC 7643 and 7644 define it. These are the schemas of what we accept and send.

const TYPE = 'application/scim+json'
const core = 'urn:ietf:params:scim:schemas:core:2.0:'
const messages = 'urn:ietf:params:scim:api:messages:2.0:'

const text: Schema = { type: 'string', maxLength: 200 }
const number: Schema = { type: 'integer', minimum: 0, maximum: 50 }
const list = (items: Schema): Schema => ({ type: 'array', items, maxItems: 3 })
const oneOf = (...values: readonly unknown[]): Schema => ({ enum: values })

function object(properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  return { type: 'object', properties, required }
}

const active: Schema = { anyOf: [{ type: 'boolean' }, oneOf('True', 'false')] }
const emails = list(
  object(
    { value: { type: 'string', format: 'email' }, type: oneOf('work', 'home'), primary: { type: 'boolean' } },
    ['value'],
  ),
)
const members = list(object({ value: text }, ['value']))
const nameParts = object({ givenName: text, familyName: text, formatted: text }, [])
const common = { externalId: text, displayName: text }
const user = object({ ...common, userName: text, title: text, active, emails, name: nameParts }, ['userName'])
const group = object({ ...common, members }, ['displayName'])

const op = oneOf('add', 'Replace', 'replace', 'REMOVE')
const userOperations: readonly Schema[] = [
  object({ op, path: oneOf('title', 'displayName', 'name.givenName', 'externalId'), value: text }, [
    'op',
    'path',
    'value',
  ]),
  object({ op, path: oneOf('emails[type eq "work"].value'), value: { type: 'string', format: 'email' } }, [
    'op',
    'path',
    'value',
  ]),
  object({ op: oneOf('add', 'replace'), path: oneOf('active'), value: active }, ['op', 'path', 'value']),
  object({ op: oneOf('add', 'replace'), value: user }, ['op', 'value']),
]
const groupOperations: readonly Schema[] = [
  object({ op, path: oneOf('members'), value: members }, ['op', 'path', 'value']),
  object({ op: oneOf('replace'), path: oneOf('displayName', 'externalId'), value: text }, [
    'op',
    'path',
    'value',
  ]),
  object({ op: oneOf('add', 'replace'), value: group }, ['op', 'value']),
]

function patch(operations: readonly Schema[]): Schema {
  return object({ schemas: oneOf([`${messages}PatchOp`]), Operations: list({ anyOf: operations }) }, [
    'schemas',
    'Operations',
  ])
}

/** What is sent of a resource: `attributes` and `excludedAttributes` leave out all but these. */
function resource(schema: string): Schema {
  return object(
    { schemas: oneOf([schema]), id: { type: 'string', minLength: 1 }, meta: { type: 'object' } },
    ['schemas', 'id', 'meta'],
  )
}

function listOf(items: Schema): Schema {
  const count: Schema = { type: 'integer', minimum: 0 }
  const counts = { totalResults: count, startIndex: { ...count, minimum: 1 }, itemsPerPage: count }
  const properties = {
    schemas: oneOf([`${messages}ListResponse`]),
    ...counts,
    Resources: { type: 'array', items },
  }
  return object(properties, Object.keys(properties))
}

const errorTypes = [
  'invalidFilter',
  'invalidPath',
  'invalidSyntax',
  'invalidValue',
  'mutability',
  'noTarget',
  'tooMany',
  'uniqueness',
]
const error = object(
  {
    schemas: oneOf([`${messages}Error`]),
    status: { type: 'string', pattern: '^[45][0-9]{2}$' },
    scimType: oneOf(...errorTypes),
    detail: { type: 'string', minLength: 10 },
  },
  ['schemas', 'status', 'detail'],
)

interface Kind {
  readonly schema: string
  /** The name of the id in the path; ids are those that the service has returned. */
  readonly id: string
  readonly idSchema: Schema
  readonly body: Schema
  readonly patch: Schema
  readonly filters: readonly string[]
}

const discovery = { body: {}, patch: {}, filters: [] }
const kinds: Readonly<Record<string, Kind>> = {
  Users: {
    schema: `${core}User`,
    id: 'scim_user_id',
    idSchema: { type: 'string', format: 'uuid' },
    body: user,
    patch: patch(userOperations),
    filters: ['userName', 'externalId', 'emails.value', 'emails[type eq "work"].value', 'id'],
  },
  Groups: {
    schema: `${core}Group`,
    id: 'scim_group_id',
    idSchema: { type: 'string', format: 'uuid' },
    body: group,
    patch: patch(groupOperations),
    filters: ['displayName', 'externalId', 'members.value', 'id'],
  },
  Schemas: {
    ...discovery,
    schema: `${core}Schema`,
    id: 'id',
    idSchema: oneOf(`${core}User`, `${core}Group`),
  },
  ResourceTypes: { ...discovery, schema: `${core}ResourceType`, id: 'id', idSchema: oneOf('User', 'Group') },
}

/** Every operation of SCIM, in the form of those of openapi.json. */
export function listScimOperations(): readonly Operation[] {
  return scimEndpoints.map(({ method, path }) => {
    const [, , , name = '', id] = path.split('/')
    const kind = kinds[name]
    const isList = method === 'GET' && id === undefined && kind !== undefined
    const body = method === 'PATCH' ? kind?.patch : kind?.body
    return {
      operationId: `${method} ${path}`,
      tag: `SCIM ${name}`,
      method,
      path: id === undefined || kind === undefined ? path : path.replace('{id}', `{${kind.id}}`),
      parameters: [
        ...(id === undefined || kind === undefined ? [] : [parameter('path', kind.id, kind.idSchema)]),
        ...(kind !== undefined && kind.filters.length > 0 ? listParameters(kind, isList) : []),
      ],
      bodies: body !== undefined && method.startsWith('P') ? { [TYPE]: { schema: body } } : {},
      responses: describeResponses(method, name, kind, isList),
      kinds: ['scim'],
    }
  })
}

function parameter(location: 'path' | 'query', parameterName: string, schema: Schema): Parameter {
  return { name: parameterName, in: location, required: location === 'path', schema }
}

function listParameters({ filters }: Kind, isList: boolean): readonly Parameter[] {
  const attributes = oneOf('userName', 'displayName,members', `${core}User:emails.value`, 'nothing')
  const parts = [
    parameter('query', 'attributes', attributes),
    parameter('query', 'excludedAttributes', attributes),
  ]
  if (!isList) return parts
  const filter = oneOf(...filters.map((attribute) => `${attribute} eq "x"`))
  const slice = ['startIndex', 'count'].map((one) => parameter('query', one, number))
  return [parameter('query', 'filter', filter), ...slice, ...parts]
}

function describeResponses(
  method: string,
  resourceName: string,
  kind: Kind | undefined,
  isList: boolean,
): Operation['responses'] {
  const json = (schema: Schema) => ({ content: { [TYPE]: { schema } } })
  const one = resource(kind?.schema ?? `${core}ServiceProviderConfig`)
  const config = object({ schemas: oneOf([`${core}ServiceProviderConfig`]) }, ['schemas'])
  const errors = Object.fromEntries([400, 401, 404, 409, 413, 415].map((status) => [status, json(error)]))
  const isEmpty = method === 'DELETE' || (method === 'PATCH' && resourceName === 'Groups')
  if (isEmpty) return { ...errors, 204: {} }
  const success = kind === undefined ? config : isList ? listOf(one) : one
  return { ...errors, [method === 'POST' ? 201 : 200]: json(success) }
}

import { Refusal } from '../../../errors.ts'
import type { Reply } from '../../../http/reply.ts'
import type { ScimInput } from '../../../http/scim/endpoint.ts'
import { listReply, scimReply } from './list.ts'
import { describeSchema, GROUP_SCHEMA, groupAttributes, USER_SCHEMA, userAttributes } from './schema.ts'

const schemas = [
  describeSchema(USER_SCHEMA, 'User', userAttributes),
  describeSchema(GROUP_SCHEMA, 'Group', groupAttributes),
]

const resourceTypes = [
  { name: 'User', endpoint: '/Users', schema: USER_SCHEMA, description: 'A person of the tenant root.' },
  { name: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA, description: 'A group of users.' },
].map((type) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: type.name,
  ...type,
  meta: { resourceType: 'ResourceType', location: `/scim/v2/ResourceTypes/${type.name}` },
}))

const serviceProviderConfig = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: '/docs/scim',
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM credential',
      description: 'A credential of the operator, sent as Authorization: Bearer.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: '/scim/v2/ServiceProviderConfig' },
}

export const getServiceProviderConfig = (): Promise<Reply> =>
  Promise.resolve(scimReply(200, serviceProviderConfig))

export const listSchemas = (): Promise<Reply> => Promise.resolve(listAll(schemas))

export const listResourceTypes = (): Promise<Reply> => Promise.resolve(listAll(resourceTypes))

export const getSchema = (_context: unknown, { params }: ScimInput): Promise<Reply> =>
  Promise.resolve(findOne(schemas, params))

export const getResourceType = (_context: unknown, { params }: ScimInput): Promise<Reply> =>
  Promise.resolve(findOne(resourceTypes, params))

function listAll(items: readonly Readonly<Record<string, unknown>>[]): Reply {
  return listReply({ offset: 0, limit: items.length }, items.length, items)
}

function findOne(items: readonly { readonly id: string }[], { id }: Readonly<Record<string, string>>): Reply {
  const found = items.find((item) => item.id === id)
  if (found === undefined)
    throw new Refusal('NOT_FOUND', 'There is nothing with this id. List all without an id.')
  return scimReply(200, found)
}

import { Refusal } from '../../../errors.ts'
import type { Reply } from '../../../http/reply.ts'
import type { ScimContext, ScimInput } from '../../../http/scim/endpoint.ts'
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
}))

const serviceProviderConfig = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
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
}

export async function getServiceProviderConfig({ baseUrl }: ScimContext): Promise<Reply> {
  const documentationUri = baseUrl.replace(/\/scim\/v2$/, '/docs/scim')
  const meta = { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` }
  return scimReply(200, { ...serviceProviderConfig, documentationUri, meta })
}

export async function listSchemas({ baseUrl }: ScimContext): Promise<Reply> {
  return listAll(schemas.map((schema) => locate(baseUrl, 'Schema', schema)))
}

export async function listResourceTypes({ baseUrl }: ScimContext): Promise<Reply> {
  return listAll(resourceTypes.map((type) => locate(baseUrl, 'ResourceType', type)))
}

export async function getSchema({ baseUrl }: ScimContext, { params }: ScimInput): Promise<Reply> {
  return scimReply(200, locate(baseUrl, 'Schema', findOne(schemas, params)))
}

export async function getResourceType({ baseUrl }: ScimContext, { params }: ScimInput): Promise<Reply> {
  return scimReply(200, locate(baseUrl, 'ResourceType', findOne(resourceTypes, params)))
}

function locate<Item extends { readonly id: string }>(
  baseUrl: string,
  resourceType: 'Schema' | 'ResourceType',
  item: Item,
) {
  return { ...item, meta: { resourceType, location: `${baseUrl}/${resourceType}s/${item.id}` } }
}

function listAll(items: readonly Readonly<Record<string, unknown>>[]): Reply {
  return listReply({ offset: 0, limit: items.length }, items.length, items)
}

function findOne<Item extends { readonly id: string }>(
  items: readonly Item[],
  { id }: Readonly<Record<string, string>>,
): Item {
  const found = items.find((item) => item.id === id)
  if (found === undefined)
    throw new Refusal('NOT_FOUND', 'There is nothing with this id. List all without an id.')
  return found
}

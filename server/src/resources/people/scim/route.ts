import type { ScimEndpoint } from '../../../http/scim/endpoint.ts'
import {
  getResourceType,
  getSchema,
  getServiceProviderConfig,
  listResourceTypes,
  listSchemas,
} from './discovery.ts'
import { createGroup, getGroup, listGroups, patchGroup, removeGroup, replaceGroup } from './groups.ts'
import { createUser, getUser, listUsers, patchUser, removeUser, replaceUser } from './users.ts'

function define(
  method: ScimEndpoint['method'],
  path: ScimEndpoint['path'],
  run: ScimEndpoint['run'],
): ScimEndpoint {
  return { method, path, errorBody: 'scim', run }
}

export const scimDiscovery: readonly ScimEndpoint[] = [
  define('GET', '/scim/v2/ServiceProviderConfig', getServiceProviderConfig),
  define('GET', '/scim/v2/Schemas', listSchemas),
  define('GET', '/scim/v2/Schemas/{id}', getSchema),
  define('GET', '/scim/v2/ResourceTypes', listResourceTypes),
  define('GET', '/scim/v2/ResourceTypes/{id}', getResourceType),
]

export const scimUsers: readonly ScimEndpoint[] = [
  define('GET', '/scim/v2/Users', listUsers),
  define('POST', '/scim/v2/Users', createUser),
  define('GET', '/scim/v2/Users/{id}', getUser),
  define('PUT', '/scim/v2/Users/{id}', replaceUser),
  define('PATCH', '/scim/v2/Users/{id}', patchUser),
  define('DELETE', '/scim/v2/Users/{id}', removeUser),
]

export const scimGroups: readonly ScimEndpoint[] = [
  define('GET', '/scim/v2/Groups', listGroups),
  define('POST', '/scim/v2/Groups', createGroup),
  define('GET', '/scim/v2/Groups/{id}', getGroup),
  define('PUT', '/scim/v2/Groups/{id}', replaceGroup),
  define('PATCH', '/scim/v2/Groups/{id}', patchGroup),
  define('DELETE', '/scim/v2/Groups/{id}', removeGroup),
]

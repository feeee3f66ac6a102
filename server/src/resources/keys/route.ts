import { allowKeys, defineEndpoint } from '../../http/endpoint.ts'
import examples from './examples.json' with { type: 'json' }
import {
  handleCreateKey,
  handleDeleteKey,
  handleListKeys,
  handleRotateKey,
  refuseInvalidNewKey,
} from './handlers.ts'
import { CreatedKey, KeyList, KeyPath, KeysQuery, NewKeyBody, RotatedKey, RotationBody } from './schema.ts'

const common = {
  tag: 'Keys',
  keys: allowKeys('user', 'workspace'),
  organization: 'own',
  plan: 'any',
  admin: true,
  limit: 'keys',
} as const

export const keys = defineEndpoint({
  ...common,
  method: 'GET',
  readsWithAdmission: true,
  path: '/v1/keys',
  operationId: 'listKeys',
  example: examples.keys,
  summary: 'List keys',
  description:
    'Returns active keys without their values. A user key lists the keys bound to its organization; a workspace token ' +
    'lists all keys of the workspace, including workspace tokens.',
  permission: 'api_key:read',
  query: KeysQuery,
  paging: { defaultLimit: 100, limitInCursor: false, boundBy: [] },
  replies: { 200: { description: 'A page of keys.', body: KeyList } },
  run: handleListKeys,
})

export const newKey = defineEndpoint({
  ...common,
  method: 'POST',
  path: '/v1/keys',
  operationId: 'createKey',
  freshSignIn: true,
  example: examples.newKey,
  summary: 'Create a key',
  description:
    'The new key acts for the owner of the calling key. It cannot have more permissions, a wider scope or a later expiry ' +
    'than the calling key. Its value is returned only once.',
  permission: 'api_key:write',
  body: NewKeyBody,
  checks: { input: refuseInvalidNewKey },
  replies: { 201: { description: 'The new key, with its value.', body: CreatedKey, shownOnce: ['value'] } },
  refusals: ['ORG_ID_REQUIRED'],
  run: handleCreateKey,
})

export const keyRotation = defineEndpoint({
  ...common,
  method: 'POST',
  path: '/v1/keys/{key_id}/rotate',
  operationId: 'rotateKey',
  freshSignIn: true,
  example: examples.keyRotation,
  summary: 'Rotate a key',
  description:
    'Creates a key with the scope, owner and permissions of the old key, which stays valid for the overlap. A legacy key ' +
    'is replaced by a user key. Only the owner can rotate a key, and the calling key must have all of its permissions.',
  permission: 'api_key:write',
  params: KeyPath,
  body: RotationBody,
  replies: { 201: { description: 'The new key, with its value.', body: RotatedKey, shownOnce: ['value'] } },
  refusals: ['NOT_FOUND'],
  run: handleRotateKey,
})

export const keyRemoval = defineEndpoint({
  ...common,
  method: 'DELETE',
  path: '/v1/keys/{key_id}',
  operationId: 'deleteKey',
  example: examples.keyRemoval,
  summary: 'Delete a key',
  description: 'Revokes a key immediately on every node. A key can delete itself.',
  permission: 'api_key:delete',
  params: KeyPath,
  replies: { 204: { description: 'The key is revoked.', body: null } },
  refusals: ['NOT_FOUND'],
  run: handleDeleteKey,
})

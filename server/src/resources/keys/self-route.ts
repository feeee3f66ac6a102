import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { NoPath, NoQuery } from '../../shape.ts'

import { type ApiSurface, getKeySelf } from './self/get.ts'
import { KeySelf } from './self/schema.ts'

/** It tells of all endpoints, itself among them, so it is given them when it is asked. */
export function keySelf(getApiSurface: () => ApiSurface): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/keys/self',
    operationId: 'getKeySelf',
    summary: 'Ask what this key may do',
    description:
      'What the key in the header is, whom it acts for, which organizations it sees, and for every endpoint whether a good ' +
      'request is served or with which code it is refused: one that names an organization only where it must. What a ' +
      'request names besides can still be refused: a repository that the owner cannot read, an id that nothing has.',
    tag: 'Keys',
    keys: {
      organization: 'allowed',
      user: 'allowed',
      workspace: 'allowed',
      instance: 'allowed',
      legacy: 'allowed',
      agentic: 'allowed',
    },
    organization: 'whole',
    plan: 'any',
    permission: null,
    admin: false,
    limit: 'keys',
    readsWithAdmission: true,
    errorBody: 'error',
    params: NoPath,
    query: NoQuery,
    body: null,
    paging: null,
    replies: { 200: { description: 'What the key is and may do.', body: KeySelf } },
    refusals: [],
    run: (context) => getKeySelf(context, getApiSurface()),
  })
}

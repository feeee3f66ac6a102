import { allowKeys, defineEndpoint, type Endpoint } from '../../../http/endpoint.ts'

import examples from './examples.json' with { type: 'json' }
import { type ApiSurface, getKeySelf } from './get.ts'
import { KeySelf } from './schema.ts'

/** Takes a function because the list of all endpoints includes this one. */
export function keySelf(getApiSurface: () => ApiSurface): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/keys/self',
    operationId: 'getKeySelf',
    example: examples.keySelf,
    summary: 'Get the calling key and its access',
    description:
      'Returns what the calling key or session is, for whom it acts, which organizations it sees and, for every endpoint, whether a ' +
      'valid request is allowed or which error code it returns. The request is assumed to name an organization only where ' +
      'one is required. It can still be refused for what it names: an unreadable repository or an unknown ID.',
    tag: 'Keys',
    keys: allowKeys('organization', 'user', 'workspace', 'instance', 'legacy', 'agentic'),
    organization: 'whole',
    plan: 'any',
    permission: null,
    admin: false,
    limit: 'keys',
    readsWithAdmission: true,
    replies: { 200: { description: 'The calling key and its access.', body: KeySelf } },
    run: (context) => getKeySelf(context, getApiSurface()),
  })
}

import type { IncomingHttpHeaders } from 'node:http'
import type { RootId } from '../ids.ts'
import type { AppContext } from './app-context.ts'
import { receiveBody } from './body.ts'
import type { ApiRequest, Pipeline } from './pipeline.ts'
import type { Reply } from './reply.ts'

/** A route under /hooks, where Git providers report changes. Its requests are signed and have no key. */
export interface HookEndpoint {
  readonly method: 'POST'
  readonly path: `/hooks/${string}`
  readonly errorBody: 'error'
  readonly maxBytes: number
  run(app: AppContext, request: HookRequest): Promise<Reply>
}

export interface HookRequest {
  readonly headers: IncomingHttpHeaders
  readonly params: Readonly<Record<string, string>>
  /** Receives the body within the share of memory and slots that hooks of a tenant root have. */
  readonly readBody: (root: RootId) => Promise<Buffer>
}

export function createHookPipeline(app: AppContext, endpoint: HookEndpoint): Pipeline {
  return (request) => endpoint.run(app, toHookRequest(request, endpoint.maxBytes))
}

function toHookRequest({ headers, params, body, stages }: ApiRequest, maxBytes: number): HookRequest {
  return {
    headers,
    params,
    async readBody(root) {
      await stages.startWork(root)
      const received = await stages.receive((meter) =>
        // Any type, because the signature is checked before anything that the sender says is judged.
        receiveBody(body, { ...headers, 'content-type': 'hook' }, ['hook'], { maxBytes, meter }),
      )
      return received.bytes
    },
  }
}

import type { ChangeContext } from '../../access/change-context.ts'
import type { Log } from '../../observe/log.ts'
import type { Reply } from '../reply.ts'

/** An endpoint of SCIM 2.0. http/scim/pipeline.ts runs it; RFC 7644 defines its errors and its paging. */
export interface ScimEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/scim/v2/${string}`
  readonly errorBody: 'scim'
  run(context: ScimContext, input: ScimInput): Promise<Reply>
}

/** One transaction in the tenant root of the credential. */
export interface ScimContext extends ChangeContext {
  readonly log: Log
  /** The address of /scim/v2 as clients know it, or only its path. */
  readonly baseUrl: string
  /** Called after the commit: so many organizations have lost their last active admin. */
  readonly reportLostAdmins: (organizations: readonly string[]) => void
}

export interface ScimInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The parsed body of POST, PUT and PATCH: always an object. */
  readonly body: Readonly<Record<string, unknown>>
}

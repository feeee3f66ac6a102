import type { Static, TSchema } from 'typebox'
import type { KeyKind } from '../access/key-format.ts'
import type { Permission } from '../access/permissions.ts'
import type { Placement } from '../access/placement.ts'
import type { Principal } from '../access/principal.ts'
import type { Scope, SelectedScope, SelectionMode } from '../access/scope.ts'
import type { LimitPolicy } from '../config.ts'
import type { MetricsStores } from '../db/stores.ts'
import type { Tx } from '../db/transaction.ts'
import type { ErrorCode } from '../errors.ts'
import type { OrganizationId } from '../ids.ts'
import { NoPath, NoQuery } from '../shape.ts'
import type { AppContext } from './app-context.ts'
import type { Page, Paging } from './paging.ts'
import type { Reply } from './reply.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One endpoint of the API: data and a handler. http/pipeline.ts runs the same checks in the same order for each of them. */
export interface Endpoint<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Prepared = unknown,
> {
  readonly method: Method
  readonly path: `/${string}`
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  /**
   * For each kind of key: allowed, or the error code. One row of the contract's table. `person`: the endpoint serves the
   * person who is signed in, not one of their organizations.
   */
  readonly keys: Readonly<
    Record<KeyKind, 'allowed' | Extract<ErrorCode, 'KEY_KIND_NOT_ALLOWED' | 'LEGACY_API_KEY'>>
  > & { readonly person?: 'allowed' }
  /** A session needs a sign-in of the last minutes, so that a stolen cookie is not enough. */
  readonly freshSignIn?: true
  readonly organization: SelectionMode
  /** Reads the metrics of its scope; refused if metrics are disabled for an organization in it. */
  readonly readsMetrics?: true
  /**
   * `enterprise` requires the plan and an active subscription. An inactive one is 403, or 402 if the endpoint lists
   * NO_ACTIVE_SUBSCRIPTION among its refusals.
   */
  readonly plan: 'any' | 'enterprise'
  readonly permission: Permission | null
  readonly admin: boolean
  readonly limit: LimitPolicy
  /**
   * Requests that change nothing but counters take the read path: those of every GET, and here all others or the dry runs,
   * which count against a limit of their own.
   */
  readonly readOnly?:
    | true
    | { isDryRun(input: RequestInput<Params, Query, Body>): boolean; readonly limit: LimitPolicy }
  /**
   * The handler starts by reading in `tx` and nowhere else, so its first batch shares the round trip of the rate limit's
   * answer. Without it the pipeline awaits that answer before the handler runs.
   */
  readonly readsWithAdmission?: true
  /**
   * The maximum number of concurrent writes across all nodes. `queued`: requests of one tenant would block each other in
   * the database, so they queue in memory instead.
   */
  readonly concurrency?: number | 'queued'
  readonly errorBody: 'error' | 'errors'
  readonly params: Params
  readonly query: Query
  readonly body: Body | null
  /**
   * Checks of this endpoint that the contract orders before the rate limit, in the order in which they run. Later ones
   * belong into the handler.
   */
  readonly checks?: {
    /**
     * Rejects a request by its body as sent, before the check of the key kind. The contract makes that exception for the two
     * endpoints that change roles of users.
     */
    readonly body?: (body: unknown, principal: Principal) => void
    /** Rejects what the schemas cannot express, or what depends on the key, right after schema validation. */
    readonly input?: (input: RequestInput<Params, Query, Body>, principal: Principal) => void
    /**
     * Rejects organizations and repositories that the endpoint does not serve, after the checks of plan and permission.
     * GET /v1/keys/self runs it with `request: null`, to report what a key may do.
     */
    readonly access?: (
      access: AccessCheck,
      request: { readonly app: AppContext; readonly input: RequestInput<Params, Query, Body> } | null,
    ) => Promise<void>
  }
  /** Slow work outside the database. It finishes before the request takes a connection; the handler gets its result. */
  readonly prepare?: (
    app: AppContext,
    input: RequestInput<Params, Query, Body>,
    selected: SelectedScope,
  ) => Promise<Prepared>
  readonly paging: Paging | null
  /** A larger response is replaced by 413. Streams are not limited. */
  readonly maxReplyBytes?: number
  readonly replies: Readonly<Record<number, ResponseSpec>>
  /** A request and its response, for the reference. `npm run generate` fails if it is missing or does not fit the schemas. */
  readonly example?: EndpointExample
  /** Error codes besides those that follow from the fields above. */
  readonly refusals: readonly ErrorCode[]
  run(context: RequestContext<Prepared>, input: RequestInput<Params, Query, Body>): Promise<Reply>
}

export function allowKeys(...kinds: readonly (KeyKind | 'person')[]): Endpoint['keys'] {
  const allowed = Object.fromEntries(kinds.map((kind) => [kind, 'allowed'] as const))
  return {
    organization: 'KEY_KIND_NOT_ALLOWED',
    user: 'KEY_KIND_NOT_ALLOWED',
    workspace: 'KEY_KIND_NOT_ALLOWED',
    instance: 'KEY_KIND_NOT_ALLOWED',
    legacy: 'LEGACY_API_KEY',
    agentic: 'KEY_KIND_NOT_ALLOWED',
    ...allowed,
  }
}

/** The key kinds of most admin endpoints. */
export const allButLegacyAndAgenticKeys = allowKeys('organization', 'user', 'workspace', 'instance')

/**
 * Values are those of the demo's tenant Meridian Freight, so that the acceptance suite can send the request; it replaces
 * dates and the ids that the server makes.
 */
export interface EndpointExample {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** The JSON body of the response; absent if it has none. */
  readonly response?: unknown
  /** Bodies of the response in other media types. NDJSON is made from `response`. */
  readonly files?: Readonly<Record<string, unknown>>
}

interface ResponseSpec {
  readonly description: string
  readonly body: TSchema | null
  /** Fields of the body that are shown once and not stored for repeated requests. */
  readonly shownOnce?: readonly string[]
  /** Columns of the response to `format=csv`. The header x-next-cursor carries the next cursor. */
  readonly csv?: readonly string[]
  /** Other headers of that response, which http/docs/openapi-parts.ts describes. */
  readonly csvHeaders?: readonly 'x-ranked-by'[]
  /** Complete files in other media types, each with a schema for the reference. */
  readonly files?: Readonly<Record<string, TSchema>>
}

export interface AccessCheck extends SelectedScope {
  readonly principal: Principal
  readonly tx: Tx
}

export interface RequestInput<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  readonly params: Static<Params>
  readonly query: Static<Query>
  readonly body: Static<Body>
}

/** What the pipeline passes to a handler. */
export interface RequestContext<Prepared = unknown> {
  readonly principal: Principal
  readonly scope: Scope
  /** The selected or bound organization; null if the scope has several. */
  readonly organization: OrganizationId | null
  /** The scoped transaction of this request. A change, its audit row and its events commit together. */
  readonly tx: Tx
  /** Runs work in another transaction of the same scope, for handlers that must not hold one open. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Refuses if the key has ended or no longer has the access that the request was admitted with. For streams, between pages. */
  checkAccessAgain(): Promise<void>
  readonly page: Page
  /** Where the metrics of the scope are stored; null unless the endpoint reads metrics. */
  readonly metrics: { readonly stores: MetricsStores; readonly placement: Placement } | null
  /** Whether to respond with NDJSON. */
  readonly ndjson: boolean
  /** Unfinished work that an earlier request with the same Idempotency-Key started. */
  readonly pendingWorkId: string | null
  /** The result of the endpoint's `prepare`. */
  readonly prepared: Prepared
  readonly now: () => Date
  readonly requestId: string
  readonly address: string
}

/** The selected organization, for endpoints whose selection is always one. */
export function requireOrganization({ organization }: Pick<RequestContext, 'organization'>): OrganizationId {
  if (organization === null) throw new Error('No organization is selected.')
  return organization
}

/**
 * The values of fields that a definition may omit. None of them makes an endpoint more open: it has no input, and only
 * organizations with the plan can call it.
 */
const defaults = {
  plan: 'enterprise',
  errorBody: 'error',
  params: NoPath,
  query: NoQuery,
  body: null,
  paging: null,
  refusals: [],
} as const

type Definition<Params extends TSchema, Query extends TSchema, Body extends TSchema, Prepared> = Omit<
  Endpoint<NoInfer<Params>, NoInfer<Query>, NoInfer<Body>, Prepared>,
  keyof typeof defaults | 'run'
> &
  Partial<Pick<Endpoint<Params, Query, Body>, keyof typeof defaults>> & {
    // Not the method with RequestInput: TypeScript would accept a handler that reads what no schema here validates.
    readonly run: (
      context: RequestContext<Prepared>,
      input: { readonly params: Static<Params>; readonly query: Static<Query>; readonly body: Static<Body> },
    ) => Promise<Reply>
  }

/** Types an endpoint by its own schemas where it is defined, and erases them for the list of endpoints. */
export function defineEndpoint<
  Params extends TSchema = typeof NoPath,
  Query extends TSchema = typeof NoQuery,
  Body extends TSchema = TSchema,
  Prepared = unknown,
>(definition: Definition<Params, Query, Body, Prepared>): Endpoint {
  return { ...defaults, ...definition }
}

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
  /** For each kind of key: allowed, or the error code. One row of the contract's table. */
  readonly keys: Readonly<
    Record<KeyKind, 'allowed' | Extract<ErrorCode, 'KEY_KIND_NOT_ALLOWED' | 'LEGACY_API_KEY'>>
  >
  /** Serves the person who is signed in, not one of their organizations: sessions only, without an organization. */
  readonly session?: 'person'
  /** A session needs a sign-in of the last minutes, so that a stolen cookie is not enough. */
  readonly freshSignIn?: true
  readonly organization: SelectionMode
  /** Reads the metrics of its scope; refused if metrics are disabled for an organization in it. */
  readonly readsMetrics?: true
  /** `enterprise` requires the plan and an active subscription. */
  readonly plan: 'any' | 'enterprise'
  /** An inactive subscription is 402 instead of 403. The contract says so of the two endpoints of seats only. */
  readonly paymentRequired?: true
  readonly permission: Permission | null
  readonly admin: boolean
  readonly limit: LimitPolicy
  /** A POST that changes nothing but counters. It takes the read path. */
  readonly readOnly?: true
  /** Requests that change nothing take the read path, and count against a limit of their own. */
  readonly dryRun?: {
    isDryRun(input: RequestInput<Params, Query, Body>): boolean
    readonly limit: LimitPolicy
  }
  /**
   * The handler starts by reading in `tx` and nowhere else, so its first batch shares the round trip of the rate limit's
   * answer. Without it the pipeline awaits that answer before the handler runs.
   */
  readonly readsWithAdmission?: true
  /** Maximum number of concurrent requests across all nodes. */
  readonly maxConcurrent?: number
  /** Requests of one tenant would block each other in the database, so they queue in memory instead. */
  readonly serializePerRoot?: true
  readonly errorBody: 'error' | 'errors'
  readonly params: Params
  readonly query: Query
  readonly body: Body | null
  /**
   * Rejects a request by its unvalidated body, before the check of the key kind. Only the two endpoints that change roles
   * of users have it: the contract makes that exception to the order of checks, so it cannot move into the handler.
   */
  readonly precheckBody?: (body: unknown, principal: Principal) => void
  /**
   * Rejects organizations and repositories that the endpoint does not serve. It runs before the rate limit, which counts
   * no refused access. GET /v1/keys/self runs it with `request: null`, to report what a key may do.
   */
  readonly checkRequirements?: (
    access: AccessCheck,
    request: { readonly app: AppContext; readonly input: RequestInput<Params, Query, Body> } | null,
  ) => Promise<void>
  /**
   * A field of the body whose items the handler validates one by one: an invalid item does not fail the request. Only
   * POST /v1/learnings uses it; it stays here because the envelope is checked before the organization is selected and
   * the reference documents the items by `body`.
   */
  readonly individuallyValidatedField?: string
  /** Checks that the schemas cannot express, or that depend on the key. It runs right after schema validation. */
  readonly refine?: (input: RequestInput<Params, Query, Body>, principal: Principal) => void
  /** Slow work outside the database. It finishes before the request takes a connection; the handler gets its result. */
  readonly prepare?: (
    app: AppContext,
    input: RequestInput<Params, Query, Body>,
    selected: SelectedScope,
  ) => Promise<Prepared>
  /** The query schema for callers that accept `application/x-ndjson`. It replaces `query` during validation. */
  readonly ndjsonQuery?: TSchema
  readonly paging: Paging | null
  /** A larger response is replaced by 413. Streams are not limited. */
  readonly maxReplyBytes?: number
  /** Fields of the response that are shown once and not stored for repeated requests. */
  readonly shownOnce?: readonly string[]
  readonly replies: Readonly<Record<number, ResponseSpec>>
  /** A request and its response, for the reference. `npm run generate` fails if it is missing or does not fit the schemas. */
  readonly example?: EndpointExample
  /** Error codes besides those that follow from the fields above. */
  readonly refusals: readonly ErrorCode[]
  run(context: RequestContext<Prepared>, input: RequestInput<Params, Query, Body>): Promise<Reply>
}

/** Without kinds: only a session may call the endpoint. */
export function allowKeys(...kinds: readonly KeyKind[]): Endpoint['keys'] {
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

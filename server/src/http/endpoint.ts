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
import type { AppContext } from './app-context.ts'
import type { Page, Paging } from './paging.ts'
import type { Reply } from './reply.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What an endpoint promises. It is pure data but for its verb; http/pipeline.ts runs every one in the same order. */
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
  /** Each kind of key: allowed, or the code it is refused with. The contract's table, row by row. */
  readonly keys: Readonly<
    Record<KeyKind, 'allowed' | Extract<ErrorCode, 'KEY_KIND_NOT_ALLOWED' | 'LEGACY_API_KEY'>>
  >
  readonly organization: SelectionMode
  /** It reads the metrics of its scope: refused when they are switched off for an organization of it. */
  readonly readsMetrics?: true
  /** `enterprise` asks for the plan and for an active subscription. */
  readonly plan: 'any' | 'enterprise'
  readonly permission: Permission | null
  readonly admin: boolean
  readonly limit: LimitPolicy
  /** A POST that only asks, and changes nothing but counters, goes the way of a read. */
  readonly readOnly?: true
  /**
   * The handler starts by reading in `tx` and nowhere else, so its first batch shares the round trip of the rate limit's
   * answer. Without it the pipeline awaits that answer before the handler runs.
   */
  readonly readsWithAdmission?: true
  /** How many may run at a time over all nodes. */
  readonly maxConcurrent?: number
  /** Those of one tenant wait for one another in the database from their first statement on. */
  readonly serializePerRoot?: true
  readonly errorBody: 'error' | 'errors'
  readonly params: Params
  readonly query: Query
  readonly body: Body | null
  /** Refuses by the body, which nobody has checked, before the kind of the key: an exception that the contract makes. */
  readonly precheckBody?: (body: unknown, principal: Principal) => void
  /**
   * What the verb asks of the organizations of the scope, whatever the request says; it refuses. The verb calls it in its
   * turn, and whoever tells a key what it may do calls it too.
   */
  readonly checkRequirements?: (principal: Principal, scope: Scope, tx: Tx) => Promise<void>
  /** A field of the body whose items the verb judges one by one: what is wrong with one says nothing about the request. */
  readonly individuallyValidatedField?: string
  /** What the shapes cannot say of a request, and what only some kinds of keys may ask for; it refuses, with the shapes. */
  readonly refine?: (input: RequestInput<Params, Query, Body>, principal: Principal) => void
  /** Slow work that is done elsewhere: finished before the request holds a connection, and handed to the verb. */
  readonly prepare?: (
    app: AppContext,
    input: RequestInput<Params, Query, Body>,
    selected: SelectedScope,
  ) => Promise<Prepared>
  /** The query of a caller who accepts `application/x-ndjson`: the answer is then one entry a line. */
  readonly ndjsonQuery?: TSchema
  readonly paging: Paging | null
  /** The whole answer may not be larger than this many bytes. */
  readonly maxReplyBytes?: number
  /** Fields of the answer that are shown once and left out of a kept one. */
  readonly shownOnce?: readonly string[]
  readonly replies: Readonly<Record<number, ResponseSpec>>
  /** Codes beyond those that follow from the fields above. */
  readonly refusals: readonly ErrorCode[]
  run(context: RequestContext<Prepared>, input: RequestInput<Params, Query, Body>): Promise<Reply>
}

/** The row of the contract's table that most endpoints for admins have. */
export const allButLegacyAndAgenticKeys = {
  organization: 'allowed',
  user: 'allowed',
  workspace: 'allowed',
  instance: 'allowed',
  legacy: 'LEGACY_API_KEY',
  agentic: 'KEY_KIND_NOT_ALLOWED',
} as const satisfies Endpoint['keys']

/** What a status comes with. */
interface ResponseSpec {
  readonly description: string
  readonly body: TSchema | null
  /** The columns of the table that `format=csv` asks for; its next cursor is in the header x-next-cursor. */
  readonly csv?: readonly string[]
  /** Other forms of the answer, by their media types: files that are whole, each with what it holds. */
  readonly files?: Readonly<Record<string, string>>
}

export interface RequestInput<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  readonly params: Static<Params>
  readonly query: Static<Query>
  readonly body: Static<Body>
}

/** What a verb is given. */
export interface RequestContext<Prepared = unknown> {
  readonly principal: Principal
  readonly scope: Scope
  /** The selected or bound organization, where it is one. */
  readonly organization: OrganizationId | null
  /** The scoped transaction of this request: the change, its audit row and its events are committed together. */
  readonly tx: Tx
  /** For work that must not hold one transaction open: another one with the same scope. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  readonly page: Page
  /** Where the metrics of the scope lie; of an endpoint that reads them. */
  readonly metrics: { readonly stores: MetricsStores; readonly placement: Placement } | null
  /** The caller accepts one entry a line. */
  readonly ndjson: boolean
  /** Work that the same request has begun before, under its Idempotency-Key, and that has not been answered. */
  readonly pendingWorkId: string | null
  /** What the endpoint's `prepare` has made. */
  readonly prepared: Prepared
  readonly now: () => Date
  readonly requestId: string
  readonly address: string
}

/** Keeps the types of an endpoint's own shapes while it is written, and forgets them for the table of contents. */
export function defineEndpoint<Params extends TSchema, Query extends TSchema, Body extends TSchema, Prepared>(
  definition: Endpoint<Params, Query, Body, Prepared>,
): Endpoint {
  return definition
}

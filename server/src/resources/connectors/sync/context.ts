import type { Pool } from '../../../db/connect.ts'
import type { ConnectorId, OrganizationId, RootId } from '../../../ids.ts'
import type { Log } from '../../../observe/log.ts'
import type { DetectedOutcome, ParsedReview } from '../finding.ts'
import type { ProviderClient, WorkClass } from '../git-providers/provider-client.ts'
import type { ParseInThread } from '../parsers/thread/run.ts'
import type { OwnBot } from '../schema.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import type { Mode, Provider } from '../sql.ts'

/** A connector with the organization that it reports on. */
export interface SyncedConnector {
  readonly id: ConnectorId
  readonly root: RootId
  readonly organization: OrganizationId
  readonly provider: Provider
  readonly host: string
  readonly mode: Mode
  readonly account: string
  readonly credential: Buffer
  readonly keyId: string
  /** ID of the organization at the Git provider. */
  readonly organizationId: string
  /** Accounts that this connector, or one before it, reported as members. */
  readonly members: readonly string[]
  readonly writeBack: boolean
  readonly bots: readonly OwnBot[]
  readonly createdAt: string
  readonly inventoryDigest: Buffer | null
  readonly inventorySentAt: string | null
}

/** An event before its id and time are known. */
export interface NewEvent {
  readonly type: string
  readonly payload: object
}

/** Resolves when the queue has stored the events. Throws if one of them is not valid. */
export type SendEvents = (
  connector: SyncedConnector,
  events: readonly (NewEvent & {
    readonly id: string
    readonly version: number
    readonly occurred_at: string
  })[],
) => Promise<void>

/** Does not throw if the Git provider refuses what is written. */
export type WriteBack = (
  connector: SyncedConnector,
  client: ProviderClient,
  snapshot: PullRequestSnapshot,
  signal?: AbortSignal,
) => Promise<void>

export interface DetectionOptions {
  /** Ends git when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** How often this pull request failed in a row. */
  readonly failures: number
  /** Called with what an admin should know if git cannot read, and with null if it can. */
  readonly recordGitError: (error: string | null) => Promise<void>
}

/** What a worker needs to serve connectors. */
export interface SyncContext {
  readonly database: Pool
  readonly log: Log
  readonly now: () => Date
  /** Identifies this process in its leases. */
  readonly owner: string
  /** Aborts when the step that runs has taken too long; absent outside of steps. */
  readonly signal?: AbortSignal
  /** Throws if the credential cannot be decrypted. What the client waits for ends when the signal aborts. */
  readonly createClient: (connector: SyncedConnector, work: WorkClass, signal?: AbortSignal) => ProviderClient
  readonly sendEvents: SendEvents
  readonly parseComments: ParseInThread
  readonly detectOutcomes: (
    connector: SyncedConnector,
    client: ProviderClient,
    snapshot: PullRequestSnapshot,
    review: ParsedReview,
    options: DetectionOptions,
  ) => Promise<readonly DetectedOutcome[]>
  /** Called with what was just read, before events are sent. Left out = nothing is written to the Git provider. */
  readonly writeBack?: WriteBack
  /** Called with the time from the end of a pull request until its first events were queued. */
  readonly observeLag?: (seconds: number) => void
}

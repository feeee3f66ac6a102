import type { KeyRing } from '../../../config.ts'
import type { Pool } from '../../../db/connect.ts'
import type { ConnectorId, OrganizationId, RootId } from '../../../ids.ts'
import type { Log } from '../../../observe/log.ts'
import type { DetectedOutcome, ParsedReview } from '../finding.ts'
import type { ForgeClient, WorkClass } from '../forge/forge-client.ts'
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
  readonly members: readonly string[]
  readonly writeBack: boolean
  readonly bots: readonly OwnBot[]
  readonly createdAt: string
  readonly inventoryDigest: Buffer | null
  readonly inventorySentAt: Date | null
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

/** Does not throw if the forge refuses what is written. */
export type WriteBack = (
  connector: SyncedConnector,
  client: ForgeClient,
  snapshot: PullRequestSnapshot,
) => Promise<void>

export interface DetectionOptions {
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
  /** Of this process, for its leases. */
  readonly owner: string
  /** The newest key encrypts the secrets again that an older one encrypted. */
  readonly keys: KeyRing
  /** Throws if the credential cannot be decrypted. */
  readonly createClient: (connector: SyncedConnector, work: WorkClass) => ForgeClient
  readonly sendEvents: SendEvents
  readonly parseReview: (snapshot: PullRequestSnapshot, ownBots: readonly OwnBot[]) => ParsedReview
  readonly detectOutcomes: (
    connector: SyncedConnector,
    client: ForgeClient,
    snapshot: PullRequestSnapshot,
    review: ParsedReview,
    options: DetectionOptions,
  ) => Promise<readonly DetectedOutcome[]>
  /** Called with what was just read, before events are sent. Left out = nothing is written to the forge. */
  readonly writeBack?: WriteBack
}

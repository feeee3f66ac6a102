import type { Pool } from '../../../db/connect.ts'
import type { OrganizationId, RootId } from '../../../ids.ts'
import type { Log } from '../../../observe/log.ts'
import type { WriteClient } from '../git-providers/write-client.ts'
import type { SyncedConnector } from '../sync/context.ts'

/** A shared Learning that fits a pull request. */
export interface ApplyingLearning {
  readonly learning: string
  readonly match: 'strong' | 'weak'
  readonly reason: string
}

/** Returns only shared Learnings of the repository itself, best match first. */
export type FindLearnings = (query: {
  readonly root: RootId
  readonly organization: OrganizationId
  readonly repositoryId: string
  readonly files: readonly string[]
  readonly text: string
}) => Promise<readonly ApplyingLearning[]>

export type CreateWriteClient = (connector: SyncedConnector, signal?: AbortSignal) => WriteClient

/** What writing back needs. */
export interface WriteBackContext {
  readonly database: Pool
  readonly log: Log
  readonly now: () => Date
  readonly createWriteClient: CreateWriteClient
  readonly findLearnings: FindLearnings
}

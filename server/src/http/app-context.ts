import { type Authenticate, type Authenticator, createAuthenticator } from '../access/authenticate.ts'
import { type CredentialUses, createCredentialUses, withUseTracking } from '../access/credential-uses.ts'
import { createLimiter, type Limiter } from '../access/limit.ts'
import { createRefusalLog, type RefusalLog } from '../access/refusals.ts'
import { type AuthenticateSession, createSessionAuthenticator } from '../access/session.ts'
import type { ApiConfig } from '../config.ts'
import { connect, type Pool } from '../db/connect.ts'
import { createRoleCheck, type UnguardedRoleError } from '../db/guard.ts'
import { connectMetricsStores, type MetricsStores } from '../db/stores.ts'
import { requestLimits } from '../db/wait-limits.ts'
import type { Log } from '../observe/log.ts'
import { createGuidanceReader, type ReadGuidance } from '../text/contradictions.ts'
import { createEmbedders } from '../text/embed/create.ts'
import type { EmbedderSet } from '../text/embed/embedder.ts'
import { createLocalEmbedder } from '../text/embed/local.ts'
import { createRanker, type Ranker } from '../text/rank/rank.ts'
import { createKeyedMutex, type RunExclusive } from './connections/keyed-mutex.ts'
import { createTurns, type TakeTurn } from './connections/turns.ts'
import { type ReadIngestStatus, refuseIngestStatus } from './ingest/tenant-status.ts'

/** What every request needs. The entry point creates it once. */
export interface AppContext {
  readonly config: ApiConfig
  readonly log: Log
  /** Connects as the role that can read only keys. */
  readonly authPool: Pool
  readonly apiPool: Pool
  /** A few connections of the API role for rate limits. */
  readonly admissionPool: Pool
  /** The metrics stores, connected as the API role. */
  readonly stores: MetricsStores
  /** The configured model first, then the local one if it is installed. */
  readonly embedders: EmbedderSet
  readonly ranker: Ranker
  readonly readGuidance: ReadGuidance
  readonly authenticate: Authenticate
  readonly authenticateSession: AuthenticateSession
  readonly noteLimited: Authenticator['noteLimited']
  readonly limiter: Limiter
  readonly refusals: RefusalLog
  readonly credentialUses: CredentialUses
  readonly runExclusive: RunExclusive
  readonly takeTurn: TakeTurn
  /** Status of a tenant root, or of one of its organizations; refuses with 503 if the bus is unavailable. */
  readonly readIngestStatus: ReadIngestStatus
  readonly now: () => Date
  close(): Promise<void>
}

export interface AppOptions {
  /** Called when a database role is not bound by row-level security. Its connections are not used. */
  readonly reportUnguarded?: (error: UnguardedRoleError) => void
  /** Undefined = the process has no bus, so every request is refused. */
  readonly readIngestStatus?: ReadIngestStatus
}

export function createAppContext(
  config: ApiConfig,
  log: Log,
  { reportUnguarded, readIngestStatus = refuseIngestStatus }: AppOptions = {},
): AppContext {
  const limits = requestLimits
  const createCheck = () => reportUnguarded && createRoleCheck(reportUnguarded)
  const open = (name: string, url: string, connections: number) =>
    connect({ url, name, connections, limits, check: createCheck() })
  const authPool = open('auth', config.authDatabaseUrl, 2)
  const apiPool = open('api', config.apiDatabaseUrl, config.connections)
  const admissionPool = open('admissions', config.apiDatabaseUrl, 2)
  const stores = connectMetricsStores(config.metricsStores, 'api', config.connections, {
    limits,
    createCheck,
  })
  const now = () => new Date()
  const local = createLocalEmbedder()
  const uses = createCredentialUses(apiPool, now)
  const authenticator = createAuthenticator(authPool)
  return {
    config,
    log,
    authPool,
    apiPool,
    admissionPool,
    stores,
    embedders: createEmbedders(config.embedder, local),
    ranker: createRanker(),
    readGuidance: createGuidanceReader(),
    authenticate: withUseTracking(authenticator, uses),
    authenticateSession: withUseTracking(createSessionAuthenticator(authPool), uses),
    noteLimited: authenticator.noteLimited,
    limiter: createLimiter(config.limits),
    refusals: createRefusalLog(apiPool, now),
    credentialUses: uses,
    runExclusive: createKeyedMutex(),
    takeTurn: createTurns(),
    readIngestStatus,
    now,
    async close() {
      await Promise.all([authPool.end(), apiPool.end(), admissionPool.end(), stores.close(), local?.close()])
    },
  }
}

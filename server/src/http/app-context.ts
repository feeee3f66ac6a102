import { createAuthenticator } from '../access/authenticate.ts'
import { createCredentialUses, withUseTracking } from '../access/credentials.ts'
import { createLimiter } from '../access/limit.ts'
import { createRefusalLog } from '../access/refusals.ts'
import { createSessionAuthenticator } from '../access/session.ts'
import type { ApiConfig } from '../config.ts'
import { connect } from '../db/connect.ts'
import { createRoleCheck, type UnguardedRoleError } from '../db/guard.ts'
import { connectMetricsStores } from '../db/stores.ts'
import { requestLimits } from '../db/wait-limits.ts'
import type { Log } from '../observe/log.ts'
import { createGuidanceReader } from '../text/contradictions/read-guidance.ts'
import { createEmbedders } from '../text/embed/create.ts'
import { createLocalEmbedder } from '../text/embed/local.ts'
import { createRanker } from '../text/rank/rank.ts'
import { createKeyedMutex } from './connections/keyed-mutex.ts'
import { createTurns } from './connections/turns.ts'
import { type ReadIngestStatus, refuseIngestStatus } from './ingest/tenant-status.ts'

export type AppContext = Readonly<ReturnType<typeof createAppContext>>

export interface AppOptions {
  /** Called when a database role is not bound by row-level security. Its connections are not used. */
  readonly reportUnguarded?: (error: UnguardedRoleError) => void
  /** Undefined = the process has no bus, so every request is refused. */
  readonly readIngestStatus?: ReadIngestStatus
}

/** What every request needs. The entry point creates it once. */
export function createAppContext(
  config: ApiConfig,
  log: Log,
  { reportUnguarded, readIngestStatus = refuseIngestStatus }: AppOptions = {},
) {
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
    /** Connects as the role that can read only keys. */
    authPool,
    apiPool,
    /** A few connections of the API role for rate limits. */
    admissionPool,
    /** The metrics stores, connected as the API role. */
    stores,
    /** The configured model first, then the local one if it is installed. */
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
    /** Status of a tenant root, or of one of its organizations; refuses with 503 if the bus is unavailable. */
    readIngestStatus,
    now,
    async close() {
      await Promise.all([authPool.end(), apiPool.end(), admissionPool.end(), stores.close(), local?.close()])
    },
  }
}

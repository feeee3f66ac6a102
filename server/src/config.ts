import { createSecretKey, type KeyObject } from 'node:crypto'
import {
  type ConnectorHosts,
  DEFAULT_CONNECTOR_HOSTS,
  readConnectorHosts,
} from './settings/connector-hosts.ts'
import { type EmbedderConfig, readEmbedderConfig } from './settings/embedder.ts'

// An entry point parses the environment once and passes it down; nothing below reads process.env.

/** Requests per sliding window across all nodes. The defaults are the contract's. */
export const defaultLimits = {
  organizations: { requests: 10, seconds: 60 },
  repositories: { requests: 10, seconds: 60 },
  users: { requests: 10, seconds: 60 },
  seats: { requests: 10, seconds: 60 },
  'seat-mode': { requests: 10, seconds: 60 },
  'offboarding-dry-runs': { requests: 60, seconds: 60 },
  roles: { requests: 10, seconds: 60 },
  'custom-roles': { requests: 10, seconds: 60 },
  keys: { requests: 10, seconds: 60 },
  'learnings-writes': { requests: 10, seconds: 60 },
  'learnings-dry-runs': { requests: 60, seconds: 60 },
  'learnings-pending': { requests: 60, seconds: 60 },
  metrics: { requests: 10, seconds: 60 },
  'finding-outcomes': { requests: 60, seconds: 60 },
  audit: { requests: 60, seconds: 60 },
  security: { requests: 60, seconds: 60 },
  settings: { requests: 60, seconds: 60 },
  connectors: { requests: 60, seconds: 60 },
  'ingest-status': { requests: 60, seconds: 60 },
  /** Counted per ingest credential. */
  'event-status': { requests: 600, seconds: 60 },
  'review-context': { requests: 600, seconds: 60 },
  /** All reads of a person in a session, instead of the windows of the organization. */
  'session-reads': { requests: 120, seconds: 60 },
  scim: { requests: 600, seconds: 60 },
  /** Counted per network and per node, over all paths under /auth that sign somebody in: a sign-in is two requests. */
  'sign-in': { requests: 60, seconds: 60 },
} as const satisfies Record<string, Limit>

export interface Limit {
  readonly requests: number
  readonly seconds: number
}
export type LimitPolicy = keyof typeof defaultLimits
/** null = switched off by the operator. */
export type Limits = Readonly<Record<LimitPolicy, Limit | null>>

/** Secrets by id, newest first: the first signs, all verify. */
export type KeyRing = readonly { readonly id: string; readonly secret: KeyObject }[]

export type Environment = Readonly<Record<string, string | undefined>>

/** Metrics stores by name, each with a URL for the process's own role. "shared" always exists. */
export type MetricsStoreUrls = ReadonlyMap<string, string>

export function readBusSettings(read: SettingsReader) {
  return {
    url: read.text('NATS_URL', 'nats://127.0.0.1:4222'),
    prefix: read.text('BUS_PREFIX', 'scholiast'),
    caFile: read.optional('NATS_CA_FILE'),
    /** Sign and verify the messages of the event queue. */
    ingestKeys: readIngestKeys(read),
  }
}

function readIngestKeys(read: SettingsReader): KeyRing {
  return read.list('INGEST_KEYS').length === 0 ? [] : read.keyRing('INGEST_KEYS')
}

function readConnectorKeys(read: SettingsReader): KeyRing {
  return read.list('CONNECTOR_KEYS').length === 0 ? [] : read.keyRing('CONNECTOR_KEYS')
}

/** Whole months of metrics to store before the current one; null = all. */
export function readMetricsRetention(read: SettingsReader): number | null {
  return read.integer('METRICS_RETENTION_MONTHS', 0, 0, 1200) || null
}

export type AuditSettings = ReturnType<typeof readAuditSettings>

export function readAuditSettings(read: SettingsReader) {
  return {
    /** Whole months to retain before the current one; null = all. */
    retentionMonths: read.integer('AUDIT_RETENTION_MONTHS', 0) || null,
    /** Signs the chain heads; null = they are not signed. */
    signingKey: read.optional('AUDIT_SIGNING_KEY'),
    headsFile: read.optional('AUDIT_HEADS_FILE'),
    headsSeconds: read.integer('AUDIT_HEADS_SECONDS', 300),
  }
}

/** What the API and the worker have in common. */
function readServerSettings(read: SettingsReader) {
  return {
    connections: read.integer('DATABASE_CONNECTIONS', 16),
    host: read.text('HOST', '127.0.0.1'),
    logLevel: read.text('LOG_LEVEL', 'info'),
    drainSeconds: read.integer('DRAIN_SECONDS', 20),
    tracesUrl: read.optional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
    bus: readBusSettings(read),
    /** Encrypts the secrets of connectors. Without a key no connector can be created or works, and hooks are refused. */
    connectorKeys: readConnectorKeys(read),
    /** Messages of one tenant root that may wait for a retry. */
    ingestMaxParkedMessages: read.integer('INGEST_MAX_PARKED_MESSAGES', 1000, 1),
    metricsRetentionMonths: readMetricsRetention(read),
    /** null = only the local model. */
    embedder: read.embedder(),
    /** Pending Learnings that a tenant root may have. */
    maxPendingLearnings: read.integer('LEARNINGS_MAX_PENDING', 1000, 1),
    /** Where connectors may send requests. */
    connectorHosts: read.connectorHosts(),
  }
}

export type ApiConfig = Readonly<ReturnType<typeof readApiConfig>>

export function readApiConfig(env: Environment) {
  return readSettings(env, (read) => ({
    authDatabaseUrl: read.text('AUTH_DATABASE_URL'),
    apiDatabaseUrl: read.text('API_DATABASE_URL'),
    port: read.integer('PORT', 8420),
    metricsPort: read.integer('METRICS_PORT', 9420),
    signingKeys: read.keyRing('SIGNING_KEYS'),
    keyHeaders: ['x-service-api-key', ...read.list('KEY_HEADER_ALIASES')].map((name) => name.toLowerCase()),
    trustedProxies: read.list('TRUSTED_PROXIES'),
    /** Browser origins that may call /mcp. */
    mcpOrigins: read.origins('MCP_ORIGINS'),
    /** Where browsers find the service; null = nobody can sign in. */
    publicUrl: read.publicUrl(),
    /** The JSON file with the identity providers; read at every sign-in. */
    identityProvidersFile: read.optional('IDENTITY_PROVIDERS_FILE'),
    limits: read.limits(),
    maxInFlight: read.integer('MAX_IN_FLIGHT', 400),
    drainDelaySeconds: read.integer('DRAIN_DELAY_SECONDS', 5),
    /** Bytes of request and response bodies of one tenant root in memory. */
    bodyBytesPerRoot: read.integer('BODY_BYTES_PER_ROOT', 128 * 1024 ** 2, 1),
    /** A body that arrives, or a response that leaves, more slowly is ended. */
    minBytesPerSecond: read.integer('MIN_BYTES_PER_SECOND', 1024),
    sendTimeoutSeconds: read.integer('SEND_TIMEOUT_SECONDS', 20, 1),
    /** Bytes of uploaded SARIF files that are stored for one tenant root. */
    sarifQuotaBytes: read.integer('SARIF_QUOTA_BYTES', 2 * 1024 ** 3),
    metricsStores: read.metricsStores('API_DATABASE_URL'),
    /** Verifies ingest credentials. Without a key no event is accepted. */
    ingestKeys: readIngestKeys(read),
    /** Requests that an ingest credential may send to this node in any second. */
    ingestRequestsPerSecond: read.integer('INGEST_REQUESTS_PER_SECOND', 50, 1),
    /** Verified read access to a repository expires after this time. */
    repositoryAccessMaxAgeHours: read.integer('REPOSITORY_ACCESS_MAX_AGE_HOURS', 168, 1),
    ...readServerSettings(read),
  }))
}

export function readWorkerConfig(env: Environment) {
  return readSettings(env, (read) => ({
    workerDatabaseUrl: read.text('WORKER_DATABASE_URL'),
    metricsPort: read.integer('METRICS_PORT', 9421),
    metricsStores: read.metricsStores('WORKER_DATABASE_URL'),
    busReplicas: read.integer('BUS_REPLICAS', 1),
    /** Capacity of the event queue; events beyond it are rejected. */
    ingestMaxBytes: read.integer('INGEST_MAX_BYTES', 4 * 1024 ** 3),
    /** Days for which handled events are stored for a replay; 0 = none. Ids of events count for 30 days. */
    ingestArchiveDays: read.integer('INGEST_ARCHIVE_DAYS', 0, 0, 30),
    ingestArchiveMaxBytes: read.integer('INGEST_ARCHIVE_MAX_BYTES', 4 * 1024 ** 3, 1024 ** 2),
    /** Days for which restrictions are stored: as many as the age of the oldest backup. */
    restrictionDays: read.integer('RESTRICTION_DAYS', 90, 1),
    audit: readAuditSettings(read),
    ...readServerSettings(read),
  }))
}

export interface SettingsReader {
  text(name: string, fallback?: string): string
  optional(name: string): string | null
  integer(name: string, fallback: number, min?: number, max?: number): number
  list(name: string): string[]
  /** The first choice is the default. */
  choice<const Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice
  origins(name: string): string[]
  /** Its path has no slash at the end. */
  publicUrl(): URL | null
  keyRing(name: string): KeyRing
  limits(): Limits
  metricsStores(mainUrl: string): MetricsStoreUrls
  embedder(): EmbedderConfig | null
  connectorHosts(): ConnectorHosts
}

/** Each problem names its setting. */
export class InvalidSettingsError extends Error {
  override readonly name = 'InvalidSettingsError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The environment has invalid settings:\n  ${problems.join('\n  ')}`)
    this.problems = problems
  }
}

/** Reads every setting before it throws, so that one start reports all errors. */
export function readSettings<Config>(env: Environment, build: (read: SettingsReader) => Config): Config {
  const problems: string[] = []
  const config = build(createSettingsReader(env, problems))
  if (problems.length > 0) throw new InvalidSettingsError([...new Set(problems)])
  return config
}

function createSettingsReader(env: Environment, problems: string[]): SettingsReader {
  const list = (name: string) => (env[name] ?? '').split(',').map(trim).filter(Boolean)
  return {
    list,
    origins(name) {
      const origins = list(name).map((entry) => entry.toLowerCase())
      if (origins.some((entry) => URL.parse(entry)?.origin !== entry))
        problems.push(`${name} must be comma-separated origins such as https://host or https://host:port`)
      return origins
    },
    publicUrl() {
      const text = env['PUBLIC_URL']
      if (!text) return null
      const url = URL.parse(text)
      const isLocal = url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(url.hostname)
      const path = url?.pathname.replace(/\/$/, '') ?? ''
      const isPlain = /^(?:\/[\w.~-]+)*$/.test(path) && `${url?.origin}${path}` === text.replace(/\/$/, '')
      if (url === null || !isPlain || !(url.protocol === 'https:' || isLocal)) {
        problems.push(
          'PUBLIC_URL must be an address such as https://scholiast.example.com or https://example.com/scholiast',
        )
        return null
      }
      return new URL(`${url.origin}${path}`)
    },
    choice(name, choices) {
      const value = env[name] || choices[0]
      const found = choices.find((one) => one === value)
      if (found === undefined) problems.push(`${name} must be one of ${choices.join(', ')}, not "${value}"`)
      return found ?? choices[0]
    },
    optional: (name) => env[name] || null,
    text(name, fallback) {
      const value = env[name] || fallback
      if (value === undefined) problems.push(`${name} is not set`)
      return value ?? ''
    },
    integer(name, fallback, min = 0, max = Number.MAX_SAFE_INTEGER) {
      const value = env[name]
      if (value === undefined || value === '') return fallback
      if (!/^\d{1,15}$/.test(value)) problems.push(`${name} must be a whole number, not "${value}"`)
      else if (Number(value) < min) problems.push(`${name} must be at least ${min}, not ${value}`)
      else if (Number(value) > max) problems.push(`${name} must be at most ${max}, not ${value}`)
      return Number(value)
    },
    keyRing(name) {
      const entries = list(name)
      if (entries.length === 0)
        problems.push(
          `${name} is not set: it must be comma-separated id:hex pairs of 32 bytes each, newest first`,
        )
      return entries.flatMap((entry) => {
        const match = /^([A-Za-z0-9_-]{1,32}):([0-9a-f]{64})$/.exec(entry)
        if (match?.[1] && match[2]) return [{ id: match[1], secret: createSecretKey(match[2], 'hex') }]
        problems.push(`${name} has an entry that is not id:hex with 64 hex digits`)
        return []
      })
    },
    limits: () => readLimits(env, problems),
    metricsStores: (mainUrl) => readMetricsStores(env[mainUrl] ?? '', list('METRICS_STORES'), problems),
    embedder: () => readEmbedderConfig(env, problems),
    connectorHosts() {
      const hosts = list('CONNECTOR_HOSTS')
      return readConnectorHosts(
        hosts.length > 0 ? hosts : DEFAULT_CONNECTOR_HOSTS.split(','),
        list('CONNECTOR_PRIVATE_HOSTS'),
        problems,
      )
    },
  }
}

/** Entries are `name=postgres://host/database`. User and password are those of the main database URL. */
function readMetricsStores(
  mainUrl: string,
  entries: readonly string[],
  problems: string[],
): MetricsStoreUrls {
  const stores = new Map([['shared', mainUrl]])
  for (const entry of entries) {
    const [, name, address] = /^([a-z0-9-]{1,40})=(postgres(?:ql)?:\/\/.{1,500})$/.exec(entry) ?? []
    if (!name || !address || !URL.canParse(address) || !URL.canParse(mainUrl)) {
      problems.push(
        'METRICS_STORES must be comma-separated entries of the form name=postgres://host/database',
      )
      continue
    }
    const url = new URL(address)
    const { username, password } = new URL(mainUrl)
    url.username = username
    url.password = password
    stores.set(name, url.href)
  }
  return stores
}

/** `LIMIT_SEAT_MODE` for the limit `seat-mode`. */
export function getLimitSettingName(policy: string): string {
  return `LIMIT_${policy.toUpperCase().replaceAll('-', '_')}`
}

function readLimits(env: Environment, problems: string[]): Limits {
  const limits: Record<string, Limit | null> = { ...defaultLimits }
  for (const policy of Object.keys(defaultLimits)) {
    const name = getLimitSettingName(policy)
    const value = env[name]
    if (value === undefined) continue
    if (value === 'off') {
      limits[policy] = null
      continue
    }
    const match = /^([1-9]\d{0,5})\/([1-9]\d{0,4})$/.exec(value)
    if (match) limits[policy] = { requests: Number(match[1]), seconds: Number(match[2]) }
    else problems.push(`${name} must be requests/seconds, such as 10/60, or off`)
  }
  return limits as Limits
}

const trim = (text: string) => text.trim()

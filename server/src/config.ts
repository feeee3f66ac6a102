import { createSecretKey, type KeyObject } from 'node:crypto'

// The environment, parsed once by an entry and passed down; nothing below an entry reads process.env.

/** Requests admitted in any sliding window, over all nodes together. The defaults are the contract's. */
export const defaultLimits = {
  organizations: { requests: 10, seconds: 60 },
  repositories: { requests: 10, seconds: 60 },
  users: { requests: 10, seconds: 60 },
  seats: { requests: 10, seconds: 60 },
  'seat-mode': { requests: 10, seconds: 60 },
  roles: { requests: 10, seconds: 60 },
  'custom-roles': { requests: 10, seconds: 60 },
  keys: { requests: 10, seconds: 60 },
  'learnings-writes': { requests: 10, seconds: 60 },
  metrics: { requests: 10, seconds: 60 },
  audit: { requests: 60, seconds: 60 },
  security: { requests: 60, seconds: 60 },
  'review-context': { requests: 600, seconds: 60 },
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

export interface ApiConfig {
  readonly doorDatabaseUrl: string
  readonly apiDatabaseUrl: string
  readonly connections: number
  readonly host: string
  readonly port: number
  readonly metricsPort: number
  readonly logLevel: string
  readonly signingKeys: KeyRing
  readonly keyHeaders: readonly string[]
  readonly trustedProxies: readonly string[]
  /** Whose pages in a browser may call /mcp. */
  readonly mcpOrigins: readonly string[]
  readonly limits: Limits
  readonly maxInFlight: number
  readonly drainSeconds: number
  readonly tracesUrl: string | null
  readonly metricsStores: MetricsStoreUrls
  readonly natsUrl: string
  readonly busPrefix: string
  /** Verifies ingest credentials; without a key no event is taken. */
  readonly ingestKeys: KeyRing
  /** Read access to a repository that was verified longer ago counts no more. */
  readonly repositoryAccessMaxAgeHours: number
  /** null = the local model alone. */
  readonly embedder: EmbedderConfig | null
}

/** A model behind an OpenAI-compatible HTTP interface. */
export interface EmbedderConfig {
  /** What comes before /embeddings, without a slash at its end. */
  readonly url: string
  readonly model: string
  readonly dimensions: number
  /** Asks the model for vectors of that length. Many models refuse a request that names one. */
  readonly sendDimensions: boolean
  readonly apiKey: string | null
  /** For one call; all the calls for one list of texts may take three times as long. */
  readonly timeoutMs: number
}

/** Metrics stores by name, each with the URL of the process's own role. "shared" is always there. */
export type MetricsStoreUrls = ReadonlyMap<string, string>

export interface WorkerConfig {
  readonly workerDatabaseUrl: string
  readonly metricsStores: MetricsStoreUrls
  readonly natsUrl: string
  readonly busPrefix: string
  readonly busReplicas: number
  /** How much may wait in the queue of events; what does not fit is refused. */
  readonly ingestMaxBytes: number
  readonly connections: number
  readonly drainSeconds: number
  readonly metricsPort: number
  readonly host: string
  readonly logLevel: string
  readonly tracesUrl: string | null
  readonly embedder: EmbedderConfig | null
}

export function readApiConfig(env: Environment): ApiConfig {
  return readAll(env, (read) => ({
    doorDatabaseUrl: read.text('DOOR_DATABASE_URL'),
    apiDatabaseUrl: read.text('API_DATABASE_URL'),
    connections: read.integer('DATABASE_CONNECTIONS', 16),
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 8420),
    metricsPort: read.integer('METRICS_PORT', 9420),
    logLevel: read.text('LOG_LEVEL', 'info'),
    signingKeys: read.keyRing('SIGNING_KEYS'),
    keyHeaders: ['x-service-api-key', ...read.list('KEY_HEADER_ALIASES')].map((name) => name.toLowerCase()),
    trustedProxies: read.list('TRUSTED_PROXIES'),
    mcpOrigins: read.origins('MCP_ORIGINS'),
    limits: read.limits(),
    maxInFlight: read.integer('MAX_IN_FLIGHT', 400),
    drainSeconds: read.integer('DRAIN_SECONDS', 20),
    tracesUrl: read.optional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
    metricsStores: read.metricsStores('API_DATABASE_URL'),
    natsUrl: read.text('NATS_URL', 'nats://127.0.0.1:4222'),
    busPrefix: read.text('BUS_PREFIX', 'scholiast'),
    ingestKeys: read.list('INGEST_KEYS').length === 0 ? [] : read.keyRing('INGEST_KEYS'),
    repositoryAccessMaxAgeHours: read.integer('REPOSITORY_ACCESS_MAX_AGE_HOURS', 168, 1),
    embedder: read.embedder(),
  }))
}

export function readWorkerConfig(env: Environment): WorkerConfig {
  return readAll(env, (read) => ({
    workerDatabaseUrl: read.text('WORKER_DATABASE_URL'),
    metricsStores: read.metricsStores('WORKER_DATABASE_URL'),
    natsUrl: read.text('NATS_URL', 'nats://127.0.0.1:4222'),
    busPrefix: read.text('BUS_PREFIX', 'scholiast'),
    busReplicas: read.integer('BUS_REPLICAS', 1),
    ingestMaxBytes: read.integer('INGEST_MAX_BYTES', 4 * 1024 ** 3),
    connections: read.integer('DATABASE_CONNECTIONS', 16),
    drainSeconds: read.integer('DRAIN_SECONDS', 20),
    metricsPort: read.integer('METRICS_PORT', 9421),
    host: read.text('HOST', '127.0.0.1'),
    logLevel: read.text('LOG_LEVEL', 'info'),
    tracesUrl: read.optional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
    embedder: read.embedder(),
  }))
}

export interface Reader {
  text(name: string, fallback?: string): string
  optional(name: string): string | null
  integer(name: string, fallback: number, least?: number): number
  list(name: string): string[]
  origins(name: string): string[]
  keyRing(name: string): KeyRing
  limits(): Limits
  metricsStores(mainUrl: string): MetricsStoreUrls
  embedder(): EmbedderConfig | null
}

/** Reads every setting before it complains, so that one start shows all that is missing. */
export function readAll<Config>(env: Environment, build: (read: Reader) => Config): Config {
  const problems: string[] = []
  const config = build(reader(env, problems))
  if (problems.length > 0)
    throw new Error(`The environment is incomplete or wrong:\n  ${problems.join('\n  ')}`)
  return config
}

function reader(env: Environment, problems: string[]): Reader {
  const list = (name: string) => (env[name] ?? '').split(',').map(trim).filter(Boolean)
  return {
    list,
    origins(name) {
      const origins = list(name).map((entry) => entry.toLowerCase())
      if (origins.some((entry) => URL.parse(entry)?.origin !== entry))
        problems.push(`${name} must read scheme://host, with a port if there is one, separated by commas`)
      return origins
    },
    optional: (name) => env[name] || null,
    text(name, fallback) {
      const value = env[name] || fallback
      if (value === undefined) problems.push(`${name} is not set`)
      return value ?? ''
    },
    integer(name, fallback, least = 0) {
      const value = env[name]
      if (value === undefined || value === '') return fallback
      if (!/^\d{1,15}$/.test(value)) problems.push(`${name} must be a whole number, not "${value}"`)
      else if (Number(value) < least) problems.push(`${name} must be at least ${least}, not ${value}`)
      return Number(value)
    },
    keyRing(name) {
      const entries = list(name)
      if (entries.length === 0) problems.push(`${name} is not set: id:hex pairs, 32 bytes each, newest first`)
      return entries.flatMap((entry) => {
        const match = /^([A-Za-z0-9_-]{1,32}):([0-9a-f]{64})$/.exec(entry)
        if (match?.[1] && match[2]) return [{ id: match[1], secret: createSecretKey(match[2], 'hex') }]
        problems.push(`${name} has an entry that is not id:hex with 64 hex digits`)
        return []
      })
    },
    limits: () => readLimits(env, problems),
    metricsStores: (mainUrl) => readMetricsStores(env[mainUrl] ?? '', list('METRICS_STORES'), problems),
    embedder: () => readEmbedder(env, problems),
  }
}

/** `name=postgres://host/database`: an address; who connects there is the role that connects to the main database. */
function readMetricsStores(
  mainUrl: string,
  entries: readonly string[],
  problems: string[],
): MetricsStoreUrls {
  const stores = new Map([['shared', mainUrl]])
  for (const entry of entries) {
    const [, name, address] = /^([a-z0-9-]{1,40})=(postgres(?:ql)?:\/\/.{1,500})$/.exec(entry) ?? []
    if (!name || !address || !URL.canParse(address) || !URL.canParse(mainUrl)) {
      problems.push('METRICS_STORES must read name=postgres://host/database, separated by commas')
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

function readLimits(env: Environment, problems: string[]): Limits {
  const limits: Record<string, Limit | null> = { ...defaultLimits }
  for (const policy of Object.keys(defaultLimits)) {
    const name = `LIMIT_${policy.toUpperCase().replaceAll('-', '_')}`
    const value = env[name]
    if (value === undefined) continue
    if (value === 'off') {
      limits[policy] = null
      continue
    }
    const match = /^([1-9]\d{0,5})\/([1-9]\d{0,4})$/.exec(value)
    if (match) limits[policy] = { requests: Number(match[1]), seconds: Number(match[2]) }
    else problems.push(`${name} must read requests/seconds, as in 10/60, or off`)
  }
  return limits as Limits
}

/** The index over vectors of half precision holds no more. */
const MOST_DIMENSIONS = 4000

/** No mistake quotes the URL or the key: either may be the wrong thing pasted in the right place. */
function readEmbedder(env: Environment, problems: string[]): EmbedderConfig | null {
  const url = env['EMBEDDER_URL'] ?? ''
  if (url === '') {
    const others = Object.keys(env).filter((name) => name.startsWith('EMBEDDER_') && env[name])
    if (others.length > 0)
      problems.push(`EMBEDDER_URL is not set, so ${others.sort().join(' and ')} would have no effect`)
    return null
  }
  const demand = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem)
  }
  const integer = (name: string, least: number, most: number, fallback?: number) => {
    const value = Number(env[name] || fallback)
    demand(
      Number.isInteger(value) && value >= least && value <= most,
      `${name} must be a whole number from ${least} to ${most}`,
    )
    return value
  }
  const { EMBEDDER_MODEL: model = '', EMBEDDER_API_KEY: apiKey = '' } = env
  const send = env['EMBEDDER_SEND_DIMENSIONS'] || 'no'
  demand(isPlainAddress(url), 'EMBEDDER_URL must read http(s)://host/path, without user, query or fragment')
  demand(/^[\w./:@+-]{1,200}$/.test(model), 'EMBEDDER_MODEL must be the name of a model')
  demand(
    /^[\x21-\x7e]{0,4096}$/.test(apiKey),
    'EMBEDDER_API_KEY must be one word without spaces or line ends',
  )
  demand(send === 'yes' || send === 'no', 'EMBEDDER_SEND_DIMENSIONS must be yes or no')
  return {
    url: url.replace(/\/{1,9}$/, ''),
    model,
    dimensions: integer('EMBEDDER_DIMENSIONS', 1, MOST_DIMENSIONS),
    sendDimensions: send === 'yes',
    apiKey: apiKey || null,
    timeoutMs: integer('EMBEDDER_TIMEOUT_MS', 100, 60_000, 5_000),
  }
}

function isPlainAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null) return false
  return /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === ''
}

const trim = (text: string) => text.trim()

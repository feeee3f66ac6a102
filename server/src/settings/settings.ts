// Every setting of the environment, for the documentation. settings.test.ts compares it with what each process reads.

import { DEFAULT_CONNECTOR_HOSTS } from './connector-hosts.ts'

type Process = 'api' | 'worker' | 'admin'

export interface Setting {
  readonly name: string
  readonly processes: readonly Process[]
  /** As it would be written in the environment. */
  readonly default?: string
  readonly description: string
}

const everywhere: readonly Process[] = ['api', 'worker', 'admin']
const servers: readonly Process[] = ['api', 'worker']

export const settings: readonly Setting[] = [
  {
    name: 'BOOTSTRAP_DATABASE_URL',
    processes: ['admin'],
    description: 'The database URL of a superuser, for `database bootstrap` only.',
  },
  {
    name: 'OWNER_DATABASE_URL',
    processes: ['admin'],
    description: 'The database URL of `scholiast_owner`, for migrations.',
  },
  {
    name: 'AUTH_DATABASE_URL',
    processes: ['api', 'admin'],
    description: 'The database URL of `scholiast_auth`, for authentication. Required by the API.',
  },
  {
    name: 'API_DATABASE_URL',
    processes: ['api', 'admin'],
    description: 'The database URL of `scholiast_api`. Required by the API.',
  },
  {
    name: 'WORKER_DATABASE_URL',
    processes: ['worker', 'admin'],
    description: 'The database URL of `scholiast_worker`. Required by the worker and by most commands.',
  },
  {
    name: 'REPORT_DATABASE_URL',
    processes: ['admin'],
    description:
      'The database URL of `scholiast_report`, for `database bootstrap` only, which lets that role log in. See [SQL reports](sql.md).',
  },
  {
    name: 'METRICS_STORES',
    processes: everywhere,
    description:
      'Additional [metrics stores](operations.md#metrics-stores): `name=postgres://host/database`, comma separated.',
  },
  {
    name: 'METRICS_RETENTION_MONTHS',
    processes: everywhere,
    description:
      'The number of complete months of [metrics to retain](scale.md#retention) in addition to the current month. Without it, all are retained. Use the same value in all processes.',
  },
  {
    name: 'DATABASE_CONNECTIONS',
    processes: everywhere,
    default: '16',
    description:
      'Connections of a process to each database; [a few more](availability.md#connections) serve authentication, rate limits, pages, timers and readiness.',
  },
  {
    name: 'NATS_URL',
    processes: everywhere,
    default: 'nats://127.0.0.1:4222',
    description:
      'The URL of NATS, or several, comma separated: `tls://user:password@host:4222` requires TLS, `nats://` does not. See [NATS](operations.md#nats).',
  },
  {
    name: 'NATS_CA_FILE',
    processes: everywhere,
    description:
      'A PEM file of the certificates that sign those of the NATS servers. Default: the certificates that Node.js trusts.',
  },
  {
    name: 'NATS_MONITORING_URL',
    processes: ['admin'],
    description:
      'The monitoring address of each NATS server, comma separated, for `doctor`: `http://127.0.0.1:8222`.',
  },
  {
    name: 'BUS_PREFIX',
    processes: everywhere,
    default: 'scholiast',
    description: 'The prefix of all [streams](events.md#streams) and subjects.',
  },
  {
    name: 'BUS_REPLICAS',
    processes: ['worker', 'admin'],
    default: '1',
    description: 'The number of replicas of each stream. Use 3 with a cluster of three NATS servers.',
  },
  {
    name: 'SIGNING_KEYS',
    processes: ['api', 'admin'],
    description:
      '`id:hex` pairs of 32 bytes, comma separated: the first signs cursors, all verify. Required. To rotate, add a new pair in front and retain the old ones, because cursors never expire.',
  },
  {
    name: 'INGEST_KEYS',
    processes: everywhere,
    description:
      'The same for ingest credentials and messages of the event queue. Without it, an API process accepts no events, and a worker does not verify messages. To [rotate](operations.md#nats), change the worker first.',
  },
  {
    name: 'CONNECTOR_KEYS',
    processes: everywhere,
    description:
      'The same for the secrets of connectors: the first encrypts, all decrypt. Without it, no connector can be created. To rotate, add a new pair in front in all processes; the worker encrypts stored secrets again within minutes. Remove the old pair once `connector keys` says so: the secrets of a missing key are lost.',
  },
  {
    name: 'INGEST_MAX_BYTES',
    processes: ['worker'],
    default: '4294967296',
    description: 'The maximum size of the event queue, which NATS reserves on its disk.',
  },
  {
    name: 'INGEST_ARCHIVE_DAYS',
    processes: ['worker'],
    default: '0',
    description:
      'For how many days, at most 30, handled events are stored in NATS for [`queue replay`](backup.md#events-after-the-point) after a restore. 0: not at all.',
  },
  {
    name: 'INGEST_ARCHIVE_MAX_BYTES',
    processes: ['worker'],
    default: '4294967296',
    description:
      'The maximum size of those events, which NATS reserves on its disk. Above it, the oldest are dropped.',
  },
  {
    name: 'RESTRICTION_DAYS',
    processes: ['worker'],
    default: '90',
    description:
      'For how many days NATS stores what took access away, so that [a restore](backup.md#restore) does not bring it back: at least the age of your oldest backup.',
  },
  {
    name: 'INGEST_MAX_PARKED_MESSAGES',
    processes: servers,
    default: '1000',
    description:
      'How many messages of one tenant root may wait for a retry before its senders get 429. Use the same value in all processes.',
  },
  {
    name: 'INGEST_REQUESTS_PER_SECOND',
    processes: ['api'],
    default: '50',
    description: 'How many requests an ingest credential may send to one API process in any second.',
  },
  {
    name: 'HOST',
    processes: servers,
    default: '127.0.0.1',
    description: 'The address to listen on.',
  },
  {
    name: 'PORT',
    processes: ['api'],
    default: '8420',
    description: 'The port of the API.',
  },
  {
    name: 'METRICS_PORT',
    processes: ['api'],
    default: '9420',
    description: 'The port for Prometheus of the API.',
  },
  {
    name: 'METRICS_PORT',
    processes: ['worker'],
    default: '9421',
    description: 'The port for Prometheus of the worker.',
  },
  {
    name: 'KEY_HEADER_ALIASES',
    processes: ['api'],
    description: 'Additional names of headers that carry a key, comma separated.',
  },
  {
    name: 'TRUSTED_PROXIES',
    processes: ['api'],
    description: 'Addresses or ranges of proxies whose `X-Forwarded-For` is trusted, comma separated.',
  },
  {
    name: 'MCP_ORIGINS',
    processes: ['api'],
    description:
      'Origins of web pages that may call `/mcp`: `https://editor.example.com`, comma separated. See [agents.md](agents.md#browsers).',
  },
  {
    name: 'PUBLIC_URL',
    processes: ['api', 'admin'],
    description:
      'Where browsers find the service, such as `https://scholiast.example.com`. Without it nobody can [sign in](sign-in.md#set-up).',
  },
  {
    name: 'IDENTITY_PROVIDERS_FILE',
    processes: ['api'],
    description:
      'JSON file with the [identity providers](sign-in.md#providers). It is read at every sign-in.',
  },
  {
    name: 'LIMIT_<NAME>',
    processes: ['api'],
    description:
      'A [rate limit](settings.md#rate-limits) as `requests/seconds`, or `off`. Each limit has its own default.',
  },
  {
    name: 'LEARNINGS_MAX_PENDING',
    processes: servers,
    default: '1000',
    description:
      'The number of [pending Learnings](learnings.md#states) that a tenant root may have. Further proposals are rejected.',
  },
  {
    name: 'REPOSITORY_ACCESS_MAX_AGE_HOURS',
    processes: ['api'],
    default: '168',
    description:
      'How long verified read access to a repository is valid, at least 1. See [learnings.md](learnings.md#filter-by-repository-name).',
  },
  {
    name: 'MAX_IN_FLIGHT',
    processes: ['api'],
    default: '400',
    description:
      'Requests that a node processes concurrently, and as many whose bodies it receives. Further requests get 503. One tenant gets at most a quarter of each.',
  },
  {
    name: 'BODY_BYTES_PER_ROOT',
    processes: ['api'],
    default: '134217728',
    description:
      'Bytes of request and response bodies that a node holds in memory for one tenant. Further requests of this tenant get 503. Hooks have 128 MiB of their own, a quarter of it for one tenant.',
  },
  {
    name: 'MIN_BYTES_PER_SECOND',
    processes: ['api'],
    default: '1024',
    description:
      'A body that arrives more slowly over 5 seconds gets 408. A connection that accepts a response more slowly over `SEND_TIMEOUT_SECONDS` is closed.',
  },
  {
    name: 'SEND_TIMEOUT_SECONDS',
    processes: ['api'],
    default: '20',
    description:
      'The time after which a connection is closed whose client does not read its response, at least 1.',
  },
  {
    name: 'DRAIN_DELAY_SECONDS',
    processes: ['api'],
    default: '5',
    description:
      'How long the API still accepts requests on SIGTERM while `/readyz` fails. Use more than your load balancer takes to notice.',
  },
  {
    name: 'SARIF_QUOTA_BYTES',
    processes: ['api'],
    default: '2147483648',
    description:
      'Bytes of uploaded SARIF files that are stored for one tenant. Files are kept for 14 days. Further files get 429.',
  },
  {
    name: 'DRAIN_SECONDS',
    processes: servers,
    default: '20',
    description: 'The maximum time to finish work on SIGTERM, after `DRAIN_DELAY_SECONDS`.',
  },
  {
    name: 'LOG_LEVEL',
    processes: servers,
    default: 'info',
    description: 'A log level of pino.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    processes: servers,
    description: 'The destination of spans. Without it, no spans are created.',
  },
  {
    name: 'AUDIT_SIGNING_KEY',
    processes: ['worker', 'admin'],
    description:
      'An Ed25519 private key: PKCS #8 as PEM (`\\n` may stand for a line break), or its 32 bytes in base64. Without it, nothing is signed.',
  },
  {
    name: 'AUDIT_HEADS_FILE',
    processes: ['worker', 'admin'],
    description:
      'The file for signed heads; one JSON object per line: kind, root, position, hash, at, key, signature. It may be on append-only storage.',
  },
  {
    name: 'AUDIT_HEADS_SECONDS',
    processes: ['worker', 'admin'],
    default: '300',
    description: 'The interval between two signatures.',
  },
  {
    name: 'AUDIT_RETENTION_MONTHS',
    processes: ['worker', 'admin'],
    description:
      'The number of complete months to retain in addition to the current month. Without it, all rows are retained.',
  },
  {
    name: 'EMBEDDER_URL',
    processes: everywhere,
    description:
      'The URL before `/embeddings`, for example `http://127.0.0.1:11434/v1`. If it is not set, only the local model is used, if it is installed.',
  },
  {
    name: 'EMBEDDER_MODEL',
    processes: everywhere,
    description: 'The name of the model on that server. Required with `EMBEDDER_URL`.',
  },
  {
    name: 'EMBEDDER_DIMENSIONS',
    processes: everywhere,
    description:
      'The length of its vectors, 1 to 4,000. Required with `EMBEDDER_URL`. Responses with another length are rejected.',
  },
  {
    name: 'EMBEDDER_SEND_DIMENSIONS',
    processes: everywhere,
    default: 'no',
    description: '`yes` requests vectors of that length; only for models that can shorten their vectors.',
  },
  {
    name: 'EMBEDDER_API_KEY',
    processes: everywhere,
    description: 'Sent as `Authorization: Bearer`, if set.',
  },
  {
    name: 'EMBEDDER_TIMEOUT_MS',
    processes: everywhere,
    default: '5000',
    description:
      'The timeout of one call, 100 to 60,000. All calls for one request take at most three times as long.',
  },
  {
    name: 'CONNECTOR_HOSTS',
    processes: servers,
    default: DEFAULT_CONNECTOR_HOSTS,
    description:
      'Hosts that connectors may send requests to, as `host` or `host:port`, comma separated; list your GitHub Enterprise Server or GitLab too. Requests use https; `http://127.0.0.1:port` and `http://localhost:port` are accepted for tests.',
  },
  {
    name: 'CONNECTOR_PRIVATE_HOSTS',
    processes: servers,
    description:
      'Hosts of `CONNECTOR_HOSTS` that may have private addresses (RFC 1918, RFC 6598 and unique local ones). Loopback, link-local and cloud metadata addresses are always refused.',
  },
]

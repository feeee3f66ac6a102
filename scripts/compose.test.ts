// Checks compose.yaml, which Docker alone could run: exact tags, limits and as few rights as possible.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')

interface Service {
  readonly image?: string
  readonly build?: unknown
  readonly read_only?: boolean
  readonly privileged?: boolean
  readonly cap_drop?: readonly string[]
  readonly cap_add?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly mem_limit?: string
  readonly pids_limit?: number
  readonly ports?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

type Services = Readonly<Record<string, Service>>

function parseServices(text: string): Services {
  return (parse(text, { merge: true }) as { services: Services }).services
}

/** Rules by what a service must have. */
const rules: Readonly<Record<string, (service: Service) => boolean>> = {
  // A service that is built from this checkout needs no tag of a registry.
  'an exact image tag': ({ image = '', build }) => build !== undefined || isExactTag(image),
  'a read-only file system': ({ read_only }) => read_only === true,
  'no capability': ({ cap_drop, cap_add, privileged }) =>
    cap_drop?.join() === 'ALL' && cap_add === undefined && privileged === undefined,
  'no way to more rights': ({ security_opt }) => security_opt?.includes('no-new-privileges:true') === true,
  'a memory limit': ({ mem_limit = '' }) => /^(?:\d+[mg]|\$\{\w+:-\d+[mg]\})$/.test(mem_limit),
  'a limit of processes': ({ pids_limit = 0 }) => pids_limit > 0,
  'ports of this machine only': ({ ports = [] }) => ports.every((port) => port.startsWith('127.0.0.1:')),
}

function isExactTag(image: string): boolean {
  return /^[a-z0-9./-]+:\d+\.\d+\.\d+(?:-[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/.test(image)
}

/** Returns `service: rule` for each rule that is broken. */
function findBrokenRules(services: Services): string[] {
  return Object.entries(services).flatMap(([name, service]) =>
    Object.entries(rules).flatMap(([rule, holds]) => (holds(service) ? [] : [`${name}: ${rule}`])),
  )
}

/** The bootstrap alone gets the URLs of the owner and the superuser. */
const getContainers = (process: string) => (process === 'admin' ? ['admin', 'migrate'] : [process])

/** Tuning, and what one machine does not need: an operator who does adds them in compose.override.yaml. */
const leftOut = new Set([
  'AUDIT_HEADS_SECONDS',
  'BODY_BYTES_PER_ROOT',
  'BUS_PREFIX',
  'BUS_REPLICAS',
  'DATABASE_CONNECTIONS',
  'DRAIN_DELAY_SECONDS',
  'DRAIN_SECONDS',
  // In a comment, together with the volume that it needs.
  'IDENTITY_PROVIDERS_FILE',
  'INGEST_ARCHIVE_MAX_BYTES',
  'INGEST_MAX_BYTES',
  'INGEST_MAX_PARKED_MESSAGES',
  'INGEST_REQUESTS_PER_SECOND',
  'KEY_HEADER_ALIASES',
  'LEARNINGS_MAX_PENDING',
  'LIMIT_<NAME>',
  'LOG_LEVEL',
  'MAX_IN_FLIGHT',
  'MCP_ORIGINS',
  'MIN_BYTES_PER_SECOND',
  'NATS_CA_FILE',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'REPOSITORY_ACCESS_MAX_AGE_HOURS',
  'RESTRICTION_DAYS',
  'SARIF_QUOTA_BYTES',
  'SEND_TIMEOUT_SECONDS',
])

const text = read('compose.yaml')
const services = parseServices(text)
const isPassedTo = (container: string, name: string) => name in (services[container]?.environment ?? {})

void describe('compose.yaml', () => {
  void it('has exact tags, limits and as few rights as possible', () => {
    assert.deepEqual(findBrokenRules(services), [])
    assert.ok(Object.keys(services).length >= 6)
  })

  for (const [rule, service] of Object.entries<Service>({
    'an exact image tag': { image: 'nats:2.15-alpine' },
    'a read-only file system': { read_only: false },
    'no capability': { cap_add: ['CHOWN'] },
    'no way to more rights': { security_opt: [] },
    'a memory limit': { mem_limit: '' },
    'a limit of processes': { pids_limit: 0 },
    'ports of this machine only': { ports: ['4222:4222'] },
  })) {
    void it(`is refused without ${rule}`, () => {
      const planted = { nats: { ...services['nats'], ...service } }
      assert.deepEqual(findBrokenRules(planted), [`nats: ${rule}`])
    })
  }

  void it('requires every password, and .env.example lists every variable', () => {
    const example = read('.env.example')
    // Without CONNECTOR_KEYS, no connector can be created.
    const optional = new Set(['EMBEDDER_API_KEY', 'CONNECTOR_KEYS'])
    for (const [, name = '', rest = ''] of text.matchAll(/\$\{(\w+)((?::[-?])?)/g)) {
      assert.match(example, new RegExp(`^#?${name}=`, 'm'), name)
      if (/_PASSWORD$|_KEYS?$/.test(name) && !optional.has(name)) assert.equal(rest, ':?', name)
    }
  })

  void it('passes every setting on, except those whose default suits one machine', () => {
    // A test of the server compares the table with what the processes read.
    const rows = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+(?:<NAME>)?)` \| ([a-z, ]+) \|/gm)]
    assert.ok(rows.length > 40)
    const missing = rows.flatMap(([, name = '', processes = '']) =>
      processes
        .split(', ')
        .filter(
          (process) => !leftOut.has(name) && !getContainers(process).some((one) => isPassedTo(one, name)),
        )
        .map((process) => `${process}: ${name}`),
    )
    assert.deepEqual(missing, [])
    const passed = ['api', 'worker', 'admin', 'migrate'].flatMap((container) =>
      [...leftOut].filter((name) => isPassedTo(container, name)),
    )
    assert.deepEqual(passed, [])
  })

  void it('gives each process its own user of NATS, and the API its proxies', () => {
    const urls = ['api', 'worker', 'admin'].map((name) => services[name]?.environment?.['NATS_URL'] ?? '')
    assert.deepEqual(
      urls.map((url) => /^nats:\/\/(\w+):\$\{NATS_(\w+)_PASSWORD:\?/.exec(url)?.slice(1)),
      [
        ['api', 'API'],
        ['worker', 'WORKER'],
        ['admin', 'ADMIN'],
      ],
    )
    assert.ok('TRUSTED_PROXIES' in (services['api']?.environment ?? {}))
  })

  void it('has the engines of the dev container', () => {
    const development = parseServices(read('.devcontainer/compose.yaml'))
    for (const name of ['postgres', 'nats']) assert.equal(development[name]?.image, services[name]?.image)
  })
})

import { type Balancer, startBalancer } from '../../server/test/balancer.ts'
import { createDatabaseOn, type TestDatabase } from '../../server/test/database.ts'
import { createCredential, ingestSettings } from '../../server/test/ingest.ts'
import { limitsOff } from '../../server/test/limits-off.ts'
import { type PlantedSession, plantSession } from '../../server/test/planted/sessions.ts'
import { type ApiProcess, type ServerProcess, startApi, startWorker } from '../../server/test/process.ts'
import { createTenant, type TestRoot } from '../../server/test/tenant.ts'

const APIS = 3
const WORKERS = 2
const publicUrl = 'https://scholiast.example.com'
export const busPrefix = 'proof'

export interface Revocable {
  readonly kind: 'key' | 'session'
  /** Headers of a request with it. */
  readonly headers: Readonly<Record<string, string>>
  /** Where it is revoked, and by whose headers. */
  readonly end: {
    readonly method: 'DELETE' | 'POST'
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
  }
}

/** The whole service on three machines: three API processes behind a load balancer, and two workers. */
export interface Service {
  readonly database: TestDatabase
  readonly root: TestRoot
  /** Of the load balancer. */
  readonly url: string
  /** Of each API process. */
  readonly nodes: readonly string[]
  readonly key: string
  readonly credential: string
  /** What can be revoked once each. */
  readonly revocable: readonly Revocable[]
  stop(): Promise<void>
}

interface Entries {
  readonly apiEntry?: string | undefined
  readonly workerEntry?: string | undefined
}

export async function startService(revocations: number, entries: Entries = {}): Promise<Service> {
  const [databaseUrl, natsUrl] = [process.env['TEST_DATABASE_URL'], process.env['TEST_NATS_URL']]
  if (databaseUrl === undefined || natsUrl === undefined)
    throw new Error('This runs by scripts/cluster exec.')
  const database = await createDatabaseOn(databaseUrl)
  const tenant = await createTenant(database)
  const { value: key } = await tenant.createKey('workspace')
  const superuser = database.superuser()
  const revocable: Revocable[] = []
  for (let index = 0; index < revocations; index++) {
    const { id, value } = await tenant.createKey('user')
    const headers = { 'x-service-api-key': key }
    revocable.push({
      kind: 'key',
      headers: { 'x-service-api-key': value },
      end: { method: 'DELETE', path: `/v1/keys/${id}`, headers },
    })
    revocable.push(
      toRevocable(
        await plantSession(superuser, tenant.workspace.root, tenant.workspace.admin),
        tenant.workspace.organizations[0].id,
      ),
    )
  }
  await Promise.all([superuser.end(), tenant.close()])
  const settings = {
    ...limitsOff,
    ...ingestSettings({ prefix: busPrefix }),
    NATS_URL: natsUrl,
    BUS_REPLICAS: '3',
    INGEST_MAX_BYTES: String(128 * 1024 ** 2),
    DATABASE_CONNECTIONS: '8',
    PUBLIC_URL: publicUrl,
  }
  const balancer = await startBalancer({ acceptsEvents: true })
  // The first worker makes the streams.
  const workers: ServerProcess[] = []
  const apis: ApiProcess[] = []
  for (let worker = 0; worker < WORKERS; worker++)
    workers.push(await startWorker(database, settings, entries.workerEntry))
  for (let api = 0; api < APIS; api++) apis.push(await addApi(database, settings, balancer, entries.apiEntry))
  return {
    database,
    root: tenant.workspace,
    url: balancer.url,
    nodes: apis.map(({ url }) => url),
    key,
    credential: createCredential(tenant.ring, tenant.workspace.root).value,
    revocable,
    async stop() {
      await Promise.all([...apis, ...workers].map((process) => process.stop('SIGKILL')))
      await balancer.stop()
    },
  }
}

async function addApi(
  database: TestDatabase,
  settings: Readonly<Record<string, string>>,
  balancer: Balancer,
  entry: string | undefined,
): Promise<ApiProcess> {
  const api = await startApi(database, settings, entry)
  await balancer.add(api.url)
  return api
}

function toRevocable({ cookie }: PlantedSession, organization: string): Revocable {
  const headers = { cookie: `__Host-scholiast=${cookie}` }
  return {
    kind: 'session',
    headers: { ...headers, 'x-scholiast-organization': organization },
    end: { method: 'POST', path: '/auth/logout', headers: { ...headers, origin: publicUrl } },
  }
}

import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Limits } from '../../fake-forge/github/limits.ts'
import { FakeGithub } from '../../fake-forge/github/server.ts'
import { createBus } from '../../server/test/bus.ts'
import { startService } from '../../server/test/call.ts'
import { SharedClock } from '../../server/test/connectors/clock-file.ts'
import { createDatabase, type TestDatabase } from '../../server/test/database.ts'
import { ingestSettings } from '../../server/test/ingest.ts'
import { limitsOff } from '../../server/test/limits-off.ts'
import { startWorker } from '../../server/test/process.ts'
import { createTenant } from '../../server/test/tenant.ts'
import {
  createOrganization,
  DAYS_OF_PAST,
  type OrganizationSize,
  type TestOrganization,
} from './organization.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const CONNECTOR_KEYS = `test:${'cd'.repeat(32)}`

export interface InstallationOptions {
  readonly size: OrganizationSize
  readonly limits: Limits
  /** 0 = a free one. Addresses are a part of what is stored, so two installations are compared on one port. */
  readonly port: number
  readonly waitForResponse: (isGraphql: boolean, response: ServerResponse) => Promise<void>
}

/** A fake GitHub, and a service that is connected to it: API and consumers, but no worker that serves connectors. */
export interface Installation {
  readonly clock: SharedClock
  readonly clockFile: string
  readonly github: FakeGithub
  readonly organization: TestOrganization
  readonly superuser: ReturnType<TestDatabase['superuser']>
  /** Settings of a worker that serves connectors. */
  readonly workerSettings: Readonly<Record<string, string>>
  stop(): Promise<void>
}

export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const cleanup = new AsyncDisposableStack()
  try {
    return await start(options, cleanup)
  } catch (error) {
    await cleanup.disposeAsync()
    throw error
  }
}

async function start(options: InstallationOptions, cleanup: AsyncDisposableStack): Promise<Installation> {
  const { size, limits, port, waitForResponse } = options
  const clockFile = join(tmpdir(), `scholiast-clock-${randomUUID()}`)
  // The past ends yesterday at six, after the nightly sweep and before the real time.
  const end = Math.floor(Date.now() / DAY_MS) * DAY_MS - 18 * HOUR_MS
  const clock = new SharedClock(new Date(end - DAYS_OF_PAST * DAY_MS).toISOString(), clockFile)
  cleanup.defer(() => rm(clockFile))
  const organization = createOrganization(clock, size)
  const sendHook = async (request: {
    url: string
    headers: Readonly<Record<string, string>>
    body: string
  }) => {
    const { pathname } = new URL(request.url)
    const response = await service.call(pathname, {
      method: 'POST',
      headers: { ...request.headers, 'content-type': 'application/json' },
      payload: request.body,
    })
    return response.status
  }
  const { forge } = organization
  const github = await FakeGithub.start({
    forge,
    isEnterprise: true,
    port,
    limits,
    waitForResponse,
    sendHook,
  })
  cleanup.defer(() => github.close())
  const [database, bus] = await Promise.all([createDatabase(), createBus()])
  cleanup.defer(async () => {
    await Promise.all([database.drop(), bus.drop()])
  })
  const settings = { ...ingestSettings(bus), INGEST_MAX_BYTES: String(256 * 1024 ** 2) }
  const { host, origin } = new URL(github.url)
  const service = startService(
    database,
    { ...limitsOff, CONNECTOR_HOSTS: origin },
    undefined,
    undefined,
    undefined,
    { now: () => new Date(clock.now()) },
  )
  cleanup.defer(() => service.stop())
  const worker = await startWorker(database, settings)
  cleanup.defer(() => worker.stop())
  const tenant = await createTenant(database)
  cleanup.defer(() => tenant.close())
  const { value: key } = await tenant.createKey('user', { of: 'alone', role: 'cr_admin' })
  const superuser = database.superuser()
  cleanup.defer(() => superuser.end())
  const { id, login } = organization.organization
  await superuser.query(
    'update organization set host = $1, provider_organization_id = $2, name = $3 where root_id = $4',
    [host, String(id), login, tenant.alone.root],
  )
  const app = github.apps.createApp({ name: 'Scholiast', owner: organization.organization })
  const installation = github.apps.install(app, organization.organization)
  const created = await service.call('/v1/connectors', {
    method: 'POST',
    key,
    body: {
      provider: 'github',
      host,
      mode: 'hooks',
      account: login,
      credential: {
        app_id: String(app.id),
        installation_id: String(installation.id),
        private_key: app.privateKey,
      },
      webhook_secret: app.webhookSecret,
    },
  })
  if (created.status !== 201) throw new Error(`The connector was not created: ${created.text}`)
  app.webhookUrl = `${origin}/hooks/${(created.body as unknown as { id: string }).id}`
  return {
    clock,
    clockFile,
    github,
    organization,
    superuser,
    workerSettings: {
      ...settings,
      WORKER_DATABASE_URL: database.urls.worker,
      CONNECTOR_KEYS,
      CONNECTOR_HOSTS: origin,
      LOG_LEVEL: 'warn',
    },
    stop: () => cleanup.disposeAsync(),
  }
}

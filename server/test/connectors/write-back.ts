import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, type TestContext } from 'node:test'
import type pg from 'pg'
import { readPermissions } from '../../../fake-forge/github/apps.ts'
import { pushCommit } from '../../../fake-forge/pull-request.ts'
import { startFixture } from '../../../fake-forge/test/github-fixture.ts'
import { eventKinds } from '../../src/consumers.ts'
import { connect, type Pool } from '../../src/db/connect.ts'
import { createLog } from '../../src/observe/log.ts'
import { createThreadParser } from '../../src/resources/connectors/parsers/thread/run.ts'
import type { SyncContext } from '../../src/resources/connectors/sync/context.ts'
import { createClients } from '../../src/resources/connectors/sync/create-client.ts'
import { createEventSender } from '../../src/resources/connectors/sync/send-events.ts'
import { createWriteBack } from '../../src/resources/connectors/write-back/write-back.ts'
import { createEventChecker } from '../../src/resources/events/accept.ts'
import { createLearningFinder } from '../../src/resources/review-context/find-applying.ts'
import { readConnectorHosts } from '../../src/settings/connector-hosts.ts'
import { createEmbedders } from '../../src/text/embed/create.ts'
import { HOUR_MS } from '../../src/time.ts'

import { startService } from '../call.ts'
import { createDatabase, type TestDatabase } from '../database.ts'
import { limitsOff } from '../limits-off.ts'
import { localEmbedder } from '../local-embedder.ts'
import { createTenant, type Tenant } from '../tenant.ts'
import { connectorRing, runUntilIdle, type SentEvent } from './test-sync.ts'

/** An App that may write back, as its manifest asks for it. */
export const writePermissions = { ...readPermissions, checks: 'write', pull_requests: 'write' } as const

export interface WriteBackOptions {
  readonly writeBack?: boolean
  readonly permissions?: typeof readPermissions
}

/** Shares one database between the tests of a file. */
export function useWriteBack() {
  let database: TestDatabase
  let superuser: pg.Pool
  let tenant: Tenant
  let pool: Pool
  let key: string
  before(async () => {
    database = await createDatabase()
    superuser = database.superuser()
    tenant = await createTenant(database)
    // Before the organization gets the host of a fake, where nobody has an account.
    key = (await tenant.createKey('user', { role: 'cr_admin' })).value
    pool = connect({ url: database.urls.worker, name: 'test', connections: 4 })
  })
  after(async () => {
    await Promise.all([tenant.close(), pool.end(), superuser.end()])
    await database.drop()
  })

  /** A connector that writes back to a fake GitHub, with a worker that runs only when it is called. */
  async function start(
    t: TestContext,
    { writeBack = true, permissions = writePermissions }: WriteBackOptions = {},
  ) {
    const fixture = await startFixture(t, { isEnterprise: true })
    const { github, forge, clock, app, installation, acme, repository, pullRequest, bob } = fixture
    app.permissions = permissions
    // After the connection, which has the time of the database.
    clock.advance(Date.now() - clock.now() + HOUR_MS)
    pushCommit(forge, pullRequest, bob, {
      message: 'Round prices again',
      changes: { 'src/price.ts': 'two\n' },
    })
    const { origin, host } = new URL(github.url)
    const service = startService(database, { ...limitsOff, CONNECTOR_HOSTS: origin })
    const [organization] = tenant.workspace.organizations
    t.after(async () => {
      await service.stop()
      await superuser.query('delete from connector')
      await superuser.query('delete from connector_instruction')
      await superuser.query('delete from learning where organization_id = $1', [organization.id])
    })
    await superuser.query('update organization set host = $2, provider_organization_id = $3 where id = $1', [
      organization.id,
      host,
      String(acme.id),
    ])
    await superuser.query('update repository set provider_repository_id = $2, private = true where id = $1', [
      organization.repositories[0]?.id,
      String(repository.id),
    ])
    const created = await service.call('/v1/connectors', {
      method: 'POST',
      key,
      body: {
        provider: 'github',
        host,
        mode: 'polling',
        account: 'acme',
        write_back: writeBack,
        credential: {
          app_id: String(app.id),
          installation_id: String(installation.id),
          private_key: app.privateKey,
        },
      },
    })
    assert.equal(created.status, 201, created.text)
    const now = () => new Date(clock.now())
    const sent: SentEvent[] = []
    const queue = {
      admit: () => {},
      async store(_: unknown, texts: readonly string[]) {
        for (const text of texts) sent.push(JSON.parse(text) as SentEvent)
      },
    }
    const log = createLog('test', 'silent')
    const hosts = readConnectorHosts([origin], [], [])
    const { createClient, createWriteClient } = createClients({
      database: pool,
      keys: connectorRing,
      hosts,
      now,
    })
    const sendEvents = createEventSender(queue, createEventChecker(eventKinds), now)
    const findLearnings = createLearningFinder({
      database: pool,
      embedders: createEmbedders(null, localEmbedder),
    })
    const context = { database: pool, log, now, createWriteClient, findLearnings }
    const sync: SyncContext = {
      database: pool,
      log,
      now,
      owner: randomUUID(),
      createClient,
      sendEvents,
      parseComments: createThreadParser(),
      detectOutcomes: () => Promise.resolve([]),
      writeBack: createWriteBack(context),
    }
    return {
      ...fixture,
      sent,
      sync,
      superuser,
      /** Writes of people take effect, and the worker reads them. */
      run: async () => {
        clock.advance(2 * 60_000)
        await runUntilIdle(sync)
      },
      addLearning: async (learning: string, file: string | null = null, of = 0): Promise<void> => {
        const repositoryId = of === 0 ? String(repository.id) : organization.repositories[of]?.repositoryId
        const response = await service.call('/v1/learnings', {
          method: 'POST',
          key,
          body: { data: [{ repository_id: repositoryId, learning, ...(file !== null && { file }) }] },
        })
        assert.equal((response.body as unknown as { status: string }).status, 'success', response.text)
      },
      readConnector: async (): Promise<Record<string, unknown>> => {
        const { body } = await service.call('/v1/connectors', { key })
        const [found] = body.data as unknown as Record<string, unknown>[]
        return found ?? assert.fail('no connector')
      },
    }
  }

  return { start }
}

import { afterEach, before, beforeEach } from 'node:test'
import type pg from 'pg'
import { connect, type Pool } from '../../src/db/connect.ts'
import type { SyncContext } from '../../src/resources/connectors/sync/context.ts'
import { HOUR_MS } from '../../src/time.ts'
import { startService, type TestService } from '../call.ts'
import { createDatabase, type TestDatabase } from '../database.ts'
import { limitsOff } from '../limits-off.ts'
import { createTenant, type Tenant } from '../tenant.ts'
import { MemoryForge } from './memory-forge.ts'
import { connectOrganization, createTestSync, type SentEvent } from './test-sync.ts'

/** A service with a connector that polls a forge in memory. Forge, clock and connector are new for each test of the file. */
export class ConnectorTest {
  superuser!: pg.Pool
  tenant!: Tenant
  service!: TestService
  pool!: Pool
  forge!: MemoryForge
  /** An admin's key. */
  key!: string
  sent: SentEvent[] = []
  /** The time of the forge and of the sync, in milliseconds. */
  clock = 0

  constructor() {
    before(async () => {
      const database = await createDatabase()
      await this.#start(database)
      return async () => {
        await Promise.all([this.service.stop(), this.tenant.close(), this.pool.end()])
        await database.drop()
      }
    })
    beforeEach(async () => {
      this.clock = Date.now() + HOUR_MS
      this.forge = new MemoryForge(this.tenant.workspace.organizations[0].orgId, () => new Date(this.clock))
      this.forge.addRepository('700')
      this.sent = []
      this.key = (await connectOrganization(this.service, this.tenant, 'polling')).key
    })
    afterEach(() => this.superuser.query('delete from connector'))
  }

  async #start(database: TestDatabase): Promise<void> {
    this.superuser = database.superuser()
    this.tenant = await createTenant(database)
    this.service = startService(database, limitsOff)
    this.pool = connect({ url: database.urls.worker, name: 'test', connections: 8 })
  }

  createSync(overrides: Partial<SyncContext> = {}): SyncContext {
    return createTestSync(this.pool, this.forge, this.sent, overrides)
  }

  /** The connector, as admins see it. */
  async readConnector(): Promise<Record<string, unknown>> {
    const { body } = await this.service.call('/v1/connectors', { key: this.key })
    const [found] = body.data as unknown as Record<string, unknown>[]
    if (found === undefined) throw new Error('There is no connector.')
    return found
  }
}

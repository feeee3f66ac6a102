import { afterEach, beforeEach } from 'node:test'
import { connect, type Pool } from '../../src/db/connect.ts'
import type { SyncContext } from '../../src/resources/connectors/sync/context.ts'

import { startService, type TestService } from '../call.ts'
import { openTenant, type TenantFixture } from '../fixture.ts'
import { limitsOff } from '../limits-off.ts'
import { tomorrowNoon } from './clock.ts'
import { MemoryForge } from './memory-forge.ts'
import { connectOrganization, createTestSync, type SentEvent } from './test-sync.ts'

/** A service with a connector that polls a forge in memory. Forge, clock and connector are new for each test of the file. */
export class ConnectorTest {
  readonly superuser: TenantFixture['superuser']
  readonly tenant: TenantFixture['tenant']
  readonly service: TestService
  readonly pool: Pool
  forge!: MemoryForge
  /** An admin's key. */
  key!: string
  sent: SentEvent[] = []
  /** The time of the forge and of the sync, in milliseconds. */
  clock = 0

  private constructor({ database, superuser, tenant, use }: TenantFixture) {
    this.superuser = superuser
    this.tenant = tenant
    this.service = use(startService(database, limitsOff))
    this.pool = use(connect({ url: database.urls.worker, name: 'test', connections: 8 }))
    beforeEach(async () => {
      this.clock = tomorrowNoon()
      this.forge = new MemoryForge(tenant.workspace.organizations[0].orgId, () => new Date(this.clock))
      this.forge.addRepository('700')
      this.sent = []
      this.key = (await connectOrganization(this.service, tenant, 'polling')).key
    })
    afterEach(() => superuser.query('delete from connector'))
  }

  static async open(): Promise<ConnectorTest> {
    return new ConnectorTest(await openTenant())
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

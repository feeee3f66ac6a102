import assert from 'node:assert/strict'
import { createSecretKey, randomUUID } from 'node:crypto'
import { eventKinds } from '../../src/consumers.ts'
import type { Pool } from '../../src/db/connect.ts'
import type { ConnectorId } from '../../src/ids.ts'
import { createLog } from '../../src/observe/log.ts'
import { createThreadParser } from '../../src/resources/connectors/parsers/thread/run.ts'
import type { SyncContext } from '../../src/resources/connectors/sync/context.ts'
import { runRound } from '../../src/resources/connectors/sync/loop.ts'
import { createEventSender } from '../../src/resources/connectors/sync/send-events.ts'
import { createEventChecker } from '../../src/resources/events/accept.ts'
import type { TestService } from '../call.ts'
import type { Tenant } from '../tenant.ts'
import type { MemoryForge } from './memory-forge.ts'

/** The ring of startService. */
export const connectorRing = [{ id: 'test', secret: createSecretKey('cd'.repeat(32), 'hex') }]

export interface SentEvent {
  readonly id: string
  readonly type: string
  readonly occurred_at: string
  readonly payload: Record<string, unknown>
}

/** One thread for all tests of a file. */
const parseComments = createThreadParser()

/** A worker's sync with a forge in memory; what it sends passes the checks of the ingest endpoint and is collected. */
export function createTestSync(
  database: Pool,
  forge: MemoryForge,
  sent: SentEvent[],
  overrides: Partial<SyncContext> = {},
): SyncContext {
  return {
    database,
    log: createLog('test', 'silent'),
    now: forge.now,
    owner: randomUUID(),
    createClient: () => forge.createClient(),
    sendEvents: createTestSender(sent, forge.now),
    parseComments,
    detectOutcomes: () => Promise.resolve([]),
    ...overrides,
  }
}

/** `beforeStore` may refuse, as the queue does. */
export function createTestSender(
  sent: SentEvent[],
  now: () => Date,
  beforeStore: () => void = () => {},
): SyncContext['sendEvents'] {
  const queue = {
    admit: () => {},
    async store(_: unknown, texts: readonly string[]) {
      beforeStore()
      for (const text of texts) sent.push(JSON.parse(text) as SentEvent)
    },
  }
  return createEventSender(queue, createEventChecker(eventKinds), now)
}

/** Until nothing is due. */
export async function runUntilIdle(sync: SyncContext): Promise<void> {
  for (let round = 0; round < 1000; round++) if (!(await runRound(sync))) return
  assert.fail('the connectors are never idle')
}

export async function connectOrganization(
  service: TestService,
  tenant: Tenant,
  mode: 'hooks' | 'polling',
  options: object = {},
): Promise<{ readonly id: ConnectorId; readonly key: string }> {
  const { value: key } = await tenant.createKey('user', { role: 'cr_admin' })
  const credential = { app_id: '1', installation_id: '2', private_key: 'PEM' }
  const secret = mode === 'hooks' ? { webhook_secret: 'secret-of-the-webhook' } : {}
  const body = { provider: 'github', mode, credential, ...secret, ...options }
  const create = (account: string) =>
    service.call('/v1/connectors', { method: 'POST', key, body: { account, ...body } })
  const first = await create('acme')
  // An organization has one connector for each account.
  const created = first.status === 409 ? await create(`acme-${randomUUID().slice(0, 8)}`) : first
  assert.equal(created.status, 201, created.text)
  return { id: (created.body as unknown as { id: ConnectorId }).id, key }
}

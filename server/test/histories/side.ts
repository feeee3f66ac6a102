// Replays histories on the code of the checkout that this file is in: one for each message of its parent. The comparison copies
// this folder to the other revision, so it uses only what revisions share: handlers, operator's functions, test fixtures, endpoints.
import { once } from 'node:events'
import { runChange } from '../../src/admin/operator.ts'
import type { WorkerContext } from '../../src/bus/context.ts'
import { consumers } from '../../src/consumers.ts'
import type { InstanceId, OrganizationId, RootId } from '../../src/ids.ts'
import { createLog } from '../../src/observe/log.ts'
import { createInstance } from '../../src/resources/instances/manage.ts'
import { createKey } from '../../src/resources/keys/manage.ts'
import type { KeyRequest } from '../../src/resources/keys/request.ts'
import { expireStore } from '../../src/resources/metrics/retention/expire.ts'
import { mcpUsageEvents, reviewEvents } from '../../src/resources/metrics/write/event.ts'
import {
  activateOrganization,
  addRepository,
  createOrganization,
  deactivateOrganization,
} from '../../src/resources/organizations/manage.ts'
import { addPerson } from '../../src/resources/people/manage.ts'
import { createWorkspace } from '../../src/resources/workspaces/manage.ts'
import { compileShape } from '../../src/shape.ts'
import { startService } from '../call.ts'
import { createDatabase } from '../database.ts'
import { limitsOff } from '../limits-off.ts'
import { createTestWriter } from '../pull-requests.ts'
import { type History, organizations, type RawEvent, type Read, type Step } from './history.ts'

/** A history in a tenant root of its own; `run` numbers the root. */
export interface Run {
  readonly run: number
  readonly history: History
}

/** A request and its response. */
export type Exchange = readonly [request: string, response: string]

const MAX_PAGES = 30
const EXPIRED_AT = new Date('2026-04-01T00:00:00.000Z')

const database = await createDatabase()
const writer = createTestWriter(database)
const service = startService(database, limitsOff)
// Handlers of metrics use the writer's part of the worker's context.
const context = { ...writer, log: createLog('histories', 'error') } as unknown as WorkerContext
const operator = { pool: writer.database, now: () => new Date() }
const shapes = new Map(
  [...reviewEvents.kinds, ...mcpUsageEvents.kinds].map((kind) => [
    kind.type,
    { isValid: compileShape(kind.payload), kind },
  ]),
)

interface Tenant {
  readonly root: RootId
  readonly ids: readonly OrganizationId[]
  readonly keys: Readonly<Record<Read['key'], string>>
  /** Where each read ended, by its request. */
  readonly cursors: Map<string, string>
}

process.on('message', ({ run, history }: Run) => {
  replay(run, history).then(
    (exchanges) => process.send?.(exchanges),
    (error: unknown) => {
      console.error(error)
      process.exitCode = 1
      process.disconnect()
    },
  )
})
process.send?.([])
await once(process, 'disconnect')
await Promise.all([service.stop(), writer.close()])
await database.drop()

async function replay(run: number, { steps, reads }: History): Promise<Exchange[]> {
  const tenant = await createTenant(run)
  const exchanges: Exchange[] = []
  for (const [index, step] of steps.entries()) exchanges.push(...(await takeStep(tenant, step, index)))
  for (const read of reads) exchanges.push(...(await readPages(tenant, read)))
  exchanges.push(...(await judgeFirst(tenant, exchanges)))
  return exchanges
}

async function takeStep(tenant: Tenant, step: Step, index: number): Promise<Exchange[]> {
  const { root, ids } = tenant
  switch (step.kind) {
    case 'events':
      return [[`step ${index}: events`, JSON.stringify(await storeEvents(tenant, step))]]
    case 'judged': {
      const event = {
        id: step.id,
        type: 'finding.judged',
        version: 1,
        root,
        occurred_at: step.at,
        payload: {
          ...step.payload,
          organization_id: ids[step.organization],
          instance_id: isHosted(step.organization) ? toId(root, 9) : null,
        },
      }
      await consumers.find(({ name }) => name === 'person-outcomes')?.handle(context, event)
      return []
    }
    case 'active': {
      const change = step.active ? activateOrganization : deactivateOrganization
      await runChange(operator, root, (tx) => change(tx, ids[step.organization] as OrganizationId))
      return []
    }
    case 'expire': {
      const report = (error: unknown): never => {
        throw error
      }
      await expireStore(writer.stores.pool('shared'), { firstDay: step.firstDay, at: EXPIRED_AT, report })
      return []
    }
    case 'read':
      return readPages(tenant, step.read)
  }
}

/** Returns the deferred events. */
async function storeEvents(
  { root, ids }: Tenant,
  step: Extract<Step, { kind: 'events' }>,
): Promise<unknown[]> {
  const organizationsOf = step.organizations?.map((index) => ids[index] as OrganizationId) ?? null
  const batch = { root, credential: toId(root, 99) as never, organizations: organizationsOf }
  const deferred: unknown[] = []
  for (const family of [reviewEvents, mcpUsageEvents]) {
    const types = new Set(family.kinds.map(({ type }) => type))
    const events = step.events.filter(({ type }) => types.has(type)).map(normalize)
    if (events.length === 0) continue
    const left = await family.handle(context, { ...batch, events })
    deferred.push(...left.map(({ event, reason }) => [event.id, reason]))
  }
  return deferred
}

function normalize(event: RawEvent) {
  const { isValid, kind } = shapes.get(event.type) ?? {}
  if (!isValid?.(event.payload))
    throw new Error(`An event is invalid: ${JSON.stringify([event, isValid?.errors])}`)
  return { ...event, payload: kind?.normalize(event.payload) }
}

/** Reads on from where the same read ended before, or from the start. */
async function readPages({ keys, cursors }: Tenant, { key, path, lines }: Read): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const request = `${key} ${lines ? 'lines of ' : ''}${path}`
  const accept: Record<string, string> = lines ? { accept: 'application/x-ndjson' } : {}
  for (let page = 1; page <= MAX_PAGES; page++) {
    const cursor = cursors.get(request)
    const url = cursor === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`
    const { status, headers, text } = await service.call(url, { key: keys[key], headers: accept })
    if (status >= 500) throw new Error(`${request}: ${status} ${text}`)
    const next = headers['x-next-cursor'] ?? /"next_cursor":"([^"]+)"/.exec(text)?.[1]
    const hasNext = headers['x-next-cursor'] === undefined ? '' : ' with a next cursor'
    exchanges.push([
      `${request} (page ${page})`,
      `${status} ${headers['content-type']}${hasNext} ${maskRandom(text)}`,
    ])
    if (next !== undefined) cursors.set(request, next)
    if (next === undefined || status !== 200 || text.includes('"has_more":false}')) return exchanges
  }
  return exchanges
}

/** Overrules the first finding that was read. */
async function judgeFirst({ keys }: Tenant, before: readonly Exchange[]): Promise<Exchange[]> {
  const list = before.find(([request]) => request.startsWith('workspace /v1/metrics/findings'))?.[1] ?? ''
  const id = /"id":"([^"]+)"/.exec(list)?.[1]
  if (id === undefined) return []
  const request = `/v1/metrics/findings/${id}/outcome`
  const { status, text } = await service.call(request, {
    key: keys.user,
    method: 'PUT',
    body: { accepted: true },
  })
  return [[`user PUT ${request}`, `${status} ${maskRandom(text)}`]]
}

/** Cursors are sealed, and request ids are random. */
function maskRandom(text: string): string {
  return text.replace(/"(next_cursor|request_id)":"[^"]+"/, '"$1":"…"')
}

function isHosted(index: number): boolean {
  return organizations[index]?.host !== 'github.com'
}

function toId<Id extends string>(root: RootId, index: number): Id {
  return `${root.slice(0, 34)}${String(index).padStart(2, '0')}` as Id
}

/** A workspace whose last organization is on a self-hosted instance, with a key of each scope. Every id depends on `run` alone. */
async function createTenant(run: number): Promise<Tenant> {
  const root = `00000000-0000-4000-8000-${String(run).padStart(10, '0')}00` as RootId
  const instance = toId<InstanceId>(root, 9)
  const ids = organizations.map((_, index) => toId<OrganizationId>(root, 10 + index))
  const subscription = { plan: 'enterprise', seats: 10, active: true } as const
  const tenant = await runChange(operator, root, async (change) => {
    await createWorkspace(change, { name: 'workspace', sso: true, subscription })
    const hosted = { id: instance, name: 'instance', provider: 'github', host: 'git.example.com' }
    await createInstance(change, { ...hosted, sendsMetrics: true, subscription: null })
    for (const [index, { id, name, repositories }] of organizations.entries()) {
      const organization = { id: ids[index] as OrganizationId, name, providerOrganizationId: id as never }
      await createOrganization(change, {
        ...organization,
        subscription: null,
        ...(isHosted(index) && { instance }),
      })
      for (const providerRepositoryId of repositories.slice(1))
        await addRepository(change, organization.id, {
          providerRepositoryId,
          name: `${id} ${providerRepositoryId}`,
        })
    }
    const hosts = [...new Set(organizations.map(({ host }) => host))]
    const owner = await addPerson(change, {
      email: 'owner@example.com',
      name: 'Owner',
      workspaceAdmin: true,
      accounts: hosts.map((host) => ({ provider: 'github', host, accountId: '1', username: 'owner' })),
      memberships: ids.map((organization) => ({ organization, role: { system: 'cr_admin' } })),
    })
    const [first, second, third] = ids as [OrganizationId, OrganizationId, OrganizationId]
    const expiresAt = new Date(Date.now() + 86_400_000)
    const issue = async (request: KeyRequest) =>
      (await createKey(change, { ...request, name: request.kind, expiresAt })).value
    const keys = {
      workspace: await issue({ kind: 'workspace', owner }),
      organization: await issue({ kind: 'organization', owner, organization: first }),
      user: await issue({ kind: 'user', owner, organization: second }),
      instance: await issue({ kind: 'instance', instance, home: third, organizations: null }),
    }
    return { root, ids, keys, cursors: new Map() }
  })
  const reviewers = { ann: { price_per_month: 608 }, Ann: { price_per_month: 10, since: '2026-02-03' } }
  const body = { settings: { reviewers } }
  const { status, text } = await service.call('/v1/settings', {
    key: tenant.keys.user,
    method: 'PATCH',
    body,
  })
  if (status !== 200) throw new Error(`The prices were refused: ${text}`)
  return tenant
}

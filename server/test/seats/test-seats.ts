import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { IngestEvent } from '../../src/bus/ingest-event.ts'
import type { KeyId, OrganizationId, PersonId, RootId } from '../../src/ids.ts'
import { addPerson } from '../../src/resources/people/manage.ts'
import { seatRequests } from '../../src/resources/seats/event.ts'
import { compileShape } from '../../src/shape.ts'
import { createBus, createWorkerContext } from '../bus.ts'
import { startService, type TestService } from '../call.ts'
import type { TestDatabase } from '../database.ts'
import { openTenant } from '../fixture.ts'
import type { Tenant, TestOrganization } from '../tenant.ts'

const kind = seatRequests.kinds[0] ?? fail()
const isValidPayload = compileShape(kind.payload)

export interface NewMember {
  readonly account: string
  readonly person: PersonId
}

export interface TestSeats {
  readonly database: TestDatabase
  readonly tenant: Tenant
  readonly superuser: pg.Pool
  readonly service: TestService
  readonly addMember: (...organizations: readonly TestOrganization[]) => Promise<NewMember>
  readonly createSeatRequest: (
    organization: TestOrganization,
    account: string,
    occurredAt?: string,
  ) => IngestEvent
  /** Returns the reasons of the deferred events. */
  readonly applyEvents: (
    root: RootId,
    events: readonly IngestEvent[],
    named?: readonly OrganizationId[],
  ) => Promise<string[]>
  readonly setMode: (organization: TestOrganization, mode: 'automatic' | 'manual') => Promise<void>
  readonly hasSeats: (...people: readonly NewMember[]) => Promise<boolean[]>
  readonly readSeatRequest: (member: NewMember) => Promise<{ pending: boolean; decided: boolean } | null>
  /** All audit actions on seats, then the types of their events. */
  readonly readRecordedChanges: (root: RootId) => Promise<string[]>
}

export async function createSeats(): Promise<TestSeats> {
  const { database, tenant, superuser, use } = await openTenant()
  const bus = use(await createBus())
  const limits = { LIMIT_USERS: 'off', LIMIT_SEATS: 'off', LIMIT_SEAT_MODE: 'off' }
  const service = use(startService(database, { ...limits, DATABASE_CONNECTIONS: '8' }))
  const context = createWorkerContext(tenant.pool, bus.bus)
  return {
    database,
    tenant,
    superuser,
    service,
    addMember: (...organizations) => addMember(tenant, organizations),
    createSeatRequest(organization, account, occurred_at = new Date().toISOString()) {
      const at = { provider: 'github', host: getHost(organization), id: organization.orgId }
      const payload = { organization: at, author: { id: account } }
      if (!isValidPayload(payload)) throw new Error('The payload does not match its schema.')
      const { type, version } = kind
      return { id: randomUUID(), type, version, occurred_at, payload: kind.normalize(payload) }
    },
    async applyEvents(root, events, organizations) {
      const credential = randomUUID() as KeyId
      const batch = { root, credential, organizations: organizations ?? null, events }
      return (await seatRequests.handle(context, batch)).map(({ reason }) => reason)
    },
    async setMode({ root, id }, mode) {
      const text = 'update organization set seat_assignment_mode = $3 where root_id = $1 and id = $2'
      await superuser.query(text, [root, id, mode])
    },
    ...createReaders(superuser),
  }
}

function getHost({ root, instance }: TestOrganization): string {
  return instance === null ? 'github.com' : `git-${root.slice(0, 8)}.example.com`
}

export async function addMember(
  tenant: Tenant,
  organizations: readonly TestOrganization[],
): Promise<NewMember> {
  const account = randomUUID()
  const [first] = organizations
  if (first === undefined) throw new Error('Pass at least one organization.')
  const accounts = [{ provider: 'github', host: getHost(first), accountId: account, username: account }]
  const memberships = organizations.map(({ id }) => {
    return { organization: id, role: { system: 'cr_member' } } as const
  })
  const email = `${account}@example.com`
  const person = await tenant.change(first.root, (change) =>
    addPerson(change, { email, name: account, accounts, memberships }),
  )
  return { account, person }
}

function createReaders(
  superuser: pg.Pool,
): Pick<TestSeats, 'hasSeats' | 'readSeatRequest' | 'readRecordedChanges'> {
  return {
    async hasSeats(...people) {
      const { rows } = await superuser.query<{ person_id: string }>('select person_id from seat')
      return people.map(({ person }) => rows.some(({ person_id }) => person_id === person))
    },
    async readSeatRequest({ person }) {
      const { rows } = await superuser.query<{ pending: boolean; decided: boolean }>(
        `select requested_at is not null as pending, decided_at is not null as decided from seat_request
         where person_id = $1`,
        [person],
      )
      return rows[0] ?? null
    },
    async readRecordedChanges(root) {
      const { rows } = await superuser.query<{ name: string }>(
        `(select action as name from audit_log where root_id = $1 and resource_type = 'seat' order by position)
         union all (select type from outbox where root_id = $1 and type like 'seat.%' order by id)`,
        [root],
      )
      return rows.map(({ name }) => name)
    },
  }
}

function fail(): never {
  throw new Error('The seat family has no event kind.')
}

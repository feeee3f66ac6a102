// What a test file opens before its tests: a database of its own, with tenants. All of it is closed after the last test.
import { after } from 'node:test'
import type pg from 'pg'
import { createDatabase, type TestDatabase } from './database.ts'
import { createTenant, type Tenant, type TenantOptions } from './tenant.ts'

type Resource =
  | { stop(): Promise<unknown> }
  | { close(): Promise<unknown> }
  | { end(): Promise<unknown> }
  | { drop(): Promise<unknown> }

export interface DatabaseFixture {
  readonly database: TestDatabase
  readonly superuser: pg.Pool
  /** Closes the resource after the last test, before what was opened earlier. */
  readonly use: <Used extends Resource>(resource: Used) => Used
  /** Runs after the last test, before what was opened earlier is closed. */
  readonly defer: (work: () => unknown) => void
}

export interface TenantFixture extends DatabaseFixture {
  readonly tenant: Tenant
}

export async function openDatabase(): Promise<DatabaseFixture> {
  const opened = new AsyncDisposableStack()
  after(() => opened.disposeAsync())
  const use = <Used extends Resource>(resource: Used): Used => opened.adopt(resource, close)
  const database = use(await createDatabase())
  return {
    database,
    superuser: use(database.superuser()),
    use,
    defer: (work) => opened.defer(async () => void (await work())),
  }
}

export async function openTenant(options?: TenantOptions): Promise<TenantFixture> {
  const opened = await openDatabase()
  return { ...opened, tenant: opened.use(await createTenant(opened.database, options)) }
}

async function close(resource: Resource): Promise<void> {
  if ('stop' in resource) await resource.stop()
  else if ('close' in resource) await resource.close()
  else if ('end' in resource) await resource.end()
  else await resource.drop()
}

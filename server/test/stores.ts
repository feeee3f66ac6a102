import { connectMetricsStores, type MetricsStores } from '../src/db/stores.ts'
import { createDatabase, type TestDatabase } from './database.ts'

export interface TestStores {
  /** "shared", which is the test's own database, and "isolated"; with the worker's role. */
  readonly stores: MetricsStores
  readonly isolated: TestDatabase
  /** The value of METRICS_STORES. */
  readonly setting: string
  drop(): Promise<void>
}

/** A second database as a separate metrics store. */
export async function createStores(database: TestDatabase): Promise<TestStores> {
  const isolated = await createDatabase()
  const urls = new Map([
    ['shared', database.urls.worker],
    ['isolated', isolated.urls.worker],
  ])
  const stores = connectMetricsStores(urls, 'test', 4)
  const address = new URL(isolated.urls.worker)
  address.username = ''
  return {
    stores,
    isolated,
    setting: `isolated=${address.href}`,
    async drop() {
      await stores.close()
      await isolated.drop()
    },
  }
}

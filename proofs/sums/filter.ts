import { type GroupKey, groupKeys } from '../../server/test/statements.ts'
import type { Tenant, TestOrganization } from '../../server/test/tenant.ts'
import { authors, DAYS, dayAfter, pick, repositories } from './history.ts'

/** The query to all endpoints. */
export interface Filter {
  readonly key: string
  readonly query: string
  readonly keys: readonly GroupKey[]
  readonly format: 'json' | 'csv'
}

interface FilterReader {
  readonly key: string
  readonly selectors: readonly string[]
}

/** Keys of every kind that can read metrics, each with the organizations it may select. */
export async function createReaders(tenant: Tenant): Promise<FilterReader[]> {
  const { workspace, instance } = tenant
  const idsOf = (organizations: readonly TestOrganization[]) => organizations.map(({ orgId }) => orgId)
  const ofWorkspace = idsOf(workspace.organizations)
  const ofInstance = idsOf(instance.organizations)
  const some = [ofInstance.slice(0, 1), ofInstance.slice(0, 2), ofInstance].map(
    (ids) => `&organization_ids=${ids.join(',')}`,
  )
  const [whole, own, user, self] = await Promise.all([
    tenant.createKey('workspace'),
    tenant.createKey('organization'),
    tenant.createKey('user'),
    tenant.createKey('instance'),
  ])
  return [
    { key: whole.value, selectors: ['', ...ofWorkspace.map((id) => `&org_id=${id}`)] },
    { key: own.value, selectors: [''] },
    { key: user.value, selectors: [''] },
    { key: self.value, selectors: ['', ...some] },
  ]
}

export function randomFilter(readers: readonly FilterReader[]): Filter {
  const { key, selectors } = pick(readers)
  const start = Math.floor(Math.random() * DAYS)
  const days = pick([1, 6, 7, 8, 13, 20, 28, 35, 60, 91, 200, 365, 500])
  const window = `start_date=${dayAfter(start - 20)}&end_date=${dayAfter(start - 21 + days)}`
  const some = (name: string, values: readonly string[]) => {
    const chosen = values.filter(() => Math.random() < 0.4)
    return Math.random() < 0.3 && chosen.length > 0 ? `&${name}=${chosen.join(',')}` : ''
  }
  const filters = some('repository_ids', [...repositories, 'none']) + some('user_ids', [...authors, 'none'])
  return {
    key,
    query: `${window}${filters}${pick(selectors)}`,
    keys: groupKeys.filter(() => Math.random() < 0.4),
    format: pick(['json', 'json', 'csv']),
  }
}

import { apiQuery } from '../../api/query.ts'

const PAGE_SIZE = 100

export function keysQuery(organization: string, cursor?: string) {
  return apiQuery(organization, '/v1/keys', {
    query: { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
  })
}

/** Roles belong to one organization: `all` has none. */
export function rolesQuery(organization: string) {
  return apiQuery(organization, '/v1/roles', {
    query: { include_permissions: true, include_user_count: true },
  })
}

export function permissionsQuery(organization: string) {
  return apiQuery(organization, '/v1/roles/permissions', {})
}

import { queryOptions } from '@tanstack/react-query'
import { client, organizationHeaders } from './client.ts'

export interface Repository {
  /** Assigned by the Git provider: what other endpoints call `repository_id`. */
  readonly id: string
  readonly name: string
}

/** Every repository of the organization. */
export function repositoriesQuery(organization: string) {
  return queryOptions<readonly Repository[]>({
    queryKey: [organization, 'repositories'],
    queryFn: async ({ signal }) => {
      const repositories: Repository[] = []
      const path = '/v1/organizations/{organization_id}/repositories'
      const headers = organizationHeaders(organization)
      const options = { params: { organization_id: organization }, query: { limit: 100 }, headers, signal }
      for await (const { provider_repository_id: id, name } of client.items(path, options))
        repositories.push({ id, name })
      return repositories.sort((a, b) => a.name.localeCompare(b.name))
    },
    staleTime: 300_000,
  })
}

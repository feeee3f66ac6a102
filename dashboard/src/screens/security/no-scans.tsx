import { useQuery } from '@tanstack/react-query'
import { apiQuery, sessionQuery } from '../../api/query.ts'
import { serviceUrl } from '../../base.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Command, Empty } from '../../ui/load.tsx'

/** No scan was ever sent: the command has the IDs of this organization. */
export function NoScans() {
  const organization = useOrganization()
  const session = useQuery(sessionQuery)
  const repositories = useQuery({
    ...apiQuery(organization, '/v1/organizations/{organization_id}/repositories', {
      params: { organization_id: organization },
      query: { limit: 1 },
    }),
    enabled: organization !== 'all',
  })
  const one = session.data?.organizations.find(({ id }) => id === organization)
  const repository = repositories.data?.repositories[0]
  return (
    <Empty title="No security scan has arrived yet">
      <p>
        Security tools write SARIF files. Create an ingest credential, put it in{' '}
        <code>SCHOLIAST_INGEST_KEY</code>, and send the file of a scan
        {repository === undefined ? '' : ` of ${repository.name}`}:
      </p>
      <Command>
        {renderUpload({
          provider: one?.provider ?? 'github',
          org_id: one?.provider_organization_id ?? 'ORGANIZATION',
          repo_id: repository?.provider_repository_id ?? 'REPOSITORY',
        })}
      </Command>
      <p>
        {one === undefined || repository === undefined
          ? 'ORGANIZATION and REPOSITORY are the IDs that the Git provider assigned. '
          : ''}
        A complete scan also says what was fixed. The findings appear here a few seconds later.
      </p>
    </Empty>
  )
}

function renderUpload(ids: Readonly<Record<'provider' | 'org_id' | 'repo_id', string>>): string {
  return `curl -X POST '${new URL(`ingest/v1/sarif?${new URLSearchParams(ids)}`, serviceUrl).href}' \\
  -H "x-service-api-key: $SCHOLIAST_INGEST_KEY" -H 'content-type: application/sarif+json' \\
  --data-binary @scan.sarif`
}

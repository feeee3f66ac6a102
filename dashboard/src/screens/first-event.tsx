import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { selfQuery, sessionQuery } from '../api/query.ts'
import { useOrganization } from '../frame/use-organization.ts'
import { Command } from '../ui/load.tsx'
import { renderIngestCommand } from './ingest-command.ts'

/** A command that sends a merged pull request with one finding, of a repository that it adds. */
export function FirstEvent() {
  const organization = useOrganization()
  const { data } = useQuery(sessionQuery)
  const { data: self } = useQuery(selfQuery(organization))
  const [now] = useState(() => new Date().toISOString())
  const here = data?.organizations.find(({ id }) => id === organization)
  const named = {
    provider: here?.provider ?? 'github',
    id: here?.provider_organization_id ?? 'ORGANIZATION_ID',
  }
  return (
    <>
      <Command>{renderIngestCommand(createEvents(named, now))}</Command>
      <p>The finding appears within seconds; reload the page. An operator creates the credential:</p>
      {self === undefined ? null : (
        <Command>
          {`npm run admin -- key create --root ${quote(self.tenant_root.name)} --kind ingest --name 'First event'`}
        </Command>
      )}
    </>
  )
}

/** One word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A second event with the same ID would be ignored, so the time is a part of it. */
function createEvents(
  organization: { readonly provider: string; readonly id: string },
  now: string,
): readonly object[] {
  const url = 'https://git.example.com/first-repository/pull/1'
  const event = (type: string, payload: object) => ({
    id: `${type}-${now}`,
    type,
    version: 1,
    occurred_at: now,
    payload,
  })
  return [
    event('inventory.changed', { repositories: [{ organization, id: '1', name: 'first-repository' }] }),
    event('pull_request.finalized', {
      organization,
      repository: { id: '1' },
      number: 1,
      url,
      status: 'merged',
      author: { id: '1', username: 'a-developer' },
      merged_at: now,
      findings: [{ id: '1', url: `${url}#comment-1`, severity: 'major', category: 'functional_correctness' }],
    }),
  ]
}

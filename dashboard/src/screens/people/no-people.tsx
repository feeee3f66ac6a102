import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQuery } from '../../api/query.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Command, Empty } from '../../ui/load.tsx'
import { renderIngestCommand } from '../ingest-command.ts'

/** People come from the Git provider: nobody is added here. */
export function NoPeople() {
  const organization = useOrganization()
  const { data } = useQuery(sessionQuery)
  const [now] = useState(() => new Date().toISOString())
  const here = data?.organizations.find(({ id }) => id === organization)
  return (
    <Empty title="Nobody is here yet">
      <p>
        People and their memberships come from your Git provider. A connector reports them; to add one by
        hand, send an inventory event with an ingest credential:
      </p>
      <Command>
        {renderInventoryCommand(
          here?.provider ?? 'github',
          here?.provider_organization_id ?? 'ORGANIZATION_ID',
          now,
        )}
      </Command>
      <p>
        Replace the account, name and e-mail with those of a member. If your Git provider is not in its cloud,
        add its <code>host</code> beside each <code>provider</code>. They appear within seconds.
      </p>
    </Empty>
  )
}

/** A second event with the same ID would be ignored, so the time is a part of it. */
function renderInventoryCommand(provider: string, id: string, now: string): string {
  const event = {
    id: `person-${now}`,
    type: 'inventory.changed',
    version: 1,
    occurred_at: now,
    payload: {
      accounts: [
        {
          provider,
          id: '121358802',
          username: 'rmoreno',
          email: 'rafael.moreno@example.com',
          name: 'Rafael Moreno',
        },
      ],
      memberships: [{ organization: { provider, id }, account_id: '121358802' }],
    },
  }
  return renderIngestCommand([event])
}

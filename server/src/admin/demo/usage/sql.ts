import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'

/** A pull request of the demo, as a sender names it. */
export interface SeededPullRequest {
  readonly provider: string
  readonly host: string
  readonly provider_organization_id: string
  readonly repository_id: string
  readonly number: number
  readonly event_id: string
}

const seededPullRequests = statement(
  'demo.seeded-pull-requests',
  `select provider, host, provider_organization_id, repository_id, number, event_id from pull_request
   where root_id = $1 and starts_with(event_id, $2) order by position`,
)

const toldUsage = statement(
  'demo.told-usage',
  `select from mcp_event where root_id = $1 and provider = $2 and host = $3 and repository_id = $4 and number = $5
     and event_id = $6`,
)

/** Those whose event's id begins so, in the order of writing. */
export function readSeeded(scope: Scope, tx: Tx, prefix: string): Promise<SeededPullRequest[]> {
  return tx.query<SeededPullRequest & object>(seededPullRequests, [scope.root, prefix])
}

export async function isTold(
  scope: Scope,
  tx: Tx,
  { provider, host, repository_id, number }: SeededPullRequest,
  eventId: string,
): Promise<boolean> {
  const values = [scope.root, provider, host, repository_id, number, eventId]
  return (await tx.query(toldUsage, values)).length > 0
}

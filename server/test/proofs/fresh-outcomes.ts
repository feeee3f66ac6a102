import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootScope } from '../../src/access/scope.ts'
import { connect } from '../../src/db/connect.ts'
import { readScoped } from '../../src/db/transaction.ts'
import type { ConnectorId, RootId } from '../../src/ids.ts'
import { GitWorkspaces } from '../../src/resources/connectors/git/workspaces.ts'
import { resolveAllowed } from '../../src/resources/connectors/git-providers/request.ts'
import { parseReview } from '../../src/resources/connectors/parsers/parse-review.ts'
import { readSyncedConnector } from '../../src/resources/connectors/sync/connector-sql.ts'
import { createClients } from '../../src/resources/connectors/sync/create-client.ts'
import { createGitDetector } from '../../src/resources/connectors/sync/detect.ts'
import { readConnectorHosts } from '../../src/settings/connector-hosts.ts'
import { connectorRing } from '../connectors/test-sync.ts'
import type { TestDatabase } from '../database.ts'

export interface FreshRead {
  readonly database: TestDatabase
  readonly root: RootId
  readonly connector: string
  /** Origin of the forge. */
  readonly origin: string
  readonly now: () => Date
}

export interface FreshOutcome {
  readonly findingId: string
  readonly accepted: boolean | null
  readonly source: string
  readonly rule: string
}

interface NamedPullRequest {
  readonly repositoryId: number
  readonly repository: string
  readonly number: number
}

/** Reads pull requests with the credential of a connector, as a worker does that never read them. */
export async function readFreshOutcomes(
  { database, root, connector: id, origin, now }: FreshRead,
  pullRequests: readonly NamedPullRequest[],
): Promise<FreshOutcome[]> {
  const scope = rootScope(root)
  const pool = connect({ url: database.urls.worker, name: 'proof', connections: 2 })
  const directory = await mkdtemp(join(tmpdir(), 'scholiast-fresh-'))
  try {
    const connector = await readScoped(pool, scope, (tx) => readSyncedConnector(scope, tx, id as ConnectorId))
    if (connector === null) throw new Error('The connector was not found.')
    const hosts = readConnectorHosts([origin], [], [])
    const { createClient } = createClients({ database: pool, keys: connectorRing, hosts, now })
    const client = createClient(connector, 'live')
    const workspaces = await GitWorkspaces.open({ directory, allowHttp: true })
    const detect = createGitDetector(workspaces, (url) => resolveAllowed(url, { hosts }))
    const options = { failures: 0, recordGitError: () => Promise.resolve() }
    const outcomes: FreshOutcome[] = []
    for (const { repositoryId, repository: fullName, number } of pullRequests) {
      const repository = { id: String(repositoryId), fullName, isPrivate: true }
      const snapshot = await client.readPullRequest(repository, number)
      if (snapshot === null) throw new Error(`${fullName} has no pull request ${number}.`)
      outcomes.push(...(await detect(connector, client, snapshot, parseReview(snapshot), options)))
    }
    return outcomes
  } finally {
    await pool.end()
    await rm(directory, { recursive: true, force: true })
  }
}

import type { ParsedReview } from '../finding.ts'
import type { ForgeClient } from '../forge/forge-client.ts'
import type { GitWorkspaces } from '../git/workspaces.ts'
import { createOutcomeDetector, type KnownOutcomes } from '../outcomes/detect.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import type { SyncContext } from './context.ts'

/** Of one pull request: the outcomes of further findings are left to the other rules. */
const MAX_ALERTS = 50

/**
 * Detects outcomes with a clone of the repository that is removed afterwards. `resolve` returns the addresses that git may
 * connect to, and throws if the host is not allowed.
 */
export function createGitDetector(
  workspaces: GitWorkspaces,
  resolve: (url: string) => Promise<readonly string[]>,
): SyncContext['detectOutcomes'] {
  const detect = createOutcomeDetector()
  return async (connector, client, snapshot, review) => {
    if (review.findings.length === 0) return []
    const alerts = await readClosedAlerts(client, snapshot, review)
    const credential = await client.getCloneCredential(snapshot.repository)
    const remote = { ...credential, addresses: await resolve(credential.url) }
    const kind = connector.provider === 'github' ? 'pull' : 'merge-requests'
    const headRefs = [`refs/${kind}/${snapshot.number}/head`]
    return workspaces.withRepository(connector.root, remote, headRefs, (git) =>
      detect(snapshot, review, git, { verdicts: new Map(), alerts }),
    )
  }
}

/** The alerts that comments of code scanning are about, by the id of the finding, if they are not open any more. */
export async function readClosedAlerts(
  client: ForgeClient,
  { repository }: PullRequestSnapshot,
  { findings }: ParsedReview,
): Promise<KnownOutcomes['alerts']> {
  const closed = new Map<string, { readonly state: 'dismissed' | 'fixed'; readonly at: string | null }>()
  const named = findings.filter(({ reviewer, botKey }) => reviewer === 'codeql' && botKey !== null)
  for (const { id, botKey } of named.slice(0, MAX_ALERTS)) {
    const alert = await client.readCodeScanningAlert(repository, Number(botKey))
    if (alert === null || alert.state === 'open') continue
    const at = alert.state === 'fixed' ? alert.fixedAt : alert.dismissedAt
    closed.set(id, { state: alert.state, at })
  }
  return closed
}

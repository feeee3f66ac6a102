import type { GitWorkspaces } from '../git/workspaces.ts'
import { createOutcomeDetector } from '../outcomes/detect.ts'
import type { SyncContext } from './context.ts'

/** Detects outcomes with a clone of the repository that is removed afterwards. */
export function createGitDetector(workspaces: GitWorkspaces): SyncContext['detectOutcomes'] {
  const detect = createOutcomeDetector()
  return async (connector, client, snapshot, review) => {
    if (review.findings.length === 0) return []
    const remote = await client.getCloneCredential(snapshot.repository)
    const kind = connector.provider === 'github' ? 'pull' : 'merge-requests'
    const headRefs = [`refs/${kind}/${snapshot.number}/head`]
    return workspaces.withRepository(connector.root, remote, headRefs, (git) => detect(snapshot, review, git))
  }
}

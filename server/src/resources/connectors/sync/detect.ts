import type { Embedder } from '../../../text/embed/embedder.ts'
import type { ParsedReview } from '../finding.ts'
import { GitError } from '../git/git-error.ts'
import type { GitRepository } from '../git/repository.ts'
import type { GitWorkspaces } from '../git/workspaces.ts'
import { canWrite, type ProviderClient } from '../git-providers/provider-client.ts'
import { createOutcomeDetector, type KnownAlert, type KnownOutcomes, listVoices } from '../outcomes/detect.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import type { SyncContext, SyncedConnector } from './context.ts'

/** Limit per pull request: the outcomes of further findings are left to the other rules. */
const MAX_ALERTS = 50
/** People per pull request whose permission is read. The thumbs and commands of others do not count. */
const MAX_VOICES = 20
/** After so many failures in a row, which take a quarter of an hour, outcomes are decided without the code. */
const MAX_GIT_FAILURES = 4

/**
 * Detects outcomes with a clone of the repository that is removed afterwards. `resolve` returns the addresses that git may
 * connect to, and throws if the host is not allowed. `embedder` is the local model: replies are compared without redaction.
 */
export function createGitDetector(
  workspaces: GitWorkspaces,
  resolve: (url: string) => Promise<readonly string[]>,
  embedder: Embedder | null = null,
): SyncContext['detectOutcomes'] {
  const detect = createOutcomeDetector(embedder)
  return async (connector, client, snapshot, review, { failures, signal, recordGitError }) => {
    if (review.findings.length === 0) return []
    const alerts = await readAlerts(client, snapshot, review)
    const known = { verdicts: new Map(), alerts, outsiders: await findOutsiders(client, snapshot) }
    const credential = await client.getCloneCredential(snapshot.repository)
    const remote = { ...credential, addresses: await resolve(credential.url) }
    const kind = connector.provider === 'github' ? 'pull' : 'merge-requests'
    const headRefs = [`refs/${kind}/${snapshot.number}/head`]
    const read = async (git: GitRepository) => {
      const earlier = git.calls
      try {
        const outcomes = await detect(snapshot, review, git, known)
        if (git.calls > earlier) await recordGitError(null)
        return outcomes
      } catch (error) {
        if (!(error instanceof GitError) || !isLasting(error, failures)) throw error
        await recordGitError(describeGitError(connector, error))
        return await detect(snapshot, review, null, known)
      }
    }
    return workspaces.withRepository(connector.root, remote, headRefs, read, signal)
  }
}

/** An outage passes: the pull request is read again then. */
function isLasting({ failure }: GitError, failures: number): boolean {
  return failure === 'credential_rejected' || failure === 'not_found' || failures >= MAX_GIT_FAILURES
}

function describeGitError({ provider, host }: SyncedConnector, { failure }: GitError): string {
  const effect = 'Pull requests are reported, but outcomes that need the code stay unknown.'
  if (failure !== 'credential_rejected' && failure !== 'not_found')
    return `git cannot read a repository at ${host}. ${effect}`
  return provider === 'gitlab'
    ? `${host} does not let git read a repository. ${effect} Connect again with a token that has the scopes read_api and read_repository.`
    : `${host} does not let git read a repository. ${effect} Give the App the permission to read contents.`
}

/** People whose thumbs and commands do not count: they may not write to the repository. */
async function findOutsiders(client: ProviderClient, snapshot: PullRequestSnapshot): Promise<Set<string>> {
  const voices = new Map(listVoices(snapshot).map((user) => [user.id, user]))
  const outsiders = new Set(voices.keys())
  for (const user of [...voices.values()].slice(0, MAX_VOICES))
    if (canWrite(await client.readPermission(snapshot.repository, user))) outsiders.delete(user.id)
  return outsiders
}

/** The alerts that comments of code scanning are about, by the id of the finding. */
export async function readAlerts(
  client: ProviderClient,
  { repository }: PullRequestSnapshot,
  { findings }: ParsedReview,
): Promise<KnownOutcomes['alerts']> {
  const alerts = new Map<string, KnownAlert>()
  const named = findings.filter(({ reviewer, botKey }) => reviewer === 'codeql' && botKey !== null)
  for (const { id, botKey } of named.slice(0, MAX_ALERTS)) {
    const alert = await client.readCodeScanningAlert(repository, Number(botKey))
    if (alert === null) continue
    const { state, fixedAt, dismissedAt } = alert
    alerts.set(id, { state, at: state === 'open' ? null : state === 'fixed' ? fixedAt : dismissedAt })
  }
  return alerts
}

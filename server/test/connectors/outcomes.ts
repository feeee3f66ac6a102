// What the proof of outcomes needs of the server.
import { defaultGitLimits } from '../../src/resources/connectors/git/limits.ts'
import { GitRepository } from '../../src/resources/connectors/git/repository.ts'

export type { ParsedFinding } from '../../src/resources/connectors/finding.ts'
export type { FilePair, GitReader } from '../../src/resources/connectors/git/git-reader.ts'
export { GitWorkspaces } from '../../src/resources/connectors/git/workspaces.ts'
export {
  createOutcomeDetector,
  type OutcomeDetector,
} from '../../src/resources/connectors/outcomes/detect.ts'
export { createReplyClassifier, createReplyReader } from '../../src/resources/connectors/outcomes/reply.ts'
export { createDeclineFinder } from '../../src/resources/connectors/outcomes/similar-replies.ts'
export type {
  ProviderComment,
  ProviderUser,
  PullRequestSnapshot,
  ReviewThread,
} from '../../src/resources/connectors/snapshot.ts'
export { localEmbedder } from '../local-embedder.ts'
export { serveRepositories } from './git-server.ts'

/** Reads a bare repository of this machine. Close it. */
export function openLocalRepository(directory: string): Promise<GitRepository> {
  const limits = { ...defaultGitLimits, timeoutMs: 20 * 60_000, readBytes: 1024 ** 3 }
  return GitRepository.create({ directory, remote: null, headRefs: [], limits, allowHttp: false })
}

import { rootScope } from '../../../access/scope.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { CredentialRejectedError, NotFoundError } from '../git-providers/provider-client.ts'
import { type WriteClient, WriteRefusedError } from '../git-providers/write-client.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import type { SyncedConnector, WriteBack } from '../sync/context.ts'
import { answerCommands } from './answer-commands.ts'
import { writeCheckRun } from './check-run.ts'
import type { ApplyingLearning, WriteBackContext } from './context.ts'
import { recordWriteBackError } from './sql.ts'

const MAX_MESSAGES = 50
const MAX_MESSAGE_CHARACTERS = 200

/** Writes to private repositories of connectors that opted in. Reading does not depend on whether the Git provider accepts a write. */
export function createWriteBack(context: WriteBackContext): WriteBack {
  return async (connector, client, snapshot, signal) => {
    if (!connector.writeBack || !snapshot.repository.isPrivate) return
    const scope = rootScope(connector.root)
    const record = (error: string | null) =>
      inTransaction(context.database, scope, (tx) => recordWriteBackError(scope, tx, connector.id, error))
    try {
      const writer = context.createWriteClient(connector, signal)
      const findLearnings = createFinder(context, connector, writer, snapshot)
      await answerCommands(context, { connector, client, writer, snapshot, findLearnings })
      await writeCheckRun(context, connector, writer, snapshot, findLearnings)
      await record(null)
    } catch (error) {
      if (error instanceof CredentialRejectedError || error instanceof NotFoundError)
        return await record(describeRefusal(connector))
      if (!(error instanceof WriteRefusedError)) throw error
      const { id, root } = connector
      context.log.warn({ connector: id, root, number: snapshot.number }, error.message)
    }
  }
}

/** Searches at most once for each read of a pull request. */
function createFinder(
  { findLearnings }: WriteBackContext,
  { root, organization }: SyncedConnector,
  writer: WriteClient,
  { repository, number, commits }: PullRequestSnapshot,
): () => Promise<readonly ApplyingLearning[]> {
  let found: Promise<readonly ApplyingLearning[]> | null = null
  const find = async () => {
    const files = await writer.listChangedFiles(repository, number)
    const text = commits
      .slice(-MAX_MESSAGES)
      .map(({ message }) => message.slice(0, MAX_MESSAGE_CHARACTERS))
      .join('\n')
    return await findLearnings({ root, organization, repositoryId: repository.id, files, text })
  }
  return () => {
    found ??= find()
    return found
  }
}

function describeRefusal({ host }: SyncedConnector): string {
  return (
    `${host} does not let the App write. Give it the permissions to write checks and pull requests, or delete this connector and ` +
    'connect again without write_back. Reading goes on.'
  )
}

import { rootScope } from '../../../access/scope.ts'
import { inTransaction, readScoped } from '../../../db/transaction.ts'
import { DAY_MS } from '../../../time.ts'
import { canWrite, type ForgeClient } from '../forge/forge-client.ts'
import type { WriteClient } from '../forge/write-client.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import type { SyncedConnector } from '../sync/context.ts'
import { hasReply, renderProposed, renderReply } from './command-reply.ts'
import { type Command, listCommands } from './commands.ts'
import { type HandledCommand, readCommands, sweepCommands, writeCommand } from './commands-sql.ts'
import type { ApplyingLearning, WriteBackContext } from './context.ts'
import { renderLearnings } from './render.ts'

/** A backfill must not reply to old comments. */
const MAX_AGE_MS = DAY_MS
/** Of one pull request in a day: so many are carried out, and so many are looked at for one account. */
const MAX_COMMANDS = 20

interface Conversation {
  readonly connector: SyncedConnector
  readonly client: ForgeClient
  readonly writer: WriteClient
  readonly snapshot: PullRequestSnapshot
  readonly findLearnings: () => Promise<readonly ApplyingLearning[]>
}

/** Carries out the commands of people with write access, each once. Others get no reply. */
export async function answerCommands(context: WriteBackContext, conversation: Conversation): Promise<void> {
  const { database, now } = context
  const { connector, client, snapshot } = conversation
  const scope = rootScope(connector.root)
  const oldest = Math.max(Date.parse(connector.createdAt), now().getTime() - MAX_AGE_MS)
  const commands = listCommands(snapshot, new Date(oldest))
  if (commands.length === 0) return
  const pullRequest = { repository: snapshot.repository.id, number: snapshot.number }
  const known = await readScoped(database, scope, (tx) =>
    readCommands(scope, tx, connector.id, pullRequest, new Date(now().getTime() - MAX_AGE_MS)),
  )
  const record = async (command: Command, outcome: HandledCommand['outcome']) => {
    const { key, author } = command
    const handled = { key, authorId: author.id, outcome }
    await inTransaction(database, scope, async (tx) => {
      await writeCommand(scope, tx, connector.id, pullRequest, handled, now())
      await sweepCommands(scope, tx, connector.id, new Date(now().getTime() - 2 * MAX_AGE_MS))
    })
    known.set(key, handled)
  }
  for (const command of commands) {
    const earlier = known.get(command.key)
    // One that a killed worker had started is carried out again.
    if (earlier === undefined ? isTooMany(known, command) : earlier.outcome !== 'started') continue
    if (!canWrite(await client.readPermission(snapshot.repository, command.author))) {
      await record(command, 'refused')
      continue
    }
    await record(command, 'started')
    if (!hasReply(command, snapshot)) await reply(conversation, command)
    await record(command, 'done')
  }
}

function isTooMany(known: ReadonlyMap<string, HandledCommand>, { author }: Command): boolean {
  const all = [...known.values()]
  const carriedOut = all.filter(({ outcome }) => outcome !== 'refused')
  const ofAuthor = all.filter(({ authorId }) => authorId === author.id)
  return carriedOut.length >= MAX_COMMANDS || ofAuthor.length >= MAX_COMMANDS
}

/** What is to be remembered is proposed by sync/propose-instructions.ts, from the same read and under the same condition. */
async function reply({ writer, snapshot, findLearnings }: Conversation, command: Command): Promise<void> {
  const { repository, number } = snapshot
  if (!(await writer.isPrivate(repository))) return
  const content =
    command.kind === 'why' ? renderLearnings(await findLearnings()) : renderProposed(command.text)
  await writer.createComment(repository, number, renderReply(command, snapshot, content))
}

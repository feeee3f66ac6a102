import { rootScope } from '../../../access/scope.ts'
import { inTransaction, readScoped } from '../../../db/transaction.ts'
import { DAY_MS } from '../../../time.ts'
import { canWrite, type ProviderClient } from '../git-providers/provider-client.ts'
import type { WriteClient } from '../git-providers/write-client.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import type { SyncedConnector } from '../sync/context.ts'
import { type Command, listCommands } from './commands.ts'
import type { ApplyingLearning, WriteBackContext } from './context.ts'
import { renderLearnings } from './render.ts'
import { type HandledCommand, readCommands, sweepCommands, writeCommand } from './sql.ts'

/** What a reply says quotes no comment. A hidden first line names the command, so that it gets one reply only. */
function renderReply(command: Command, { url }: PullRequestSnapshot, content: string): string {
  const isLink = command.url.startsWith(url) && /^https?:\/\/[\w.:/#-]{1,500}$/.test(command.url)
  const about = isLink ? `Reply to [this comment](${command.url}).` : 'Reply to a command.'
  return `${toMarker(command)}\n${about}\n\n${content}`
}

function toMarker({ key }: Command): string {
  return `<!-- scholiast-reply: ${key} -->`
}

/** Whether a reply was written, although a killed worker could not store it. */
function hasReply(command: Command, { comments }: PullRequestSnapshot): boolean {
  const marker = toMarker(command)
  return comments.some(({ user, body }) => user?.isBot === true && body.startsWith(marker))
}

const proposed = 'Proposed as a Learning of this repository. It waits until an admin approves it.'
const redacted =
  'Something that looks like a secret was removed from the text. If it is one, revoke it: the comment still has it.'

function renderProposed(text: string): string {
  return text.includes('[REDACTED:') ? `${proposed}\n\n${redacted}` : proposed
}

/** A backfill must not reply to old comments. */
const MAX_AGE_MS = DAY_MS
/** Daily limit per pull request: how many are carried out, and how many of one account are considered. */
const MAX_COMMANDS = 20

interface Conversation {
  readonly connector: SyncedConnector
  readonly client: ProviderClient
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

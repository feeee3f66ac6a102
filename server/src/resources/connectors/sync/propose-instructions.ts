import { createHash } from 'node:crypto'
import { rootScope, type Scope } from '../../../access/scope.ts'
import { inTransaction, readScoped, type Tx } from '../../../db/transaction.ts'
import { DAY_MS } from '../../../time.ts'
import { toPath } from '../event-values.ts'
import { canWrite, type ProviderClient } from '../git-providers/provider-client.ts'
import type { ChatInstruction } from '../parsers/chat.ts'
import type { ProviderUser, PullRequestSnapshot } from '../snapshot.ts'
import type { SyncContext, SyncedConnector } from './context.ts'
import { toOrganizationRef } from './events.ts'
import {
  countProposed,
  deleteWaitingInstructions,
  type InstructionState,
  readKnownInstructions,
  writeInstructions,
} from './instructions-sql.ts'

/** Limits per repository in 24 hours. Older instructions have a lower one, so that a backfill does not flood the queue. */
const MAX_PER_DAY = 100
const MAX_EARLIER_PER_DAY = 10
const EARLIER_MS = 30 * DAY_MS
/** Accounts whose permission is read for one pull request; the instructions of others wait. */
const MAX_AUTHORS = 20

interface Instruction extends ChatInstruction {
  readonly digest: Buffer
}

/**
 * Proposes what people with write access told a bot to remember, each instruction once. It is sent before it is recorded: the id
 * of its event derives from its digest, so that a second one has no effect.
 */
export async function proposeInstructions(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
  snapshot: PullRequestSnapshot,
  instructions: readonly ChatInstruction[],
): Promise<void> {
  const scope = rootScope(connector.root)
  const { number } = snapshot
  const key = { organization: connector.organization, repository: snapshot.repository.id }
  const found = selectProposals(instructions)
  const digests = toDigests(found)
  const known = await readScoped(sync.database, scope, (tx) =>
    readKnownInstructions(scope, tx, key, number, digests),
  )
  const decided = new Set(
    known.filter(({ state }) => state !== 'waiting').map(({ digest }) => digest.toString('hex')),
  )
  const undecided = found.filter(({ digest }) => !decided.has(digest.toString('hex')))
  if (undecided.length === 0 && known.every(({ state }) => state !== 'waiting')) return
  const lists = await decideInstructions(sync, connector, client, snapshot, undecided)
  const toProposal = (one: Instruction) => toEvent(connector, snapshot, one)
  if (lists.proposed.length > 0) await sync.sendEvents(connector, lists.proposed.map(toProposal))
  await inTransaction(sync.database, scope, async (tx) => {
    for (const [state, list] of Object.entries(lists) as [InstructionState, readonly Instruction[]][]) {
      const decision = { number, state, at: sync.now() }
      await writeInstructions(scope, tx, key, toDigests(list), decision)
    }
    await deleteWaitingInstructions(scope, tx, key, number, digests)
  })
}

const toDigests = (list: readonly Instruction[]) => list.map(({ digest }) => digest)

/** A pull request that is gone has none any more. */
export async function forgetInstructions(
  scope: Scope,
  tx: Tx,
  { organization }: SyncedConnector,
  { repository, number }: { readonly repository: { readonly id: string }; readonly number: number },
): Promise<void> {
  await deleteWaitingInstructions(scope, tx, { organization, repository: repository.id }, number, [])
}

type Decided = Readonly<Record<InstructionState, readonly Instruction[]>>

async function decideInstructions(
  sync: SyncContext,
  { root, organization }: SyncedConnector,
  client: ProviderClient,
  snapshot: PullRequestSnapshot,
  undecided: readonly Instruction[],
): Promise<Decided> {
  const scope = rootScope(root)
  const { allowed, refused } = await checkAuthors(client, snapshot, undecided)
  const at = sync.now()
  const since = new Date(at.getTime() - DAY_MS)
  const key = { organization, repository: snapshot.repository.id }
  const count = await readScoped(sync.database, scope, (tx) => countProposed(scope, tx, key, since))
  const proposed = selectForToday(allowed, count, at)
  const decided = new Set([...proposed, ...refused])
  const waiting = undecided.filter((one) => !decided.has(one))
  return { proposed, refused, waiting }
}

function selectProposals(instructions: readonly ChatInstruction[]): Instruction[] {
  const all = instructions
    .filter(({ kind }) => kind === 'remember')
    .map((one) => ({ ...one, digest: computeInstructionDigest(one) }))
  return [...new Map(all.map((one) => [one.digest.toString('hex'), one])).values()]
}

function computeInstructionDigest({ commentId, text }: ChatInstruction): Buffer {
  return createHash('sha256').update(`${commentId}\n${text}`).digest()
}

/** Whether somebody may write is read when an instruction is first seen, and once for each account. */
async function checkAuthors(
  client: ProviderClient,
  { repository }: PullRequestSnapshot,
  instructions: readonly Instruction[],
): Promise<{ readonly allowed: readonly Instruction[]; readonly refused: readonly Instruction[] }> {
  const authors = new Map<string, ProviderUser>(instructions.map(({ author }) => [author.id, author]))
  const [writers, others] = [new Set<string>(), new Set<string>()]
  for (const author of [...authors.values()].slice(0, MAX_AUTHORS)) {
    const permission = await client.readPermission(repository, author)
    if (canWrite(permission)) writers.add(author.id)
    else others.add(author.id)
  }
  return {
    allowed: instructions.filter(({ author }) => writers.has(author.id)),
    refused: instructions.filter(({ author }) => others.has(author.id)),
  }
}

/** `count` were proposed in the last 24 hours. */
function selectForToday(instructions: readonly Instruction[], count: number, at: Date): Instruction[] {
  const isEarlier = (one: Instruction) => at.getTime() - Date.parse(one.at) > EARLIER_MS
  const recent = instructions.filter((one) => !isEarlier(one)).slice(0, Math.max(0, MAX_PER_DAY - count))
  const left = Math.max(0, MAX_EARLIER_PER_DAY - count - recent.length)
  return [...recent, ...instructions.filter(isEarlier).slice(0, left)]
}

function toEvent(connector: SyncedConnector, snapshot: PullRequestSnapshot, instruction: Instruction) {
  const { digest, text, file, url, author, at } = instruction
  return {
    id: `chat-${digest.toString('hex').slice(0, 40)}`,
    type: 'learning.proposed',
    version: 1,
    occurred_at: new Date(at).toISOString(),
    payload: {
      organization: toOrganizationRef(connector),
      repository_id: snapshot.repository.id,
      learning: text,
      file: toPath(file),
      source_url: /^https?:\/\/[^\s@]{1,2000}$/.test(url) ? url : null,
      author: { id: author.id, username: author.login },
      source: 'connector',
      pull_request: { number: snapshot.number },
    },
  }
}

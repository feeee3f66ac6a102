import { createHash } from 'node:crypto'
import { rootScope } from '../../../access/scope.ts'
import { inTransaction, readScoped } from '../../../db/transaction.ts'
import { DAY_MS, HOUR_MS } from '../../../time.ts'
import type { WriteClient } from '../git-providers/write-client.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import type { SyncedConnector } from '../sync/context.ts'
import type { ApplyingLearning, WriteBackContext } from './context.ts'
import { renderCheckRun } from './render.ts'
import { countCheckRuns, forgetCheckRun, readCheckRun, storeCheckRun } from './sql.ts'

/** A pull request that nobody works on gets no check run. */
const ACTIVE_MS = 7 * DAY_MS
/** Limit per connector. GitHub allows 500 writes an hour; replies need the rest. */
const MAX_CHECK_RUNS_PER_HOUR = 300

/** Lists the Learnings that apply to an open pull request at its head, and writes only if the list has changed. */
export async function writeCheckRun(
  { database, now }: Pick<WriteBackContext, 'database' | 'now'>,
  connector: SyncedConnector,
  writer: WriteClient,
  snapshot: PullRequestSnapshot,
  findLearnings: () => Promise<readonly ApplyingLearning[]>,
): Promise<void> {
  const { repository, number, headSha, state, updatedAt } = snapshot
  const scope = rootScope(connector.root)
  const key = { repository: repository.id, number }
  const at = now()
  if (state !== 'open')
    return await inTransaction(database, scope, (tx) => forgetCheckRun(scope, tx, connector.id, key))
  if (Date.parse(updatedAt) < at.getTime() - ACTIVE_MS) return
  const learnings = await findLearnings()
  const output = renderCheckRun(learnings)
  const digest = createHash('sha256').update(JSON.stringify(output)).digest()
  const hourAgo = new Date(at.getTime() - HOUR_MS)
  const { written, writtenLately } = await readScoped(database, scope, async (tx) => ({
    written: await readCheckRun(scope, tx, connector.id, key),
    writtenLately: await countCheckRuns(scope, tx, connector.id, hourAgo),
  }))
  const current = written?.headSha === headSha ? written : null
  const isCurrent = current === null ? learnings.length === 0 : current.digest.equals(digest)
  if (isCurrent || writtenLately >= MAX_CHECK_RUNS_PER_HOUR) return
  if (!(await writer.isPrivate(repository))) return
  const externalId = `scholiast/${connector.id}/${number}`
  // A worker that was killed after it wrote has stored nothing.
  const known = current?.id ?? (await writer.findCheckRun(repository, headSha, externalId))
  if (known !== null) await writer.updateCheckRun(repository, known, output)
  const id = known ?? (await writer.createCheckRun(repository, { commit: headSha, externalId, output }))
  await inTransaction(database, scope, (tx) =>
    storeCheckRun(scope, tx, connector.id, key, { headSha, id, digest }, now()),
  )
}

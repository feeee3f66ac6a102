import type { Item, Result } from '@scholiast/sdk'
import { type Command, Option } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { readInput } from '../files.ts'
import { parseCount } from '../numbers.ts'
import type { Column } from '../output.ts'
import { confirm } from '../prompt.ts'

type PendingLearning = Item<'/v1/learnings/pending'>
type DecisionResult = Result<'post', '/v1/learnings/approvals'>['results'][number]
type Decision = 'approve' | 'disapprove'

interface PendingOptions {
  readonly repo?: string
  readonly source?: 'chat' | 'review' | 'agent' | 'connector'
  readonly limit: number
}

interface DecideOptions {
  readonly fromFile?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

const MAX_PAGE_SIZE = 200
/** Larger requests may exceed the time that the server has for one under load. */
const BATCH_SIZE = 50
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function addPendingCommands(learnings: Command, context: CliContext): void {
  const pending = learnings
    .command('pending')
    .description('List Learnings that are waiting for approval, oldest proposal first (needs an Admin’s key)')
    .option('--repo <id>', 'repository: its ID at the Git provider (default: all)')
    .addOption(
      new Option('--source <source>', 'where the proposal comes from').choices([
        'chat',
        'review',
        'agent',
        'connector',
      ]),
    )
    .option('--limit <count>', 'at most this many', parseCount, 100)
    .action((options: PendingOptions) => listPending(context, options))
  addExamples(pending, [
    { command: 'scholiast learnings pending', explains: 'What is waiting, from whom and until when' },
    {
      command: 'scholiast learnings pending --source agent > proposals.txt',
      explains: 'To a file: delete lines, then use it with --from-file',
    },
  ])
  addDecisionCommand(learnings, context, 'approve', [
    {
      command: 'scholiast learnings approve 0b9f6b1e-3c44-5f0e-9d0f-5d1f6a3f2c11',
      explains: 'Share one Learning',
    },
    {
      command: 'scholiast learnings approve --from-file proposals.txt --dry-run',
      explains: 'Show what would be shared',
    },
  ])
  addDecisionCommand(learnings, context, 'disapprove', [
    {
      command: 'scholiast learnings disapprove 0b9f6b1e-3c44-5f0e-9d0f-5d1f6a3f2c11',
      explains: 'Reject one Learning; nobody can create its text again',
    },
    {
      command: 'scholiast learnings disapprove --from-file - --yes < rejected.txt',
      explains: 'In a script',
    },
  ])
}

function addDecisionCommand(
  learnings: Command,
  context: CliContext,
  decision: Decision,
  examples: Parameters<typeof addExamples>[1],
): void {
  const description =
    decision === 'approve'
      ? 'Share Learnings that are waiting for approval, or lift a disapproval'
      : 'Reject Learnings that are waiting for approval'
  const command = learnings
    .command(decision)
    .description(description)
    .argument('[ids...]', 'IDs of the Learnings')
    .option(
      '--from-file <file>',
      'file with one ID per line (- for stdin); what follows an ID is ignored, as in the output of "learnings pending"',
    )
    .option('--dry-run', 'show the Learnings and change nothing')
    .option('--yes', 'do not ask')
    .action((ids: readonly string[], options: DecideOptions) => decide(context, decision, ids, options))
  addExamples(command, examples)
}

const columns: readonly Column<PendingLearning>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'REPOSITORY', value: (one) => one.repository_name ?? one.repository_id },
  { heading: 'SOURCE', value: ({ source }) => source },
  { heading: 'AUTHOR', value: (one) => one.author_username ?? one.author_id },
  { heading: 'PULL REQUEST', value: (one) => (one.pull_request === null ? null : `#${one.pull_request}`) },
  { heading: 'PROPOSED', value: (one) => one.proposed_at.slice(0, 10) },
  { heading: 'UNTIL', value: ({ deadline }) => deadline?.slice(0, 10) },
  { heading: 'FLAGS', value: ({ flags }) => (flags.length === 0 ? null : flags.join()) },
  { heading: 'CLOSE TO', value: ({ similar }) => renderClosest(similar) },
  { heading: 'LEARNING', value: ({ learning }) => learning, flexible: true },
]

/** The closest shared Learning; --json has all. */
function renderClosest(similar: PendingLearning['similar']): string | null {
  const [closest, ...others] = similar ?? []
  if (closest === undefined) return null
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${closest.id} (${closest.similarity.toFixed(2)})${more}`
}

async function listPending(context: CliContext, { repo, source, limit }: PendingOptions): Promise<void> {
  const { out } = context
  const found: PendingLearning[] = []
  const query = {
    ...context.selectOrganization(),
    ...(repo !== undefined && { repository_ids: [repo] }),
    ...(source !== undefined && { source }),
    // One more than wanted shows whether there are more.
    limit: Math.min(limit + 1, MAX_PAGE_SIZE),
  }
  for await (const learning of context.client().items('/v1/learnings/pending', { query })) {
    found.push(learning)
    if (found.length > limit) break
  }
  out.rows(found.slice(0, limit), columns, 'No Learning is waiting for approval.')
  if (found.length > limit) out.note(`There are more than ${limit}. Set --limit to see them.`)
}

async function decide(
  context: CliContext,
  decision: Decision,
  named: readonly string[],
  { fromFile, dryRun, yes }: DecideOptions,
): Promise<void> {
  const ids = [...new Set([...named, ...(fromFile === undefined ? [] : await readIds(context, fromFile))])]
  if (ids.length === 0) {
    throw new CliError('No Learning was named.', {
      next: 'Name the IDs that "scholiast learnings pending" shows, or use --from-file.',
      exitCode: exitCodes.usage,
    })
  }
  if (dryRun === true) return rehearse(context, decision, ids)
  const effect = decision === 'approve' ? 'shares' : 'rejects'
  await confirm(context, `This ${effect} ${ids.length} Learnings.`, yes === true || ids.length === 1)
  const results: DecisionResult[] = []
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const decisions = ids.slice(start, start + BATCH_SIZE).map((learning_id) => ({ learning_id, decision }))
    const reply = await context
      .client()
      .post('/v1/learnings/approvals', { body: { decisions, ...context.selectOrganization() } })
    results.push(...reply.results)
  }
  printDecisions(context, results)
}

async function rehearse(context: CliContext, decision: Decision, ids: readonly string[]): Promise<void> {
  const { out } = context
  const wanted = new Set(ids)
  const found: PendingLearning[] = []
  const query = { ...context.selectOrganization(), limit: MAX_PAGE_SIZE }
  for await (const learning of context.client().items('/v1/learnings/pending', { query })) {
    if (wanted.has(learning.id)) found.push(learning)
    if (found.length === wanted.size) break
  }
  out.rows(found, columns, 'None of these Learnings is waiting for approval.')
  const effect = decision === 'approve' ? 'shared' : 'rejected'
  out.note(`Dry run: nothing was changed. ${found.length} of ${ids.length} would be ${effect}.`)
}

function printDecisions({ out }: CliContext, results: readonly DecisionResult[]): void {
  const failed = results.filter(({ status }) => status === 'failed')
  if (failed.length > 0) process.exitCode = exitCodes.partial
  if (out.isJson) return out.json(results)
  for (const { learning_id, state } of results) {
    if (state === null) continue
    out.line(`${learning_id}  ${state === 'deleted' ? 'was deleted; its text can be created again' : state}`)
  }
  for (const { learning_id } of failed) out.note(`${learning_id}  is not waiting for approval (NOT_FOUND)`)
  out.note(`${results.length - failed.length} decided, ${failed.length} failed.`)
}

async function readIds(context: CliContext, file: string): Promise<string[]> {
  const text = (await readInput(context, file)).toString('utf8')
  return text.split(/\r?\n/).flatMap((line, index) => {
    const [id = ''] = line.trim().split(/\s+/)
    if (id === '' || id.startsWith('#') || id === 'ID') return []
    if (uuid.test(id)) return [id]
    throw new CliError(`Line ${index + 1} of ${file} does not begin with the ID of a Learning.`, {
      next: 'Write one ID per line, as "scholiast learnings pending" prints them.',
      exitCode: exitCodes.usage,
    })
  })
}

import type { Item, Result } from '@scholiast/sdk'
import { type Command, Option } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { findRepositoryId } from '../git.ts'
import { parseCount } from '../numbers.ts'
import { type Column, formatCounted } from '../output.ts'
import { confirm } from '../prompt.ts'
import { noteRanking } from '../ranked-by.ts'
import { addExportCommand } from './learnings-export.ts'
import { addImportCommand } from './learnings-import.ts'
import { addPendingCommands } from './learnings-pending.ts'
import { readText } from './learnings-text.ts'

type Learning = Item<'/v1/learnings'>
type AddResult = Result<'post', '/v1/learnings'>['results'][number]

interface ListOptions {
  readonly repo?: string
  readonly file?: readonly string[]
  readonly filter?: 'active' | 'never_used' | 'created_this_week'
  readonly limit: number
}

interface AddOptions {
  readonly repo?: string
  readonly file?: string
  readonly sourceUrl?: string
  readonly dryRun?: boolean
}

interface RemoveOptions {
  readonly dryRun?: boolean
  readonly yes?: boolean
}

const MAX_PAGE_SIZE = 1000
/** The service returns no more of a search. */
const MAX_FOUND = 200

export function addLearningsCommands(learnings: Command, context: CliContext): void {
  addReadCommands(learnings, context)
  addWriteCommands(learnings, context)
  addPendingCommands(learnings, context)
  addImportCommand(learnings, context)
  addExportCommand(learnings, context)
}

function addReadCommands(learnings: Command, context: CliContext): void {
  const list = addFilters(learnings.command('list'))
    .description('List shared Learnings, oldest first')
    .option('--limit <count>', 'at most this many', parseCount, 100)
    .action((options: ListOptions) => listLearnings(context, options))
  addExamples(list, [
    { command: 'scholiast learnings list --repo 620118401', explains: 'Learnings of one repository' },
    {
      command: 'scholiast learnings list --filter never_used --json',
      explains: 'Learnings that no review has used, as JSON',
    },
  ])
  const search = addFilters(learnings.command('search'))
    .description('Search Learnings by meaning and by words, best match first')
    .argument('<query...>', 'what to look for')
    .option('--limit <count>', `at most this many, 1 to ${MAX_FOUND}`, parseCount, 10)
    .action((words: readonly string[], options: ListOptions) =>
      searchLearnings(context, words.join(' '), options),
    )
  addExamples(search, [
    { command: 'scholiast learnings search how do we store prices', explains: 'The ten best matches' },
  ])
}

function addFilters(command: Command): Command {
  return command
    .option('--repo <id>', 'repository: its ID at the Git provider (default: all)')
    .option('--file <path...>', 'exact paths that Learnings were written for, at most 10')
    .addOption(
      new Option('--filter <name>', 'by use or age').choices(['active', 'never_used', 'created_this_week']),
    )
}

function addWriteCommands(learnings: Command, context: CliContext): void {
  const add = learnings
    .command('add')
    .description('Create a Learning')
    .argument('[text]', 'the text; - reads it from stdin (default: opens $EDITOR)')
    .option(
      '--repo <id>',
      'repository: its ID at the Git provider (default: by the name of the remote "origin")',
    )
    .option('--file <path>', 'file or folder that it is about')
    .option('--source-url <url>', 'where it comes from')
    .option('--dry-run', 'only show what would happen')
    .action((text: string | undefined, options: AddOptions) => addLearning(context, text, options))
  addExamples(add, [
    {
      command:
        'scholiast learnings add --repo 620118401 --file src/billing "Amounts of money are integers, never floating point."',
      explains: 'For the files in a folder',
    },
    { command: 'scholiast learnings add --repo 620118401 - < rule.txt', explains: 'Text from a file' },
  ])
  const edit = learnings
    .command('edit')
    .description('Replace the text of a Learning')
    .argument('<id>', 'ID of the Learning')
    .argument('[text]', 'the new text; - reads it from stdin (default: opens $EDITOR with the current text)')
    .action((id: string, text: string | undefined) => editLearning(context, id, text))
  addExamples(edit, [
    { command: 'scholiast learnings edit 0b9f6b1e-3c44-5f0e-9d0f-5d1f6a3f2c11', explains: 'In your editor' },
  ])
  const remove = learnings
    .command('rm')
    .description('Delete Learnings')
    .argument('<ids...>', 'IDs of the Learnings')
    .option('--dry-run', 'only show which Learnings would be deleted')
    .option('--yes', 'do not ask')
    .action((ids: readonly string[], options: RemoveOptions) => removeLearnings(context, ids, options))
  addExamples(remove, [
    {
      command: 'scholiast learnings rm --dry-run 0b9f6b1e-3c44-5f0e-9d0f-5d1f6a3f2c11',
      explains: 'Show the text before you delete it',
    },
  ])
}

const columns: readonly Column<Learning>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'REPOSITORY', value: (one) => one.repository_name ?? one.repository_id },
  { heading: 'FILE', value: ({ file }) => file },
  { heading: 'USED', value: (one) => one.usage_count, right: true },
  { heading: 'LEARNING', value: ({ learning }) => learning, flexible: true },
]

function toQuery(context: CliContext, { repo, file, filter }: ListOptions) {
  return {
    ...context.selectOrganization(),
    ...(repo !== undefined && { repository_ids: [repo] }),
    // A comma separates paths.
    ...(file !== undefined && { files: file.map((path) => path.replaceAll(/[\\,]/g, '\\$&')) }),
    ...(filter !== undefined && { stat_filter: filter }),
  }
}

async function listLearnings(context: CliContext, options: ListOptions): Promise<void> {
  const { out } = context
  const found: Learning[] = []
  // One more than wanted shows whether there are more.
  const limit = Math.min(options.limit + 1, MAX_PAGE_SIZE)
  for await (const learning of context
    .client()
    .items('/v1/learnings', { query: { ...toQuery(context, options), limit } })) {
    found.push(learning)
    if (found.length > options.limit) break
  }
  out.rows(found.slice(0, options.limit), columns, 'There are no Learnings.')
  if (found.length > options.limit) out.note(`There are more than ${options.limit}. Set --limit to see them.`)
}

async function searchLearnings(context: CliContext, search: string, options: ListOptions): Promise<void> {
  const limit = Math.min(options.limit, MAX_FOUND)
  const { data, ranked_by } = await context
    .client()
    .get('/v1/learnings', { query: { ...toQuery(context, options), search, limit } })
  context.out.rows(
    data,
    [{ heading: 'SCORE', value: ({ score }) => score?.toFixed(2), right: true }, ...columns],
    'Nothing matches.',
  )
  noteRanking(context.out, ranked_by)
}

async function addLearning(
  context: CliContext,
  given: string | undefined,
  options: AddOptions,
): Promise<void> {
  const learning = await readText(context, given, '')
  const { results } = await context.client().post('/v1/learnings', {
    body: {
      ...context.selectOrganization(),
      dry_run: options.dryRun === true,
      data: [
        {
          repository_id: options.repo ?? (await findRepositoryId(context)),
          learning,
          ...(options.file !== undefined && { file: options.file }),
          ...(options.sourceUrl !== undefined && { source_url: options.sourceUrl }),
        },
      ],
    },
  })
  const [result] = results
  if (result !== undefined) printAdded(context, result, options.dryRun === true)
}

function printAdded({ out }: CliContext, result: AddResult, isDryRun: boolean): void {
  if (result.error) {
    throw new CliError(`The Learning was not created: ${result.error.message} (${result.error.code})`, {
      exitCode: exitCodes.partial,
    })
  }
  if (out.isJson) return out.json(result)
  const created = isDryRun ? 'would be created' : 'created'
  out.line(`${result.id}  ${result.status === 'created' ? created : 'already exists'}`)
  if (result.matched === 'id')
    out.note('Somebody has changed the text of this Learning since it was created. It was not changed back.')
  for (const { id, similarity } of result.similar ?? [])
    out.note(`Close to ${id} (${similarity.toFixed(2)}): do you need both?`)
}

async function editLearning(context: CliContext, id: string, given: string | undefined): Promise<void> {
  // Only an editor shows the present text.
  const isEditing = given === undefined && context.isInteractive
  const present = isEditing ? (await findLearnings(context, [id])).get(id)?.learning : ''
  if (present === undefined) throw notFound(id)
  const learning = await readText(context, given, present)
  if (isEditing && learning === present.trim())
    return context.out.note('The text is the same: nothing was changed.')
  const changed = await context.client().patch('/v1/learnings/{learning_id}', {
    params: { learning_id: id },
    body: { learning, ...context.selectOrganization() },
  })
  context.out.rows([changed], columns, '')
}

async function removeLearnings(
  context: CliContext,
  ids: readonly string[],
  { dryRun, yes }: RemoveOptions,
): Promise<void> {
  const { out } = context
  const found = await findLearnings(context, ids)
  const missing = ids.find((id) => !found.has(id))
  if (dryRun === true) {
    out.rows([...found.values()], columns, 'None of these Learnings is shared.')
    out.note(`${found.size} of ${ids.length} would be deleted. Nothing was deleted.`)
    return
  }
  if (missing !== undefined) throw notFound(missing)
  await confirm(context, `This deletes ${formatCounted(ids.length, 'Learning')}.`, yes === true)
  for (const id of new Set(ids)) {
    await context.client().delete('/v1/learnings/{learning_id}', {
      params: { learning_id: id },
      query: context.selectOrganization(),
    })
    if (!out.isJson) out.line(`${id}  deleted`)
  }
  if (out.isJson) out.json({ deleted: [...new Set(ids)] })
}

/** The API has no request for one Learning. */
async function findLearnings(context: CliContext, ids: readonly string[]): Promise<Map<string, Learning>> {
  const wanted = new Set(ids)
  const found = new Map<string, Learning>()
  for await (const learning of context
    .client()
    .items('/v1/learnings', { query: context.selectOrganization() })) {
    if (wanted.has(learning.id)) found.set(learning.id, learning)
    if (found.size === wanted.size) break
  }
  return found
}

function notFound(id: string): CliError {
  return new CliError(`No shared Learning has the ID ${id}.`, {
    next: 'Run "scholiast learnings list" or "scholiast learnings search" for the IDs.',
    exitCode: exitCodes.notFound,
  })
}

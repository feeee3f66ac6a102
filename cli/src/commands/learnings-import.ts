import type { Item } from '@scholiast/sdk'
import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { findRepositoryId } from '../git.ts'
import { findRulesFiles } from '../rules-files/find.ts'
import { toCanonicalText } from '../rules-files/identity.ts'
import { findSourceUrls } from '../rules-files/origin.ts'
import { type RulesFile, RulesFileError, type RulesStatement } from '../rules-files/parse.ts'
import { readRulesFile } from '../rules-files/read.ts'

interface ImportOptions {
  readonly repo?: string
  readonly sourceUrl?: string
  readonly apply?: boolean
}

/** A statement that is sent once, however many files have it. */
interface PlannedStatement extends RulesStatement {
  readonly path: string
  readonly repositoryId: string
}

/**
 * `create`: new. `exists`: the repository has this text. `corrected`: somebody has replaced this text since, and it is not
 * brought back. `rejected`: the server does not accept it.
 */
type Outcome = 'create' | 'exists' | 'corrected' | 'rejected'

interface PlanEntry {
  readonly statement: PlannedStatement
  readonly outcome: Outcome
  readonly id: string | null
  /** The present text of a corrected Learning; null if it is not shared. */
  readonly current: string | null
  readonly similar: readonly { readonly id: string; readonly similarity: number }[]
  readonly error: { readonly code: string; readonly message: string } | null
}

interface Plan {
  readonly entries: readonly PlanEntry[]
  readonly repeated: number
  readonly missing: readonly { readonly path: string; readonly id: string }[]
}

/** Larger requests may exceed the time that the server has for one under load. */
const BATCH_SIZE = 50

export function addImportCommand(learnings: Command, context: CliContext): void {
  const command = learnings
    .command('import')
    .description('Create Learnings from rules files; shows a plan and writes nothing without --apply')
    .argument(
      '<paths...>',
      'CLAUDE.md, AGENTS.md, .cursorrules, .windsurfrules, *.mdc, copilot-instructions.md, *.instructions.md, *.csv, or a folder with them',
    )
    .option(
      '--repo <id>',
      'repository: its ID at the Git provider (default: by the name of the remote "origin")',
    )
    .option('--source-url <url>', 'address of the folder on the Web (default: from the remote "origin")')
    .option('--apply', 'create what the plan shows')
    .action((paths: readonly string[], options: ImportOptions) => importRules(context, paths, options))
  addExamples(command, [
    { command: 'scholiast learnings import .', explains: 'The plan for all rules files of this folder' },
    {
      command: 'scholiast learnings import AGENTS.md --repo 620118401 --apply',
      explains: 'Create the new ones',
    },
  ])
}

async function importRules(
  context: CliContext,
  paths: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const files = readFiles(context, paths)
  const plan = await makePlan(context, files, options)
  const entries = options.apply === true ? await applyPlan(context, plan.entries) : plan.entries
  printPlan(context, { ...plan, entries }, options.apply === true)
  if (entries.some(({ outcome }) => outcome === 'rejected')) process.exitCode = exitCodes.partial
}

interface ReadFile extends RulesFile {
  readonly path: string
}

function readFiles(context: CliContext, paths: readonly string[]): ReadFile[] {
  const found = findRulesFiles(context.cwd, paths)
  if (found.length === 0) {
    throw new CliError(`There are no rules files in ${paths.join(', ')}.`, {
      next: 'Name a file. In a folder, files such as AGENTS.md, CLAUDE.md and .cursor/rules/*.mdc are read.',
      exitCode: exitCodes.usage,
    })
  }
  return found.map(({ path, content }) => {
    try {
      return { path, ...readRulesFile(path, content) }
    } catch (error) {
      if (error instanceof RulesFileError)
        throw new CliError(`${path}: ${error.message}`, { exitCode: exitCodes.usage })
      throw error
    }
  })
}

async function makePlan(
  context: CliContext,
  files: readonly ReadFile[],
  options: ImportOptions,
): Promise<Plan> {
  const statements = await selectStatements(context, files, options)
  const total = files.reduce((sum, file) => sum + file.statements.length, 0)
  const progress = context.out.progress({ label: 'Planning', total: statements.length })
  const entries = await sendStatements(context, statements, true, (done) => progress.update(done))
  progress.done()
  return {
    entries: await recognizeCorrected(context, entries),
    repeated: total - statements.length,
    missing: files.flatMap(({ path, missing }) => missing.map(({ id }) => ({ path, id }))),
  }
}

/** Each text once per repository: CLAUDE.md and AGENTS.md often say the same. */
async function selectStatements(
  context: CliContext,
  files: readonly ReadFile[],
  options: ImportOptions,
): Promise<PlannedStatement[]> {
  const sourceUrlOf = await findSourceUrls(context.cwd, options.sourceUrl)
  const needsRepository = files.some(({ statements }) => statements.some((one) => one.repositoryId === null))
  const repository = options.repo ?? (needsRepository ? await findRepositoryId(context) : '')
  const selected = new Map<string, PlannedStatement>()
  for (const { path, statements } of files) {
    for (const statement of statements) {
      // A carried Learning has the origin that it had before.
      const sourceUrl = statement.sourceUrl ?? (statement.carried === null ? sourceUrlOf(path) : null)
      const planned = {
        ...statement,
        path,
        sourceUrl,
        repositoryId: options.repo ?? statement.repositoryId ?? repository,
      }
      const key = JSON.stringify([planned.repositoryId, toCanonicalText(planned.text)])
      const known = selected.get(key)
      if (known === undefined || (known.carried === null && planned.carried !== null))
        selected.set(key, planned)
    }
  }
  return [...selected.values()]
}

async function sendStatements(
  context: CliContext,
  statements: readonly PlannedStatement[],
  dryRun: boolean,
  onProgress: (done: number) => void,
): Promise<PlanEntry[]> {
  const client = context.client()
  const entries: PlanEntry[] = []
  for (let start = 0; start < statements.length; start += BATCH_SIZE) {
    const batch = statements.slice(start, start + BATCH_SIZE)
    const { results } = await client.post('/v1/learnings', {
      body: { ...context.selectOrganization(), dry_run: dryRun, data: batch.map(toItem) },
    })
    for (const [index, statement] of batch.entries()) {
      const result = results[index]
      if (result === undefined) throw new Error('The response has fewer results than the request has items.')
      entries.push({
        statement,
        outcome: toOutcome(result),
        id: result.id ?? null,
        current: null,
        similar: result.similar ?? [],
        error: result.error ?? null,
      })
    }
    onProgress(entries.length)
  }
  return entries
}

function toItem({ text, file, sourceUrl, repositoryId }: PlannedStatement) {
  return {
    repository_id: repositoryId,
    learning: text,
    ...(file !== null && { file }),
    ...(sourceUrl !== null && { source_url: sourceUrl }),
  }
}

function toOutcome(result: { readonly status: string; readonly matched?: string }): Outcome {
  if (result.status === 'failed') return 'rejected'
  if (result.status === 'created') return 'create'
  return result.matched === 'id' ? 'corrected' : 'exists'
}

/**
 * The server recognizes a corrected Learning by the text that it was created with. An export has a later text, so its
 * Learnings are looked up by their ids.
 */
async function recognizeCorrected(context: CliContext, entries: readonly PlanEntry[]): Promise<PlanEntry[]> {
  const isCandidate = ({ outcome, statement }: PlanEntry) =>
    outcome === 'corrected' || (outcome === 'create' && statement.carried !== null)
  const repositories = new Set(entries.filter(isCandidate).map(({ statement }) => statement.repositoryId))
  const learnings = new Map<string, Item<'/v1/learnings'>>()
  for (const repository of repositories) {
    const query = { ...context.selectOrganization(), repository_ids: [repository] }
    for await (const one of context.client().items('/v1/learnings', { query })) learnings.set(one.id, one)
  }
  return entries.map((entry): PlanEntry => {
    if (!isCandidate(entry)) return entry
    const id = entry.outcome === 'corrected' ? entry.id : entry.statement.carried?.id
    const learning = learnings.get(id ?? '')
    if (entry.outcome === 'corrected') return { ...entry, current: learning?.learning ?? null }
    return learning === undefined || learning.repository_id !== entry.statement.repositoryId
      ? entry
      : { ...entry, outcome: 'corrected', id: learning.id, current: learning.learning, similar: [] }
  })
}

/** Sends only what the plan creates: sending a text that exists would share it if it is pending. */
async function applyPlan(context: CliContext, entries: readonly PlanEntry[]): Promise<PlanEntry[]> {
  const statements = entries.filter(({ outcome }) => outcome === 'create').map(({ statement }) => statement)
  const progress = context.out.progress({ label: 'Creating', total: statements.length })
  const created = await sendStatements(context, statements, false, (done) => progress.update(done))
  progress.done()
  const byStatement = new Map(created.map((entry) => [entry.statement, entry]))
  return entries.map((entry) => byStatement.get(entry.statement) ?? entry)
}

function printPlan(context: CliContext, { entries, repeated, missing }: Plan, isApplied: boolean): void {
  const { out } = context
  const count = (outcome: Outcome) => entries.filter((entry) => entry.outcome === outcome).length
  const counts = {
    [isApplied ? 'created' : 'to_create']: count('create'),
    existing: count('exists'),
    corrected: count('corrected'),
    rejected: count('rejected'),
    repeated,
  }
  if (out.isJson) {
    out.json({ applied: isApplied, counts, statements: entries.map(renderEntry), missing })
    return
  }
  const names = {
    create: isApplied ? 'created' : 'create',
    exists: 'exists',
    corrected: 'corrected',
    rejected: 'rejected',
  }
  if (entries.length > 0) {
    out.table(entries, [
      { heading: 'PLAN', value: ({ outcome }) => names[outcome] },
      { heading: 'FROM', value: ({ statement }) => `${statement.path}:${statement.line}` },
      { heading: 'FILE', value: ({ statement }) => statement.file },
      { heading: 'LEARNING', value: ({ statement }) => statement.text, flexible: true },
    ])
    out.line('')
  }
  printDetails(context, entries)
  out.line(
    `${counts[isApplied ? 'created' : 'to_create']} ${isApplied ? 'created' : 'to create'}, ${counts['existing']} there already, ` +
      `${counts['corrected']} corrected since, ${counts['rejected']} rejected${repeated === 0 ? '' : `, ${repeated} repeated`}`,
  )
  printNextSteps(context, counts['to_create'] ?? 0, missing, isApplied)
}

function printDetails({ out }: CliContext, entries: readonly PlanEntry[]): void {
  for (const { statement, outcome, id, current, similar, error } of entries) {
    const from = `${statement.path}:${statement.line}`
    if (outcome === 'corrected')
      out.line(
        `${from} was corrected: ${id} is now ${current === null ? 'not shared' : JSON.stringify(current)}`,
      )
    if (error !== null) out.line(`${from} was rejected: ${error.message} (${error.code})`)
    const [closest] = similar
    if (outcome === 'create' && closest !== undefined)
      out.line(`${from} is close to ${closest.id} (${closest.similarity.toFixed(2)}): do you need both?`)
  }
}

function printNextSteps(
  { out }: CliContext,
  toCreate: number,
  missing: Plan['missing'],
  isApplied: boolean,
): void {
  for (const { path, id } of missing)
    out.note(
      `${path} no longer has the text of ${id}. To delete the Learning too: scholiast learnings rm ${id}`,
    )
  if (isApplied) return
  out.note(
    toCreate === 0
      ? 'There is nothing to create.'
      : `Nothing was written. Run the same command with --apply to create ${toCreate}.`,
  )
}

function renderEntry({ statement, outcome, id, current, similar, error }: PlanEntry) {
  const { path, line, text, file, sourceUrl, repositoryId } = statement
  return {
    outcome,
    id,
    path,
    line,
    learning: text,
    file,
    source_url: sourceUrl,
    repository_id: repositoryId,
    ...(outcome === 'corrected' && { current }),
    ...(similar.length > 0 && { similar }),
    ...(error !== null && { error }),
  }
}

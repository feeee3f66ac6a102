import type { Item, Result } from '@scholiast/sdk'
import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { findRepositoryId } from '../git.ts'
import { formatCounted } from '../output.ts'
import { findRulesFiles } from '../rules-files/find.ts'
import { toCanonicalText } from '../rules-files/identity.ts'
import { findSourceUrls } from '../rules-files/origin.ts'
import { type RulesFile, RulesFileError, type RulesStatement } from '../rules-files/parse.ts'
import { readRulesFile } from '../rules-files/read.ts'

interface ImportOptions {
  readonly repo?: string
  readonly sourceUrl?: string
  readonly shareFlagged?: boolean
  readonly apply?: boolean
}

type ItemResult = Result<'post', '/v1/learnings'>['results'][number]

/** A statement that is sent once, however many files have it. */
interface PlannedStatement extends RulesStatement {
  readonly path: string
  readonly repositoryId: string
}

/**
 * `create`: new. `propose`: new, and waits for an Admin because it has a flag. `share`: waits so far, and --share-flagged
 * shares it. `exists`: the repository has this text. `corrected`: somebody has replaced this text since, and it is not
 * brought back. `rejected`: the server does not accept it.
 */
type Outcome = 'create' | 'propose' | 'share' | 'exists' | 'corrected' | 'rejected'

interface PlanEntry {
  readonly statement: PlannedStatement
  readonly outcome: Outcome
  readonly id: string | null
  /** Null if the Learning is shared, or if there is none. */
  readonly state: ItemResult['state'] | null
  /** Why a person should read the text first. */
  readonly flags: readonly { readonly flag: Flag; readonly excerpt: string }[]
  /** The present text of a corrected Learning; null if it is not shared. */
  readonly current: string | null
  readonly similar: readonly { readonly id: string; readonly similarity: number }[]
  readonly error: { readonly code: string; readonly message: string } | null
}

type Flag = NonNullable<ItemResult['flags']>[number]

const flagReasons: Readonly<Record<Flag, (excerpt: string) => string>> = {
  addresses_agent: (excerpt) => `addresses an agent (${JSON.stringify(excerpt)})`,
  hidden_characters: (excerpt) => `hides characters (${excerpt})`,
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
    .option(
      '--share-flagged',
      'share texts with a flag instead of proposing them; read them first (needs an Admin’s key)',
    )
    .option('--apply', 'create what the plan shows')
    .action((paths: readonly string[], options: ImportOptions) => importRules(context, paths, options))
  addExamples(command, [
    { command: 'scholiast learnings import .', explains: 'The plan for all rules files in this folder' },
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
  const plan = await createPlan(context, files, options)
  const entries = options.apply === true ? await applyPlan(context, plan.entries, options) : plan.entries
  printPlan(context, { ...plan, entries }, options)
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

async function createPlan(
  context: CliContext,
  files: readonly ReadFile[],
  options: ImportOptions,
): Promise<Plan> {
  const statements = await selectStatements(context, files, options)
  const total = files.reduce((sum, file) => sum + file.statements.length, 0)
  const progress = context.out.progress({ label: 'Planning', total: statements.length })
  const planned = await sendStatements(context, statements, { dryRun: true }, (done) => progress.update(done))
  progress.done()
  const entries = options.shareFlagged === true ? await planSharing(context, planned) : planned
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

/** Asks the server what becomes of the texts that wait or would wait: only an Admin can share them. */
async function planSharing(context: CliContext, entries: readonly PlanEntry[]): Promise<PlanEntry[]> {
  const waiting = entries.filter(isWaiting)
  const sent = await sendStatements(
    context,
    waiting.map(({ statement }) => statement),
    { dryRun: true, shareFlagged: true },
  )
  return replaceEntries(
    entries,
    sent.map((entry) =>
      entry.outcome === 'exists' && !isWaiting(entry) ? { ...entry, outcome: 'share' } : entry,
    ),
  )
}

function isWaiting({ outcome, state, flags }: PlanEntry): boolean {
  return flags.length > 0 && state === 'pending' && (outcome === 'propose' || outcome === 'exists')
}

function replaceEntries(entries: readonly PlanEntry[], newer: readonly PlanEntry[]): PlanEntry[] {
  const byStatement = new Map(newer.map((entry) => [entry.statement, entry]))
  return entries.map((entry) => byStatement.get(entry.statement) ?? entry)
}

async function sendStatements(
  context: CliContext,
  statements: readonly PlannedStatement[],
  { dryRun = false, shareFlagged = false }: { readonly dryRun?: boolean; readonly shareFlagged?: boolean },
  onProgress: (done: number) => void = () => undefined,
): Promise<PlanEntry[]> {
  const client = context.client()
  const entries: PlanEntry[] = []
  for (let start = 0; start < statements.length; start += BATCH_SIZE) {
    const batch = statements.slice(start, start + BATCH_SIZE)
    const { results } = await client.post('/v1/learnings', {
      body: {
        ...context.selectOrganization(),
        dry_run: dryRun,
        data: batch.map((one) => toItem(one, shareFlagged)),
      },
    })
    for (const [index, statement] of batch.entries()) {
      const result = results[index]
      if (result === undefined) throw new Error('The response has fewer results than the request has items.')
      entries.push({
        statement,
        outcome: toOutcome(result),
        id: result.id ?? null,
        state: result.state ?? null,
        flags: (result.flags ?? []).map((flag, position) => ({
          flag,
          excerpt: result.flag_excerpts?.[position] ?? '',
        })),
        current: null,
        similar: result.similar ?? [],
        error: result.error ?? null,
      })
    }
    onProgress(entries.length)
  }
  return entries
}

function toItem({ text, file, sourceUrl, repositoryId }: PlannedStatement, shareFlagged: boolean) {
  return {
    repository_id: repositoryId,
    learning: text,
    import: true,
    ...(shareFlagged && { share_flagged: true }),
    ...(file !== null && { file }),
    ...(sourceUrl !== null && { source_url: sourceUrl }),
  }
}

function toOutcome(result: ItemResult): Outcome {
  if (result.status === 'failed') return 'rejected'
  if (result.status === 'created') return result.state === 'pending' ? 'propose' : 'create'
  return result.matched === 'id' ? 'corrected' : 'exists'
}

/**
 * The server recognizes a corrected Learning by the text that it was created with. An export has a later text, so its
 * Learnings are looked up by their ids.
 */
async function recognizeCorrected(context: CliContext, entries: readonly PlanEntry[]): Promise<PlanEntry[]> {
  const isCandidate = ({ outcome, statement }: PlanEntry) =>
    outcome === 'corrected' || (isNew(outcome) && statement.carried !== null)
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

function isNew(outcome: Outcome): boolean {
  return outcome === 'create' || outcome === 'propose'
}

/** Sends only what the plan creates or shares: sending a text that exists would share it if it is pending. */
async function applyPlan(
  context: CliContext,
  entries: readonly PlanEntry[],
  { shareFlagged = false }: ImportOptions,
): Promise<PlanEntry[]> {
  const toSend = entries.filter(({ outcome }) => isNew(outcome) || outcome === 'share')
  const progress = context.out.progress({ label: 'Creating', total: toSend.length })
  const statements = toSend.map(({ statement }) => statement)
  const sent = await sendStatements(context, statements, { shareFlagged }, (done) => progress.update(done))
  progress.done()
  return replaceEntries(
    entries,
    sent.map((entry, index) =>
      entry.outcome === 'exists' && entry.state === null && toSend[index]?.outcome === 'share'
        ? { ...entry, outcome: 'share' }
        : entry,
    ),
  )
}

function printPlan(
  context: CliContext,
  { entries, repeated, missing }: Plan,
  { apply: isApplied = false, shareFlagged = false }: ImportOptions,
): void {
  const { out } = context
  const count = (outcome: Outcome) => entries.filter((entry) => entry.outcome === outcome).length
  const counts = {
    [isApplied ? 'created' : 'to_create']: count('create'),
    [isApplied ? 'proposed' : 'to_propose']: count('propose'),
    [isApplied ? 'shared' : 'to_share']: count('share'),
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
    propose: isApplied ? 'proposed' : 'propose',
    share: isApplied ? 'shared' : 'share',
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
  const optional = (number: number, what: string) => (number === 0 ? '' : `, ${number} ${what}`)
  out.line(
    `${count('create')} ${isApplied ? 'created' : 'to create'}` +
      optional(count('propose'), isApplied ? 'proposed' : 'to propose') +
      optional(count('share'), isApplied ? 'shared' : 'to share') +
      `, ${counts['existing']} already there, ` +
      `${counts['corrected']} corrected since, ${counts['rejected']} rejected${optional(repeated, 'repeated')}`,
  )
  printWaiting(context, entries.filter(isWaiting).length, { isApplied, shareFlagged })
  printNextSteps(context, count('create') + count('propose') + count('share'), missing, isApplied)
}

function printWaiting(
  { out }: CliContext,
  waiting: number,
  { isApplied, shareFlagged }: { readonly isApplied: boolean; readonly shareFlagged: boolean },
): void {
  if (waiting === 0) return
  const [verb, them] = waiting === 1 ? ['waits', 'it'] : ['wait', 'them']
  out.note(
    `${formatCounted(waiting, 'flagged text')} ${isApplied ? verb : 'will wait'} for an Admin. ` +
      `No review uses ${them} until an Admin approves ${them}: run "scholiast learnings pending", then ` +
      '"scholiast learnings approve" or "scholiast learnings disapprove", or open Learnings in the dashboard.',
  )
  out.note(
    shareFlagged
      ? '--share-flagged has no effect: the owner of this key is not an Admin of the organization.'
      : 'An Admin who has read the texts can share them with --share-flagged.',
  )
}

function printDetails({ out }: CliContext, entries: readonly PlanEntry[]): void {
  for (const entry of entries) {
    const { statement, outcome, id, current, flags, similar, error } = entry
    const from = `${statement.path}:${statement.line}`
    if (flags.length > 0 && (isNew(outcome) || outcome === 'share' || isWaiting(entry)))
      out.line(
        `${from} flagged: ${flags.map(({ flag, excerpt }) => flagReasons[flag](excerpt)).join('; ')}` +
          (outcome === 'exists' ? `; ${id} is already waiting for an Admin` : ''),
      )
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
  toWrite: number,
  missing: Plan['missing'],
  isApplied: boolean,
): void {
  for (const { path, id } of missing)
    out.note(
      `${path} no longer has the text of ${id}. To delete the Learning too: scholiast learnings rm ${id}`,
    )
  if (isApplied) return
  out.note(
    toWrite === 0
      ? 'There is nothing to create.'
      : `Nothing was written. Run the same command with --apply to write ${formatCounted(toWrite, 'Learning')}.`,
  )
}

function renderEntry({ statement, outcome, id, state, flags, current, similar, error }: PlanEntry) {
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
    ...(state !== null && { state }),
    ...(flags.length > 0 && { flags }),
    ...(outcome === 'corrected' && { current }),
    ...(similar.length > 0 && { similar }),
    ...(error !== null && { error }),
  }
}

import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { collect } from '../collect.ts'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { findRepositoryId } from '../git.ts'
import {
  type ExportFile,
  type ExportForm,
  exportForms,
  isExport,
  renderExport,
} from '../rules-files/write.ts'

interface ExportOptions {
  readonly as: ExportForm
  readonly repo?: string
  readonly out: string
  readonly force?: boolean
}

export function addExportCommand(learnings: Command, context: CliContext): void {
  const command = learnings
    .command('export')
    .description('Write the shared Learnings of a repository as rules files')
    .addOption(new Option('--as <form>', 'what to write').choices(exportForms).makeOptionMandatory())
    .option(
      '--repo <id>',
      'repository: its ID at the Git provider (default: by the name of the remote "origin")',
    )
    .option('--out <folder>', 'folder to write to', '.')
    .option('--force', 'overwrite files that are not from an export')
    .action((options: ExportOptions) => exportLearnings(context, options))
  addExamples(command, [
    { command: 'scholiast learnings export --as agents.md', explains: 'AGENTS.md in this folder' },
    {
      command: 'scholiast learnings export --as cursor --repo 620118401 --out ../booking-api',
      explains: 'Rules for Cursor, one per file or folder that Learnings are about',
    },
  ])
}

async function exportLearnings(context: CliContext, options: ExportOptions): Promise<void> {
  const { out, cwd } = context
  const repository = options.repo ?? (await findRepositoryId(context))
  const query = { ...context.selectOrganization(), repository_ids: [repository] }
  const learnings = await collect(context.client().items('/v1/learnings', { query }))
  const files = learnings.length === 0 ? [] : renderExport(options.as, learnings)
  const folder = resolve(cwd, options.out)
  if (options.force !== true) refuseForeignFiles(folder, files)
  for (const { path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  out.rows(
    files.map(({ path, count }) => ({ path, learnings: count })),
    [
      { heading: 'WRITTEN', value: ({ path }) => path },
      { heading: 'LEARNINGS', value: (file) => file.learnings, right: true },
    ],
    `Repository ${repository} has no shared Learnings: nothing was written.`,
  )
  for (const { id, flags } of learnings)
    if (flags !== undefined) out.note(`Read ${id} before an agent does: ${flags.join(', ')}.`)
  for (const path of findStaleFiles(folder, files))
    out.note(`${path} is from an earlier export and no longer has any Learnings: delete it.`)
}

/** Somebody wrote them: an export would lose their words. */
function refuseForeignFiles(folder: string, files: readonly ExportFile[]): void {
  const foreign = files
    .map(({ path }) => path)
    .filter((path) => existsSync(join(folder, path)))
    .filter((path) => !isExport(readFileSync(join(folder, path), 'utf8')))
  if (foreign.length === 0) return
  throw new CliError(`${foreign.join(', ')} would be overwritten, but did not come from an export.`, {
    next: 'Import it first, then add --force, or choose another folder with --out.',
    exitCode: exitCodes.conflict,
  })
}

/** Files of an earlier export beside those of this one. */
function findStaleFiles(folder: string, files: readonly ExportFile[]): string[] {
  const written = new Set(files.map(({ path }) => path))
  const folders = new Set(files.map(({ path }) => dirname(path)).filter((path) => path !== '.'))
  return [...folders]
    .flatMap((path) => globSync(`${path}/learnings*.{mdc,instructions.md}`, { cwd: folder }))
    .filter((path) => !written.has(path) && isExport(readFileSync(join(folder, path), 'utf8')))
}

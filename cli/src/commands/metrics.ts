import { type Command, InvalidArgumentError, Option } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import type { ExportSource } from '../metrics/export.ts'
import type { SummaryOptions } from '../metrics/summary.ts'
import type { Format } from '../metrics/table-file.ts'
import { formatCount } from '../output.ts'

// The values are repeated here, so that the modules are loaded only by the command that needs them.
const formats = ['jsonl', 'csv', 'parquet'] as const satisfies readonly Format[]
const sources = ['comments', 'reviews', 'mcp'] as const satisfies readonly ExportSource[]
const DAY_MS = 86_400_000
const SUMMARY_DAYS = 8 * 7
const MAX_PAGE_SIZE = 100_000
// Long work waits for rate limits and for a service that restarts.
const retry = { attempts: 60, budgetMs: 30 * 60_000 }

export function addMetricsCommands(metrics: Command, context: CliContext): void {
  addExport(metrics, context)
  addSync(metrics, context)
  addSummary(metrics, context)
}

interface ExportFlags {
  readonly from: string
  readonly to: string
  readonly format: Format
  readonly out?: string
  readonly status?: 'merged' | 'closed' | 'all'
}

function addExport(metrics: Command, context: CliContext): void {
  const command = metrics
    .command('export')
    .description('Write the metrics of a window to a file or to standard output')
    .addArgument(
      metrics
        .createArgument('<what>', 'comments (findings), reviews (pull requests) or mcp')
        .choices(sources),
    )
    .requiredOption('--from <date>', 'first day, YYYY-MM-DD, UTC', parseDay)
    .addOption(lastDayOption())
    .addOption(new Option('--format <format>', 'jsonl, csv or parquet').choices(formats).default('jsonl'))
    .option('--out <file>', 'file to write; it appears when it is complete')
    .addOption(
      new Option('--status <status>', 'pull requests with this status (reviews only)').choices([
        'merged',
        'closed',
        'all',
      ]),
    )
    .action(async (source: ExportSource, { from, to, format, out, status }: ExportFlags) => {
      if (status !== undefined && source !== 'reviews')
        command.error('error: --status is an option of "metrics export reviews" only')
      const { exportMetrics } = await import('../metrics/export.ts')
      const query = {
        start_date: from,
        end_date: to,
        ...context.selectOrganization(),
        ...(source === 'reviews' && { status: status ?? ('merged' as const) }),
      }
      const options = { source, query, format, file: out ?? null }
      const count = await exportMetrics(context.client({ retry }), options, context)
      if (out === undefined) return
      if (context.out.isJson) context.out.json({ file: out, pull_requests: count })
      else context.out.note(`${formatCount(count)} pull requests written to ${out}.`)
    })
  addExamples(command, [
    {
      command: 'scholiast metrics export comments --from 2026-10-01 --to 2026-10-31 --out october.jsonl',
      explains: 'One line per pull request, with its findings',
    },
    {
      command: 'scholiast metrics export reviews --from 2026-01-01 --format parquet --out reviews.parquet',
      explains: 'One row per pull request, for DuckDB, Spark or pandas',
    },
    {
      command: 'scholiast metrics export comments --from 2026-10-01 --format csv | gzip > october.csv.gz',
      explains: 'One row per finding, to standard output',
    },
  ])
}

interface SyncFlags {
  readonly to: string
  readonly format?: Format
  readonly countedFrom?: string
  readonly follow?: boolean
  readonly every: number
  readonly pageSize: number
  readonly restart?: boolean
}

function addSync(metrics: Command, context: CliContext): void {
  const command = metrics
    .command('sync')
    .description('Keep a copy of all findings, with their outcomes, in a folder or in PostgreSQL')
    .requiredOption('--to <target>', 'folder, or URL of a PostgreSQL database')
    .addOption(new Option('--format <format>', 'of the file in the folder (default: jsonl)').choices(formats))
    .option('--counted-from <date>', 'leave out pull requests that count before this day', parseDay)
    .option('--follow', 'keep running and apply changes as they come')
    .option('--every <seconds>', 'with --follow: seconds between two polls', parseCount(1, 86_400), 30)
    .option('--page-size <changes>', 'changes per request', parseCount(1, MAX_PAGE_SIZE), MAX_PAGE_SIZE)
    .option('--restart', 'delete the copy and read everything again')
    .action(async (flags: SyncFlags) => {
      const isDatabase = /^postgres(?:ql)?:\/\//.test(flags.to)
      if (isDatabase && flags.format !== undefined)
        command.error('error: --format is for a folder; PostgreSQL gets tables')
      const { syncCopy } = await import('../metrics/sync.ts')
      const copy = await openCopy(context, flags, isDatabase)
      const stop = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
      try {
        const { source, options } = toSyncOptions(context, flags)
        const sync = { ...options, source, signal: stop.signal }
        const { changes, location } = await syncCopy(context.client({ retry }), copy, sync, context)
        if (context.out.isJson) context.out.json({ changes, location })
        else context.out.note(`${formatCount(changes)} changes applied to ${location}.`)
      } finally {
        await copy.close()
      }
    })
  addExamples(command, [
    {
      command: 'scholiast metrics sync --to metrics/ --format parquet',
      explains: 'Create or update metrics/review-comments.parquet',
    },
    {
      command: 'scholiast metrics sync --to postgres://warehouse@db.example.com/analytics',
      explains: 'Create or update the tables of the schema "scholiast"',
    },
    {
      command: 'scholiast metrics sync --to metrics/ --follow --every 60',
      explains: 'Keep running; stop with Ctrl-C, or kill it: the next run continues',
    },
  ])
}

async function openCopy(context: CliContext, flags: SyncFlags, isDatabase: boolean) {
  const { source } = toSyncOptions(context, flags)
  const restart = flags.restart === true
  if (isDatabase) {
    const { openPostgresCopy } = await import('../metrics/postgres-copy.ts')
    return openPostgresCopy({ url: flags.to, source, restart })
  }
  const { openFileCopy } = await import('../metrics/file-copy.ts')
  return openFileCopy({ folder: flags.to, format: flags.format ?? 'jsonl', source, restart })
}

function toSyncOptions(context: CliContext, { countedFrom, follow, every, pageSize }: SyncFlags) {
  return {
    source: {
      url: new URL(context.connection().url).href,
      org_id: context.selectOrganization().org_id ?? null,
      counted_from: countedFrom ?? null,
    },
    options: { pageSize, pollMs: follow === true ? every * 1000 : null },
  }
}

function addSummary(metrics: Command, context: CliContext): void {
  const command = metrics
    .command('summary')
    .description('Show how many findings were accepted, as a table and a chart')
    .addOption(
      new Option('--from <date>', 'first day, YYYY-MM-DD, UTC')
        .argParser(parseDay)
        .default(toDay(SUMMARY_DAYS), 'eight weeks ago'),
    )
    .addOption(lastDayOption())
    .addOption(
      new Option(
        '--by <keys>',
        'group by any of week, organization, repository, author, reviewer, severity, category; separated by commas',
      )
        .argParser(parseKeys)
        .default(['week'], 'week'),
    )
    .action(async (options: SummaryOptions) => {
      const { showSummary } = await import('../metrics/summary.ts')
      await showSummary(context, options)
    })
  addExamples(command, [
    { command: 'scholiast metrics summary', explains: 'The last eight weeks' },
    {
      command: 'scholiast metrics summary --from 2026-10-01 --to 2026-10-31 --by repository,severity',
      explains: 'A month by repository and severity',
    },
  ])
}

function lastDayOption(): Option {
  return new Option('--to <date>', 'last day, inclusive').argParser(parseDay).default(toDay(0), 'today')
}

function toDay(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
}

function parseDay(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return text
  throw new InvalidArgumentError('It must be a date, for example 2026-10-31.')
}

const parseCount = (min: number, max: number) => (text: string) => {
  const count = Number(text)
  if (Number.isInteger(count) && count >= min && count <= max) return count
  throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
}

const groupKeys = [
  'week',
  'organization',
  'repository',
  'author',
  'reviewer',
  'severity',
  'category',
] as const

function parseKeys(text: string): SummaryOptions['by'] {
  return text.split(',').map((key) => {
    const known = groupKeys.find((name) => name === key.trim())
    if (known !== undefined) return known
    throw new InvalidArgumentError(`"${key}" is not one of ${groupKeys.join(', ')}.`)
  })
}

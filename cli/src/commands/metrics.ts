import { type Command, InvalidArgumentError, Option } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import type { Copy } from '../metrics/copy.ts'
import type { ExportSource } from '../metrics/export.ts'
import type { FindingOptions } from '../metrics/reviewers.ts'
import type { ReviewGroupKey, UsageGroupKey } from '../metrics/summaries.ts'
import type { FindingGroupKey } from '../metrics/summary.ts'
import type { Format } from '../metrics/table-file.ts'
import { formatCounted } from '../output.ts'

// The values are repeated here, so that the modules are loaded only by the command that needs them.
const formats = ['jsonl', 'csv', 'parquet'] as const satisfies readonly Format[]
const sources = ['comments', 'reviews', 'mcp'] as const satisfies readonly ExportSource[]
const DAY_MS = 86_400_000
// As in the dashboard, so that both show the same figures.
const DEFAULT_DAYS = 90
const MAX_PAGE_SIZE = 100_000
// Long work waits for rate limits and for a service that restarts.
const retry = { attempts: 60, budgetMs: 30 * 60_000 }

export function addMetricsCommands(metrics: Command, context: CliContext): void {
  addExport(metrics, context)
  addSync(metrics, context)
  addSummary(metrics, context)
  addFindings(metrics, context)
  addReviewers(metrics, context)
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
    .addOption(statusOption())
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
      else context.out.note(`${formatCounted(count, 'pull request')} written to ${out}.`)
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
  readonly reviews: boolean
}

function addSync(metrics: Command, context: CliContext): void {
  const command = metrics
    .command('sync')
    .description(
      'Keep a copy of all pull requests and findings, with their outcomes, in files, S3 or PostgreSQL',
    )
    .requiredOption('--to <target>', 'folder, s3://BUCKET/FOLDER, or URL of a PostgreSQL database')
    .addOption(new Option('--format <format>', 'of the files (default: jsonl)').choices(formats))
    .option('--counted-from <date>', 'leave out pull requests that count before this day', parseDay)
    .option('--follow', 'keep running and apply changes as they come')
    .option('--every <seconds>', 'with --follow: seconds between two polls', parseCount(1, 86_400), 30)
    .option('--page-size <changes>', 'changes per request', parseCount(1, MAX_PAGE_SIZE), MAX_PAGE_SIZE)
    .option('--restart', 'delete the copy and read everything again')
    .option('--no-reviews', 'copy findings only; pull requests of an earlier run stay as they are')
    .action(async (flags: SyncFlags) => {
      const kind = findTargetKind(flags.to)
      if (kind === null)
        return command.error(`error: --to ${flags.to} is not supported; use a folder, s3://… or postgres://…`)
      if (kind === 'database' && flags.format !== undefined)
        command.error('error: --format is for files; PostgreSQL gets tables')
      const { syncCopy } = await import('../metrics/sync.ts')
      const copy = await openCopy(context, flags, kind)
      const stop = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
      try {
        const { source, options } = toSyncOptions(context, flags)
        const sync = { ...options, source, signal: stop.signal }
        const result = await syncCopy(context.client({ retry }), copy, sync, context)
        const { changes, pullRequests, location } = result
        if (context.out.isJson) {
          context.out.json({ changes, pull_requests: pullRequests, location })
          return
        }
        context.out.note(`${formatCounted(changes, 'change')} applied to ${location}.`)
        if (pullRequests !== null) context.out.note(`${formatCounted(pullRequests, 'pull request')} copied.`)
      } finally {
        await copy.close()
      }
    })
  addExamples(command, [
    {
      command: 'scholiast metrics sync --to metrics/ --format parquet',
      explains: 'Create or update metrics/review-comments.parquet and metrics/reviews.parquet',
    },
    {
      command: 'scholiast metrics sync --to postgres://warehouse@db.example.com/analytics',
      explains: 'Create or update the tables of the schema "scholiast"',
    },
    {
      command: 'scholiast metrics sync --to s3://warehouse/scholiast --format parquet',
      explains: 'The same in a bucket, with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION',
    },
    {
      command: 'scholiast metrics sync --to metrics/ --follow --every 60',
      explains: 'Keep running; stop with Ctrl-C, or kill it: the next run continues',
    },
  ])
}

type TargetKind = 'folder' | 'bucket' | 'database'

/** null: an address of something else. A single letter before the colon is a drive of Windows. */
function findTargetKind(target: string): TargetKind | null {
  if (/^postgres(?:ql)?:\/\//.test(target)) return 'database'
  if (target.startsWith('s3://')) return 'bucket'
  return /^[a-z][a-z0-9+.-]+:\//i.test(target) ? null : 'folder'
}

async function openCopy(context: CliContext, flags: SyncFlags, kind: TargetKind): Promise<Copy> {
  const { source } = toSyncOptions(context, flags)
  const options = { source, format: flags.format ?? 'jsonl', restart: flags.restart === true }
  switch (kind) {
    case 'database': {
      const { openPostgresCopy } = await import('../metrics/postgres-copy.ts')
      return openPostgresCopy({ url: flags.to, ...options })
    }
    case 'bucket': {
      const { openS3Copy } = await import('../metrics/s3-copy.ts')
      return openS3Copy({ target: flags.to, env: context.env, ...options })
    }
    case 'folder': {
      const { openFileCopy } = await import('../metrics/file-copy.ts')
      return openFileCopy({ folder: flags.to, ...options })
    }
  }
}

function toSyncOptions(context: CliContext, { countedFrom, follow, every, pageSize, reviews }: SyncFlags) {
  return {
    source: {
      url: new URL(context.connection().url).href,
      org_id: context.selectOrganization().org_id ?? null,
      counted_from: countedFrom ?? null,
    },
    options: { pageSize, reviews, pollMs: follow === true ? every * 1000 : null },
  }
}

interface SummaryFlags {
  readonly from: string
  readonly to: string
  readonly by?: string
  readonly status?: 'merged' | 'closed' | 'all'
}

// The keys that each endpoint groups by, complete because of their types.
const groupKeys = {
  findings: listKeys<FindingGroupKey>({
    week: true,
    organization: true,
    repository: true,
    author: true,
    reviewer: true,
    severity: true,
    category: true,
  }),
  reviews: listKeys<ReviewGroupKey>({ week: true, repository: true }),
  mcp: listKeys<UsageGroupKey>({ week: true, server: true, tool: true }),
}

function listKeys<Key extends string>(keys: Readonly<Record<Key, true>>): readonly Key[] {
  return Object.keys(keys) as Key[]
}

type SummarySource = keyof typeof groupKeys

function addSummary(metrics: Command, context: CliContext): void {
  const command = metrics
    .command('summary')
    .description(
      'Show how many findings were accepted, how long reviews took, or which MCP tools were called',
    )
    .addArgument(
      metrics
        .createArgument('[what]', 'findings (their acceptance), reviews (times of pull requests) or mcp')
        .choices(Object.keys(groupKeys))
        .default('findings'),
    )
    .addOption(firstDayOption())
    .addOption(lastDayOption())
    .option(
      '--by <keys>',
      `group by any of ${groupKeys.findings.join(', ')} (findings), ${groupKeys.reviews.join(', ')} (reviews), ` +
        `${groupKeys.mcp.join(', ')} (mcp); separated by commas (default: week, of mcp server)`,
    )
    .addOption(statusOption())
    .action(async (what: SummarySource, { from, to, by, status }: SummaryFlags) => {
      if (status !== undefined && what !== 'reviews')
        command.error('error: --status is an option of "metrics summary reviews" only')
      const fail = (message: string) => command.error(`error: option '--by <keys>': ${message}`)
      switch (what) {
        case 'findings': {
          const { showSummary } = await import('../metrics/summary.ts')
          return showSummary(context, { from, to, by: parseKeys(by ?? 'week', groupKeys.findings, fail) })
        }
        case 'reviews': {
          const { showReviewSummary } = await import('../metrics/summaries.ts')
          const keys = parseKeys(by ?? 'week', groupKeys.reviews, fail)
          return showReviewSummary(context, { from, to, by: keys, status: status ?? 'merged' })
        }
        case 'mcp': {
          const { showUsageSummary } = await import('../metrics/summaries.ts')
          return showUsageSummary(context, { from, to, by: parseKeys(by ?? 'server', groupKeys.mcp, fail) })
        }
      }
    })
  addExamples(command, [
    { command: 'scholiast metrics summary', explains: `The last ${DEFAULT_DAYS} days` },
    {
      command: 'scholiast metrics summary --from 2026-10-01 --to 2026-10-31 --by repository,severity',
      explains: 'A month by repository and severity',
    },
    {
      command: 'scholiast metrics summary reviews --status all --by repository',
      explains: 'How long pull requests took, by repository',
    },
    {
      command: 'scholiast metrics summary mcp --by server,tool',
      explains: 'MCP tool calls and errors',
    },
  ])
}

function addFindings(metrics: Command, context: CliContext): void {
  const command = metrics
    .command('findings')
    .description('List findings with their outcomes, and who or what decided them')
    .addOption(firstDayOption())
    .addOption(lastDayOption())
    .option('--reviewer <name>', 'findings of this reviewer')
    .addOption(
      new Option('--outcome <outcome>', 'findings with this outcome').choices([
        'accepted',
        'not_accepted',
        'unknown',
      ]),
    )
    .action(async (options: FindingOptions) => {
      const { listFindings } = await import('../metrics/reviewers.ts')
      await listFindings(context, options)
    })
  addExamples(command, [
    {
      command: 'scholiast metrics findings --from 2026-10-01 --to 2026-10-07 --outcome unknown',
      explains: 'Findings of a week without an outcome',
    },
  ])
}

function addReviewers(metrics: Command, context: CliContext): void {
  const command = metrics
    .command('reviewers')
    .description('Compare reviewers: what was accepted, what only one of them found, and what it costs')
    .addOption(firstDayOption())
    .addOption(lastDayOption())
    .action(async (options: { from: string; to: string }) => {
      const { showReviewers } = await import('../metrics/reviewers.ts')
      await showReviewers(context, options)
    })
  addExamples(command, [
    { command: 'scholiast metrics reviewers', explains: `The last ${DEFAULT_DAYS} days` },
    {
      command: 'scholiast metrics reviewers --from 2026-10-01 --to 2026-10-31 --json',
      explains: 'A month, with the overlap of each pair of reviewers',
    },
  ])
}

function statusOption(): Option {
  return new Option('--status <status>', 'pull requests with this status (reviews only)').choices([
    'merged',
    'closed',
    'all',
  ])
}

function firstDayOption(): Option {
  return new Option('--from <date>', 'first day, YYYY-MM-DD, UTC')
    .argParser(parseDay)
    .default(toDay(DEFAULT_DAYS - 1), `the last ${DEFAULT_DAYS} days`)
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

function parseKeys<Key extends string>(
  text: string,
  known: readonly Key[],
  fail: (message: string) => never,
): Key[] {
  return text
    .split(',')
    .map(
      (key) =>
        known.find((name) => name === key.trim()) ?? fail(`"${key}" is not one of ${known.join(', ')}.`),
    )
}

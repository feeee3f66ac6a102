import { createHash } from 'node:crypto'
import type { Item } from '@scholiast/sdk'
import { type Command, Option } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { readInput, writeOutput } from '../files.ts'
import { parseCount } from '../numbers.ts'

type Finding = Item<'/v1/security/scans/code'>

interface FilterOptions {
  readonly repo?: string
  readonly scan?: string
  readonly state: 'open' | 'fixed' | 'dismissed' | 'all'
}

interface UploadOptions {
  readonly repo: string
  readonly provider: string
  readonly host?: string
  readonly scanId?: string
  readonly category?: string
  readonly branch?: string
  readonly commit?: string
  readonly partial?: boolean
}

export function addSecurityCommands(security: Command, context: CliContext): void {
  const list = addFilters(security.command('list'))
    .description('List findings of security scans')
    .option('--limit <count>', 'at most this many findings', parseCount, 100)
    .action((options: FilterOptions & { limit: number }) => listFindings(context, options))
  addExamples(list, [
    { command: 'scholiast security list', explains: 'The first 100 open findings' },
    {
      command: 'scholiast security list --repo 620118401 --state all --json',
      explains: 'Findings of one repository, as JSON',
    },
  ])
  const exportCommand = addFilters(security.command('export'))
    .description('Download findings as a SARIF or CSV file')
    .addOption(new Option('--as <format>', 'format').choices(['sarif', 'csv']).default('sarif'))
    .option('--out <file>', 'file (default: stdout)')
    .action((options: FilterOptions & { as: 'sarif' | 'csv'; out?: string }) =>
      exportFindings(context, options),
    )
  addExamples(exportCommand, [
    { command: 'scholiast security export --out findings.sarif', explains: 'For code scanning tools' },
    {
      command: 'scholiast security export --as csv --state all --out findings.csv',
      explains: 'For a spreadsheet',
    },
  ])
  const upload = security
    .command('upload')
    .description('Upload a SARIF file from a scanner (needs an ingest credential)')
    .argument('<file>', 'SARIF 2.1.0 file (- for stdin)')
    .requiredOption('--repo <id>', 'repository: its ID at the Git provider')
    .option('--provider <name>', 'Git provider', 'github')
    .option('--host <name>', 'host of the Git provider (default: its cloud host)')
    .option('--scan-id <id>', 'a scan with the same ID counts once (default: from the content of the file)')
    .option('--category <name>', 'replaces the category of the runs')
    .option('--branch <name>', 'replaces the branch of the runs')
    .option('--commit <sha>', 'replaces the revision of the runs')
    .option('--partial', 'the scan is partial: missing findings are not marked as fixed')
    .action((file: string, options: UploadOptions) => uploadScan(context, file, options))
  addExamples(upload, [
    {
      command: 'scholiast security upload results.sarif --org 41207731 --repo 620118401 --branch main',
      explains: 'Findings appear in scholiast security list after a few seconds',
    },
  ])
}

function addFilters(command: Command): Command {
  return command
    .option('--repo <id>', 'repository: its ID at the Git provider')
    .option('--scan <id>', 'ID of a scan')
    .addOption(
      new Option('--state <state>', 'state').choices(['open', 'fixed', 'dismissed', 'all']).default('open'),
    )
}

function toQuery(context: CliContext, { repo, scan, state }: FilterOptions) {
  return {
    ...context.selectOrganization(),
    ...(repo !== undefined && { repo_id: repo }),
    ...(scan !== undefined && { scan_id: scan }),
    state,
  }
}

async function listFindings(context: CliContext, options: FilterOptions & { limit: number }): Promise<void> {
  const { out } = context
  const { limit } = options
  const findings: Finding[] = []
  const query = { ...toQuery(context, options), limit: Math.min(limit + 1, 1000) }
  let hasMore = false
  for await (const finding of context.client().items('/v1/security/scans/code', { query })) {
    hasMore = findings.length === limit
    if (hasMore) break
    findings.push(finding)
  }
  out.rows(
    findings,
    [
      { heading: 'SEVERITY', value: ({ severity }) => severity },
      { heading: 'STATE', value: ({ state }) => state },
      { heading: 'CWE', value: ({ cwe }) => cwe },
      { heading: 'REPOSITORY', value: (finding) => finding.repository_name },
      {
        heading: 'LOCATION',
        value: ({ file_path: path, start_line: line }) => (line === null ? path : `${path}:${line}`),
      },
      { heading: 'TITLE', value: ({ title }) => title, flexible: true },
    ],
    'No findings match.',
  )
  if (hasMore)
    out.note(`There are more than ${limit}. Set --limit to see them, or use "scholiast security export".`)
}

async function exportFindings(
  context: CliContext,
  options: FilterOptions & { as: 'sarif' | 'csv'; out?: string },
): Promise<void> {
  const response = await context.client().stream('GET', '/v1/security/scans/code', {
    query: { ...toQuery(context, options), format: options.as },
    headers: { accept: options.as === 'csv' ? 'text/csv' : 'application/sarif+json' },
  })
  if (response.body === null) throw new CliError('The service returned no file.')
  await writeOutput(context, options.out, response.body)
  if (options.out !== undefined) context.out.note(`Wrote ${options.out}.`)
}

async function uploadScan(context: CliContext, file: string, options: UploadOptions): Promise<void> {
  const { out } = context
  const { org_id: org } = context.selectOrganization()
  if (org === undefined) {
    throw new CliError('The organization of the repository is missing.', {
      next: 'Add --org ID; "scholiast organizations list" shows the IDs.',
      exitCode: exitCodes.usage,
    })
  }
  const content = await readInput(context, file)
  const response = await context.ingestClient().stream('POST', '/ingest/v1/sarif', {
    query: {
      provider: options.provider,
      host: options.host,
      org_id: org,
      repo_id: options.repo,
      // So that a retry, or the same file again, is the same scan.
      scan_id: options.scanId ?? createHash('sha256').update(content).digest('hex').slice(0, 32),
      category: options.category,
      branch: options.branch,
      commit: options.commit,
      ...(options.partial === true && { complete: false }),
    },
    headers: { 'content-type': 'application/sarif+json' },
    body: content,
  })
  const { scans } = (await response.json()) as {
    scans: { scan_id: string; tool: string; category: string; findings: number }[]
  }
  out.rows(
    scans,
    [
      { heading: 'SCAN', value: (scan) => scan.scan_id },
      { heading: 'TOOL', value: ({ tool }) => tool },
      { heading: 'CATEGORY', value: ({ category }) => category },
      { heading: 'FINDINGS', value: (scan) => scan.findings, right: true },
    ],
    'The file has no runs.',
  )
}

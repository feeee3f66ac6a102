import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditLog, Get, Item } from '@scholiast/sdk'
import type { Command } from 'commander'
import { verifyChain } from '../audit-chain.ts'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { readInput, writeOutput } from '../files.ts'
import { formatCounted } from '../output.ts'
import { parseReceipt, verifyReceiptInLog } from '../receipt.ts'

type AuditRow = Item<'/v1/audit-logs'>

interface FilterOptions {
  readonly search?: string
  readonly action?: readonly string[]
  readonly resourceType?: readonly string[]
  readonly since?: string
  readonly until?: string
}

interface TailOptions extends FilterOptions {
  readonly lines: string
  readonly follow?: boolean
}

interface VerifyOptions {
  readonly keys?: string
  readonly receipt?: string
}

/** A line of an export. */
type ExportLine =
  | { readonly kind: 'row'; readonly row: AuditRow }
  | { readonly kind: 'link'; readonly link: AuditLog['links'][number] }
  | { readonly kind: 'head'; readonly head: AuditLog['heads'][number] }
  | { readonly kind: 'public_key'; readonly public_key: AuditLog['publicKeys'][number] }

const POLL_MS = 5000
const CHAIN_PAGE_SIZE = 10_000

export function addAuditCommands(audit: Command, context: CliContext): void {
  const tail = addFilters(audit.command('tail'))
    .description('Show the newest rows of the audit log')
    .option('--lines <count>', 'number of rows, 1 to 100', '10')
    .option('--follow', 'wait for new rows; end with Ctrl-C')
    .action((options: TailOptions) => tailLog(context, options))
  addExamples(tail, [
    { command: 'scholiast audit tail', explains: 'The newest 10 rows' },
    {
      command: 'scholiast audit tail --action key_created,key_revoked --lines 50',
      explains: 'Key changes',
    },
    { command: 'scholiast audit tail --follow --json', explains: 'New rows as JSON, one per line' },
  ])
  const exportCommand = audit
    .command('export')
    .description('Export the audit log with its hash chain, one JSON object per line')
    .option('--out <file>', 'file (default: stdout)')
    .action((options: { out?: string }) => exportLog(context, options.out))
  addExamples(exportCommand, [
    { command: 'scholiast audit export --out audit.jsonl', explains: 'A file for scholiast audit verify' },
  ])
  const verify = audit
    .command('verify')
    .description('Verify an exported audit log offline, or the log of the service')
    .argument('[file]', 'file of scholiast audit export (default: read from the service)')
    .option('--keys <ids>', 'IDs of signing keys that you noted earlier, comma-separated; others are refused')
    .option('--receipt <file>', 'receipt of an offboarding; its rows must be in the log')
    .action((file: string | undefined, options: VerifyOptions) => verifyLog(context, file, options))
  addExamples(verify, [
    { command: 'scholiast audit verify audit.jsonl', explains: 'Needs no service' },
    {
      command: 'scholiast audit verify --keys 55f81a12910a1d66',
      explains: 'Read the log and trust one key only',
    },
    {
      command: 'scholiast audit verify audit.jsonl --receipt RECEIPT',
      explains: 'Offline: check that the log has what an offboarding receipt says',
    },
  ])
}

function addFilters(command: Command): Command {
  const split = (text: string) => text.split(',')
  return command
    .option('--search <name>', 'part of the name of the actor or owner')
    .option('--action <names>', 'actions, comma-separated', split)
    .option('--resource-type <names>', 'resource types, comma-separated', split)
    .option('--since <date>', 'from this date or time')
    .option('--until <date>', 'to this date or time')
}

function toQuery(context: CliContext, options: FilterOptions) {
  return {
    ...context.selectOrganization(),
    ...(options.search !== undefined && { search: options.search }),
    ...(options.action !== undefined && { actions: [...options.action] }),
    ...(options.resourceType !== undefined && { resource_types: [...options.resourceType] }),
    ...(options.since !== undefined && { date_from: options.since }),
    ...(options.until !== undefined && { date_to: options.until }),
  }
}

async function tailLog(context: CliContext, options: TailOptions): Promise<void> {
  const { out } = context
  if (!/^(?:[1-9]\d?|100)$/.test(options.lines)) {
    throw new CliError('--lines must be 1 to 100.', { exitCode: exitCodes.usage })
  }
  const client = context.client()
  const query = toQuery(context, options)
  let page = await client.get('/v1/audit-logs', {
    query: { ...query, page: 1, page_size: Number(options.lines) },
  })
  for (const { message } of page.warnings) out.note(message)
  const rows = page.data.toReversed()
  if (options.follow !== true) {
    if (out.isJson) out.json(rows)
    else if (rows.length === 0) out.note('No rows match.')
    else printRows(context, rows)
    return
  }
  const print = (row: AuditRow) => (out.isJson ? out.json(row) : out.line(renderRow(row)))
  rows.forEach(print)
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  while (!interrupted.signal.aborted) {
    page = await client.get('/v1/audit-logs', {
      query: { ...query, cursor: page.next_cursor, page_size: 100 },
    })
    page.data.forEach(print)
    if (page.has_more !== true) await sleep(POLL_MS, undefined, interrupted).catch(() => undefined)
  }
}

function printRows({ out }: CliContext, rows: readonly AuditRow[]): void {
  out.table(rows, [
    { heading: 'TIME', value: (row) => row.createdAt },
    { heading: 'ROW', value: ({ position }) => position, right: true },
    { heading: 'ACTION', value: ({ action }) => action },
    { heading: 'ACTOR', value: ({ actor }) => describeActor(actor) },
    { heading: 'RESOURCE', value: (row) => row.resourceSummary, flexible: true },
  ])
}

function renderRow({ createdAt, position, action, actor, resourceSummary }: AuditRow): string {
  return `${createdAt}  ${position}  ${action}  ${describeActor(actor)}  ${resourceSummary}`
}

function describeActor({ name, owner }: AuditRow['actor']): string {
  return owner === null || owner.name === name ? name : `${name} (${owner.name})`
}

async function exportLog(context: CliContext, file: string | undefined): Promise<void> {
  let count = 0
  const progress = context.out.progress({ label: 'Exporting' })
  const lines = async function* () {
    for await (const line of readLog(context)) {
      count += 1
      progress.update(count)
      yield `${JSON.stringify(line)}\n`
    }
  }
  try {
    await writeOutput(context, file, lines())
  } finally {
    progress.done()
  }
  if (file !== undefined) context.out.note(`Wrote ${formatCounted(count, 'line')} to ${file}.`)
}

/** Rows first, then the chain: so the chain has all rows that were read. */
async function* readLog(context: CliContext): AsyncGenerator<ExportLine> {
  const client = context.client()
  const query = context.selectOrganization()
  for await (const row of client.items('/v1/audit-logs', { query: { ...query, page_size: 100 } })) {
    yield { kind: 'row', row }
  }
  const keys = new Set<string>()
  let page: Get<'/v1/audit-logs/chain'>
  let after = 0
  do {
    page = await client.get('/v1/audit-logs/chain', { query: { ...query, after, limit: CHAIN_PAGE_SIZE } })
    for (const link of page.data) yield { kind: 'link', link }
    for (const head of page.heads) yield { kind: 'head', head }
    for (const key of page.public_keys) if (!keys.has(key.key)) yield { kind: 'public_key', public_key: key }
    for (const { key } of page.public_keys) keys.add(key)
    after = page.data.at(-1)?.position ?? after
  } while (page.data.length === CHAIN_PAGE_SIZE)
}

async function verifyLog(
  context: CliContext,
  file: string | undefined,
  { keys, receipt: receiptFile }: VerifyOptions,
): Promise<void> {
  const { out } = context
  const lines = file === undefined ? readLog(context) : parseLines(await readInput(context, file), file)
  const log = await collect(lines)
  const result = await verifyChain(log, keys?.split(',') ?? [])
  if (receiptFile !== undefined) {
    const receipt = parseReceipt((await readInput(context, receiptFile)).toString('utf8'), receiptFile)
    verifyReceiptInLog(receipt, log.links)
    out.note(
      `The receipt is valid: the log has its ${formatCounted(receipt.rows.length, 'row')}, ` +
        (receipt.head.position <= result.signed_to ? 'covered by a signed head.' : 'not signed yet.'),
    )
  }
  if (out.isJson) {
    out.json({ valid: true, ...result })
    return
  }
  out.line(
    `The audit log is valid: ${result.rows} ${result.rows === 1 ? 'row' : 'rows'}, ${result.readable} of them readable with this key.`,
  )
  if (result.heads === 0) {
    out.note('Nothing is signed: the chain alone does not detect a rewrite of all rows.')
    return
  }
  out.line(
    `${result.heads} signed heads match; the last one covers row ${result.signed_to}. Signing keys: ${result.keys.join(', ')}`,
  )
}

async function collect(lines: AsyncIterable<ExportLine> | Iterable<ExportLine>): Promise<AuditLog> {
  const log = {
    rows: [] as AuditRow[],
    links: [] as AuditLog['links'][number][],
    heads: [] as AuditLog['heads'][number][],
    publicKeys: [] as AuditLog['publicKeys'][number][],
  }
  for await (const line of lines) {
    if (line.kind === 'row') log.rows.push(line.row)
    else if (line.kind === 'link') log.links.push(line.link)
    else if (line.kind === 'head') log.heads.push(line.head)
    else log.publicKeys.push(line.public_key)
  }
  return log
}

function* parseLines(content: Buffer, file: string): Generator<ExportLine> {
  for (const [index, text] of content.toString('utf8').split('\n').entries()) {
    if (text === '') continue
    try {
      const line = JSON.parse(text) as ExportLine
      if (line.kind in { row: 1, link: 1, head: 1, public_key: 1 }) {
        yield line
        continue
      }
    } catch {
      // Reported below.
    }
    throw new CliError(`Line ${index + 1} of ${file} is not a line of an export.`, {
      next: 'Write the file with "scholiast audit export --out FILE".',
    })
  }
}

import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Client } from '@scholiast/sdk'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import type { Output } from '../output.ts'
import { type ByteSink, openFileSink, toStreamSink } from './byte-sink.ts'
import { CutOffError, copyLines, countLines } from './lines.ts'
import { type Format, writeTable } from './table-file.ts'
import { commentsTable, mcpTable, reviewsTable, type Table } from './tables.ts'
import { countFindings, findTotal } from './total.ts'

export type ExportSource = 'comments' | 'reviews' | 'mcp'

export interface ExportQuery {
  readonly start_date: string
  readonly end_date: string
  readonly org_id?: string
  readonly status?: 'merged' | 'closed' | 'all'
}

export interface ExportOptions {
  readonly source: ExportSource
  readonly query: ExportQuery
  readonly format: Format
  /** null: standard output. */
  readonly file: string | null
}

const tables: Readonly<Record<ExportSource, Table>> = {
  comments: commentsTable,
  reviews: reviewsTable,
  mcp: mcpTable,
}
const MAX_LINES = 100_000
const MAX_CUT_OFF = 5

/** Returns the number of pull requests. A file appears when it is complete. */
export async function exportMetrics(
  client: Client,
  options: ExportOptions,
  context: CliContext,
): Promise<number> {
  const { file, format } = options
  const { stdout } = context
  const partial = file === null ? null : `${file}.partial`
  try {
    const count =
      format === 'jsonl'
        ? await exportLines(client, options, context, partial ?? stdout)
        : await exportTable(client, options, format, context, partial ?? stdout)
    if (partial !== null && file !== null) await rename(partial, file)
    return count
  } catch (error) {
    if (partial !== null) await rm(partial, { force: true })
    throw error
  }
}

async function openSink(target: string | Writable): Promise<ByteSink> {
  return typeof target === 'string' ? await openFileSink(target) : toStreamSink(target)
}

/** A table is written from lines on the disk: a response that was cut off can be taken back there. */
async function exportTable(
  client: Client,
  options: ExportOptions,
  format: Exclude<Format, 'jsonl'>,
  context: CliContext,
  target: string | Writable,
): Promise<number> {
  const lines =
    typeof target === 'string' ? `${target}.jsonl` : join(tmpdir(), `scholiast-${randomUUID()}.jsonl`)
  try {
    const count = await exportLines(client, options, context, lines)
    const sink = await openSink(target)
    await writeTable(lines, tables[options.source], format, sink)
    await sink.close()
    return count
  } finally {
    await rm(lines, { force: true })
  }
}

async function exportLines(
  client: Client,
  { source, query }: ExportOptions,
  context: CliContext,
  target: string | Writable,
): Promise<number> {
  const hasTotal = source === 'comments' || (source === 'reviews' && query.status === 'merged')
  const total = hasTotal ? await findTotal(client, query, context) : null
  const progress = context.out.progress({ label: 'Exporting', ...(total !== null && { total }) })
  const sink = await openSink(target)
  let rows = 0
  let findings = 0
  const tally: Tally = {
    add(addedRows, addedFindings) {
      rows += addedRows
      findings += addedFindings
      progress.update(total === null ? rows : findings)
    },
    showsFindings: total !== null,
  }
  try {
    if (source === 'comments') await copyComments(client, query, sink, tally, context.out)
    else await copyPages(client, source, query, sink, tally)
    await sink.close()
    return rows
  } finally {
    progress.done()
  }
}

/** Pull requests are counted for the result, findings for the progress bar. */
interface Tally {
  add(rows: number, findings: number): void
  readonly showsFindings: boolean
}

/** The lines of the response are the lines of the file: they are not parsed. */
async function copyComments(
  client: Client,
  query: ExportQuery,
  sink: ByteSink,
  tally: Tally,
  out: Output,
): Promise<void> {
  let cursor: string | null = null
  for (let failures = 0; ; ) {
    const start = sink.position()
    let rows = 0
    let findings = 0
    const response = await client.stream('GET', '/v1/metrics/review-comments', {
      query: { ...query, limit: MAX_LINES, cursor },
      headers: { accept: 'application/x-ndjson' },
    })
    try {
      const end = await copyLines(response.body ?? new ReadableStream(), (lines) => {
        const added = countLines(lines)
        const addedFindings = tally.showsFindings ? countFindings(lines) : 0
        rows += added
        findings += addedFindings
        tally.add(added, addedFindings)
        return sink.write(lines)
      })
      if (end.next_cursor === null) return
      cursor = end.next_cursor
      failures = 0
    } catch (error) {
      if (!(error instanceof CutOffError)) throw error
      failures += 1
      if (sink.rewind === undefined || failures === MAX_CUT_OFF) throw toCutOff(sink)
      out.note('The response was cut off. Reading it again from the last cursor.')
      await sink.rewind(start)
      tally.add(-rows, -findings)
    }
  }
}

function toCutOff(sink: ByteSink): CliError {
  return new CliError('The response was cut off.', {
    next:
      sink.rewind === undefined
        ? 'What was printed is not complete. Run the command again with --out FILE, which repeats such responses.'
        : 'Run the command again when the connection is better, or with a shorter window.',
    exitCode: exitCodes.unavailable,
  })
}

async function copyPages(
  client: Client,
  source: 'reviews' | 'mcp',
  query: ExportQuery,
  sink: ByteSink,
  tally: Tally,
): Promise<void> {
  const { status, ...window } = query
  if (source === 'mcp') {
    for await (const { data } of client.pages('/v1/metrics/mcp', { query: window })) {
      await sink.write(toLines(data))
      tally.add(data.length, 0)
    }
    return
  }
  const reviews = { ...window, ...(status !== undefined && { status }) }
  for await (const { data } of client.pages('/v1/metrics/reviews', { query: reviews })) {
    await sink.write(toLines(data))
    const posted = data.map(({ coderabbit_comments: counters }) => counters.total.posted)
    tally.add(
      data.length,
      posted.reduce((sum, count) => sum + count, 0),
    )
  }
}

function toLines(records: readonly unknown[]): Uint8Array {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@scholiast/sdk'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { formatCounted, type Output } from '../output.ts'
import type { Copy, CopySource, Review } from './copy.ts'
import { CutOffError, countLines, type StreamEnd } from './lines.ts'
import { countFindings, findTotal } from './total.ts'

export interface SyncOptions {
  readonly source: CopySource
  /** Changes per request. */
  readonly pageSize: number
  /** Milliseconds between polls; null: end when everything is read. */
  readonly pollMs: number | null
  /** Whether to copy all pull requests, with and without findings. */
  readonly reviews: boolean
  /** Ends the run after the current response. */
  readonly signal: AbortSignal
}

export interface SyncResult {
  readonly changes: number
  /** null: they were not read to the end. */
  readonly pullRequests: number | null
  readonly location: string
}

const MAX_CUT_OFF = 5
// While following, the files are merged at most this often, and never for more than a tenth of the time.
const MIN_PUBLISH_MS = 30_000
// All pull requests are read again, a thousand per request: while following, at most this often.
const MIN_REVIEWS_MS = 15 * 60_000

/** Reads the feed from the cursor of the copy to its end, and then follows it if that is wanted. */
export async function syncCopy(
  client: Client,
  copy: Copy,
  options: SyncOptions,
  context: CliContext,
): Promise<SyncResult> {
  const { out } = context
  const { pollMs, signal } = options
  let changes = 0
  let published = Number.NEGATIVE_INFINITY
  let publishMs = 0
  let reviewsRead = Number.NEGATIVE_INFINITY
  let pullRequests: number | null = null
  const updateReviews = async () => {
    if (!options.reviews || signal.aborted || performance.now() - reviewsRead < MIN_REVIEWS_MS) return
    pullRequests = (await replaceReviews(client, copy, options, out)) ?? pullRequests
    reviewsRead = performance.now()
  }
  const publish = async () => {
    try {
      await updateReviews()
    } finally {
      const started = performance.now()
      await copy.publish()
      published = performance.now()
      publishMs = published - started
    }
  }
  for (;;) {
    const added = await readToEnd(client, copy, options, context)
    changes += added
    const isDue = performance.now() - published >= Math.max(MIN_PUBLISH_MS, 10 * publishMs)
    if (pollMs === null || signal.aborted) break
    if (isDue) await publish()
    if (added > 0) out.note(`${formatCounted(added, 'change')} applied.`)
    await sleep(pollMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
  }
  await publish()
  return { changes, pullRequests, location: copy.location }
}

/** Returns how many pull requests there are; null if the run was stopped before the last page, and nothing was replaced. */
async function replaceReviews(
  client: Client,
  copy: Copy,
  { source, signal }: SyncOptions,
  out: Output,
): Promise<number | null> {
  const progress = out.progress({ label: 'Reading pull requests' })
  let count = 0
  async function* readPages(): AsyncGenerator<readonly Review[], void> {
    const query = {
      start_date: source.counted_from ?? '0001-01-01',
      end_date: '9999-12-31',
      status: 'all' as const,
      ...(source.org_id !== null && { org_id: source.org_id }),
    }
    for await (const { data } of client.pages('/v1/metrics/reviews', { query })) {
      signal.throwIfAborted()
      yield data
      count += data.length
      progress.update(count)
    }
  }
  try {
    await copy.replaceReviews(readPages())
    return count
  } catch (error) {
    if (signal.aborted) return null
    throw error
  } finally {
    progress.done()
  }
}

async function readToEnd(
  client: Client,
  copy: Copy,
  options: SyncOptions,
  context: CliContext,
): Promise<number> {
  const { out } = context
  const { source, signal } = options
  // Only the first read has a known size: what changed since is not counted anywhere.
  const total =
    copy.cursor() === null
      ? await findTotal(client, { start_date: source.counted_from, org_id: source.org_id }, context)
      : null
  const progress = out.progress({ label: 'Reading', ...(total !== null && { total }) })
  let changes = 0
  let units = 0
  const onLines = (lines: Uint8Array) => {
    changes += countLines(lines)
    units += total === null ? countLines(lines) : countFindings(lines)
    progress.update(units)
  }
  try {
    let end: StreamEnd
    do end = await readPage(client, copy, options, out, onLines)
    while (end.has_more === true && !signal.aborted)
    return changes
  } finally {
    progress.done()
  }
}

async function readPage(
  client: Client,
  copy: Copy,
  { source, pageSize }: SyncOptions,
  out: Output,
  onLines: (lines: Uint8Array) => void,
): Promise<StreamEnd> {
  for (let attempt = 1; ; attempt++) {
    const response = await client.stream('GET', '/v1/metrics/review-comments/changes', {
      query: {
        limit: pageSize,
        cursor: copy.cursor(),
        counted_from: source.counted_from,
        org_id: source.org_id,
      },
      headers: { accept: 'application/x-ndjson' },
    })
    try {
      return await copy.apply(response.body ?? new ReadableStream(), onLines)
    } catch (error) {
      if (!(error instanceof CutOffError)) throw error
      if (attempt === MAX_CUT_OFF) throw toCutOff(error)
      out.note('The response was cut off. Reading it again from the last cursor.')
    }
  }
}

function toCutOff(error: CutOffError): CliError {
  return new CliError(`The response was cut off ${MAX_CUT_OFF} times: ${error.message}`, {
    next: 'Run the command again, with a smaller --page-size on a slow connection. What was read is stored.',
    exitCode: exitCodes.unavailable,
  })
}

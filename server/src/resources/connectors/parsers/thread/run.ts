import { Worker } from 'node:worker_threads'
import { decodeOutcome, type ThreadResponse } from '../../../../thread-response.ts'
import type { OwnBot } from '../../schema.ts'
import type { PullRequestSnapshot } from '../../snapshot.ts'
import type { ParsedComments } from '../parse-comments.ts'

/** What is posted to the thread. */
export interface ParseRequest {
  readonly snapshot: PullRequestSnapshot
  readonly ownBots: readonly OwnBot[]
}

export type ParseInThread = (
  snapshot: PullRequestSnapshot,
  ownBots: readonly OwnBot[],
) => Promise<ParsedComments>

/** The most that one pull request may have takes a tenth of it on a busy machine. */
const MAX_PARSE_MS = 5000
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
const entry = new URL('entry.ts', import.meta.url)

/** The thread was ended: it took too long, or needed too much memory. */
class ParseLimitError extends Error {
  override readonly name = 'ParseLimitError'
}

/**
 * Parses comments, which are texts of strangers, in one thread of the process. A pull request that takes it too long ends the
 * thread; the next one starts it again.
 */
export function createThreadParser(maxParseMs = MAX_PARSE_MS): ParseInThread {
  let thread: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()

  async function parse(request: ParseRequest): Promise<ParsedComments> {
    thread ??= startThread()
    const used = thread
    const { promise, resolve, reject } = Promise.withResolvers<ThreadResponse<ParsedComments>>()
    const fail = () => reject(new ParseLimitError('The comments of a pull request exceed a limit.'))
    const timer = setTimeout(fail, maxParseMs)
    used.once('message', resolve).once('exit', fail)
    try {
      used.postMessage(request)
      return decodeOutcome(await promise)
    } catch (error) {
      thread = null
      await used.terminate()
      throw error
    } finally {
      clearTimeout(timer)
      used.off('message', resolve).off('exit', fail)
      used.unref()
    }
  }

  // One at a time, so that each has the whole time.
  return (snapshot, ownBots) => {
    const result = last.then(() => parse({ snapshot, ownBots }))
    last = result.catch(() => {})
    return result
  }
}

function startThread(): Worker {
  // The thread needs no credentials of the process.
  const thread = new Worker(entry, { env: {}, execArgv: [], resourceLimits })
  // Without a listener an error would end the process. A thread that runs out of memory exits.
  thread.on('error', () => {})
  return thread
}

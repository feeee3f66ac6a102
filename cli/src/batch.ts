// Requests that change many users: at most 500 each, with a result per user.
import type { CliContext } from './context.ts'
import { exitCodes } from './exit.ts'

interface BatchResult {
  readonly succeeded: readonly string[]
  readonly failed: readonly { readonly id: string; readonly code: string; readonly message: string }[]
}

const MAX_BATCH_SIZE = 500

export function splitBatches<Item>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = []
  for (let start = 0; start < items.length; start += MAX_BATCH_SIZE) {
    batches.push(items.slice(start, start + MAX_BATCH_SIZE))
  }
  return batches
}

/** Prints who failed and why, and sets the exit code if somebody did. */
export function reportBatch({ out }: CliContext, results: readonly BatchResult[], done: string): void {
  const succeeded = results.flatMap((result) => result.succeeded)
  const failed = results.flatMap((result) => result.failed)
  if (failed.length > 0) process.exitCode = exitCodes.partial
  if (out.isJson) {
    out.json({ succeeded, failed })
    return
  }
  for (const id of succeeded) out.line(`${id}  ${done}`)
  if (failed.length > 0) {
    out.table(failed, [
      { heading: 'FAILED', value: ({ id }) => id },
      { heading: 'CODE', value: ({ code }) => code },
      { heading: 'REASON', value: ({ message }) => message, flexible: true },
    ])
  }
  out.note(`${succeeded.length} succeeded, ${failed.length} failed.`)
}

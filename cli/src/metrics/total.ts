import { type Client, ScholiastError } from '@scholiast/sdk'
import type { CliContext } from '../context.ts'

interface Window {
  readonly start_date?: string | null
  readonly end_date?: string | null
  readonly org_id?: string | null
}

// Every finding has this field once, and nothing else has it.
const FIELD = '"severity"'

/** How many findings there are to read, for the remaining time; null if nobody sees the progress, or it is not available. */
export async function findTotal(
  client: Client,
  window: Window,
  { stderr, options }: CliContext,
): Promise<number | null> {
  if (!stderr.isTTY || options.quiet === true) return null
  const query = {
    start_date: window.start_date ?? '0001-01-01',
    end_date: window.end_date ?? '9999-12-31',
    ...(window.org_id != null && { org_id: window.org_id }),
  }
  try {
    const { data } = await client.get('/v1/metrics/summary', { query })
    return data[0]?.posted ?? 0
  } catch (error) {
    // The command reports why, if its own request fails too.
    if (error instanceof ScholiastError) return null
    throw error
  }
}

/** The findings in some lines of a response. Much faster than parsing them. */
export function countFindings(lines: Uint8Array): number {
  const buffer = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)
  let count = 0
  for (let at = buffer.indexOf(FIELD); at !== -1; at = buffer.indexOf(FIELD, at + FIELD.length)) count += 1
  return count
}

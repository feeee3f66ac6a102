import type { Result } from '@scholiast/sdk'
import { client } from '../../api/client.ts'

export type Decision = 'approve' | 'disapprove'

/** As many as one request takes. */
const BATCH = 100

export interface Decided {
  readonly decision: Decision
  readonly results: Result<'post', '/v1/learnings/approvals'>['results']
  /** Why a request failed. Its decisions and those after it were not made. */
  readonly error: Error | null
}

/** Decides in the order given. A failed request ends it, and the results before it are returned all the same. */
export async function decideAll(
  ids: readonly string[],
  decision: Decision,
  headers: Record<string, string>,
): Promise<Decided> {
  const results: Decided['results'] = []
  for (let start = 0; start < ids.length; start += BATCH) {
    const decisions = ids.slice(start, start + BATCH).map((learning_id) => ({ learning_id, decision }))
    try {
      results.push(
        ...(await client.post('/v1/learnings/approvals', { body: { decisions }, headers })).results,
      )
    } catch (error) {
      return { decision, results, error: error instanceof Error ? error : new Error(String(error)) }
    }
  }
  return { decision, results, error: null }
}

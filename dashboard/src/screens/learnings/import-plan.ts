import type { Result } from '@scholiast/sdk'
import { toCanonicalText } from '../../../../cli/src/rules-files/identity.ts'
import { parseRulesFile, type RulesStatement } from '../../../../cli/src/rules-files/parse.ts'
import { client } from '../../api/client.ts'

type Sent = Result<'post', '/v1/learnings'>['results'][number]

/** As on the command line: larger requests may exceed the time that the server has for one under load. */
const BATCH = 50

export interface PlanEntry {
  readonly statement: RulesStatement
  readonly result: Sent
}

export interface Plan {
  /** Only a plan: nothing was written. */
  readonly isPreview: boolean
  readonly entries: readonly PlanEntry[]
  /** Why a request failed. Its statements and those after it were not sent. */
  readonly error: Error | null
}

export class ExportedFileError extends Error {}

/** Each text once, as the command line sends it. */
export function readStatements(name: string, content: string): RulesStatement[] {
  // Without the hashes of an export, none of its texts is recognized: all of them are missing.
  const { statements, missing } = parseRulesFile(name, content, () => '')
  if (missing.length > 0 || statements.some(({ carried }) => carried !== null))
    throw new ExportedFileError(
      'This file was written by an export. Only the command line recognizes which of its Learnings have changed since.',
    )
  return [
    ...new Map(statements.map((statement) => [toCanonicalText(statement.text), statement] as const)).values(),
  ]
}

interface Import {
  readonly repositoryId: string
  readonly statements: readonly RulesStatement[]
  readonly isPreview: boolean
}

export async function sendStatements(
  { repositoryId, statements, isPreview }: Import,
  headers: Record<string, string>,
): Promise<Plan> {
  const entries: PlanEntry[] = []
  for (let start = 0; start < statements.length; start += BATCH) {
    const batch = statements.slice(start, start + BATCH)
    const data = batch.map(({ text, file, sourceUrl }) => ({
      repository_id: repositoryId,
      learning: text,
      import: true,
      ...(file !== null && { file }),
      ...(sourceUrl !== null && { source_url: sourceUrl }),
    }))
    try {
      const { results } = await client.post('/v1/learnings', { body: { dry_run: isPreview, data }, headers })
      for (const result of results) {
        const statement = batch[result.index]
        if (statement !== undefined) entries.push({ statement, result })
      }
    } catch (error) {
      return { isPreview, entries, error: error instanceof Error ? error : new Error(String(error)) }
    }
  }
  return { isPreview, entries, error: null }
}

/** Whether the text has a flag, and an Admin must decide on it. */
export function isProposed({ result: { status, state } }: PlanEntry): boolean {
  return status === 'created' && state === 'pending'
}

/** Only what the plan creates is sent: sending a text that exists would share it if it waits for a decision. */
export function toCreate({ entries }: Plan): RulesStatement[] {
  return entries.filter(({ result }) => result.status === 'created').map(({ statement }) => statement)
}

import { parseCsv } from './csv.ts'
import { getRulesFormat, type RulesFormat } from './format.ts'
import { type FrontMatter, parseFrontMatter } from './front-matter.ts'
import { globsToFile, splitGlobs } from './globs.ts'
import { type CarriedIdentity, parseIdentities } from './identity.ts'
import { parseStatements } from './markdown.ts'

/** A statement of a rules file: one Learning. */
export interface RulesStatement {
  readonly text: string
  readonly line: number
  /** From the globs of the rule, or from the export. */
  readonly file: string | null
  /** Only in CSV files. */
  readonly repositoryId: string | null
  readonly sourceUrl: string | null
  /** The Learning that an export wrote with exactly this text. */
  readonly carried: CarriedIdentity | null
}

export interface RulesFile {
  readonly statements: readonly RulesStatement[]
  /** Learnings of an export whose text is no longer in the file: somebody edited or removed it. */
  readonly missing: readonly CarriedIdentity[]
}

export class RulesFileError extends Error {}

/** Recognizes the texts of an export by their hashes. */
type HashText = (text: string) => string

/** Pure, because a browser reads rules files too. `path` decides on the format. */
export function parseRulesFile(path: string, content: string, hashText: HashText): RulesFile {
  const text = content.replace(/^\uFEFF/, '')
  return getRulesFormat(path) === 'csv'
    ? readCsv(text, hashText)
    : readMarkdown(path, text.replaceAll(/\r\n?/g, '\n'), hashText)
}

function readMarkdown(path: string, text: string, hashText: HashText): RulesFile {
  const { content, identities } = parseIdentities(text)
  const { values, body, bodyLine } = parseFrontMatter(content)
  const file = globsToFile(getGlobs(getRulesFormat(path), values))
  const byHash = new Map(identities.map((identity) => [identity.textHash, identity]))
  const statements = parseStatements(body, {
    isKnown: (statement) => byHash.has(hashText(statement)),
    firstLine: bodyLine,
  }).map((statement): RulesStatement => {
    const carried = byHash.get(hashText(statement.text)) ?? null
    return {
      ...statement,
      file: carried === null ? file : carried.file,
      repositoryId: null,
      sourceUrl: carried?.sourceUrl ?? null,
      carried,
    }
  })
  return { statements, missing: findMissing(identities, statements) }
}

function getGlobs(format: RulesFormat, values: FrontMatter['values']): string[] {
  if (format === 'cursor') {
    const isForAll = values.get('alwaysApply')?.[0] === 'true'
    return isForAll ? [] : (values.get('globs') ?? []).flatMap(splitGlobs)
  }
  return format === 'copilot' ? (values.get('applyTo') ?? []).flatMap(splitGlobs) : []
}

function findMissing(
  identities: readonly CarriedIdentity[],
  statements: readonly RulesStatement[],
): CarriedIdentity[] {
  const found = new Set(statements.map(({ carried }) => carried?.id))
  return identities.filter(({ id }) => !found.has(id))
}

function readCsv(text: string, hashText: HashText): RulesFile {
  const [header, ...rows] = parseCsv(text)
  const names = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  if (!names.includes('learning'))
    throw new RulesFileError(
      'The first line of a CSV file names its columns, and one of them must be "learning".',
    )
  const missing: CarriedIdentity[] = []
  const statements = rows.flatMap(({ cells, line }): RulesStatement[] => {
    const cell = (name: string) => {
      const value = cells[names.indexOf(name)] ?? ''
      return names.includes(name) && value.trim() !== '' ? value : null
    }
    const learning = cell('learning')
    if (learning === null) return []
    const [id, textHash, file, sourceUrl] = [cell('id'), cell('text_hash'), cell('file'), cell('source_url')]
    const identity = id === null ? null : { id, textHash, file, sourceUrl }
    const isEdited = textHash !== null && textHash !== hashText(learning)
    if (identity !== null && isEdited) missing.push(identity)
    const carried = isEdited ? null : identity
    return [{ text: learning, line, file, repositoryId: cell('repository_id'), sourceUrl, carried }]
  })
  return { statements, missing }
}

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const folder = new URL('../../migrations/', import.meta.url)

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
  /** False: each statement runs on its own, as `create index concurrently` requires. */
  readonly inTransaction: boolean
  /** Set if the file removes what only version N−1 uses, once `after`, a backfill, is done; null = it only adds. */
  readonly contract: { readonly after: string | null } | null
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => parseMigration(name, await readFile(new URL(name, folder), 'utf8'))),
  )
}

const instruction = /^-- migrate: (?:(no transaction)|(contract)(?: after ([a-z][a-z0-9-]*))?)$/

/** The first lines of a file may be instructions: `-- migrate: no transaction`, `-- migrate: contract [after BACKFILL]`. */
export function parseMigration(name: string, sql: string): Migration {
  let inTransaction = true
  let contract: Migration['contract'] = null
  for (const line of sql.split('\n')) {
    if (!line.startsWith('-- migrate:')) break
    const match = instruction.exec(line)
    if (match === null) throw new Error(`Migration ${name} has an unknown instruction: ${line}`)
    if (match[1] !== undefined) inTransaction = false
    if (match[2] !== undefined) contract = { after: match[3] ?? null }
  }
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), inTransaction, contract }
}

// What may contain a semicolon that ends no statement, then the semicolon itself.
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[a-z_]\w*)?\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\/|;/gi

/** The statements of a file, without those that consist of comments only. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let start = 0
  for (const { 0: text, index } of sql.matchAll(token)) {
    if (text !== ';') continue
    statements.push(sql.slice(start, index))
    start = index + 1
  }
  statements.push(sql.slice(start))
  return statements.map(trimComments).filter((text) => text !== '')
}

function trimComments(statement: string): string {
  return statement.replace(/^(?:\s+|--[^\n]*|\/\*[\s\S]*?\*\/)+/, '').trimEnd()
}

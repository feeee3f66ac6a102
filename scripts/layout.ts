// Checks file names, where SQL and endpoints are, and that tables that any string may look up are Maps.
import { basename } from 'node:path'
import { getArea, getLineNumber, type SourceFile, type Violation } from './sources.ts'

const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test|\.config|\.d)?\.(?:tsx?|sql)$/
const migrationName = /^server\/migrations\/\d{4}_[a-z0-9]+(?:[-_][a-z0-9]+)*\.sql$/
const routeFile = /^server\/src\/resources\/(?:[^/]+\/)+(?:[\w-]+-)?route\.ts$/
const sqlFile = /^server\/src\/(?:db\/|.*(?:\/|-)sql\.ts$)/

// A statement, a query with a literal text, or a literal that looks like SQL.
const sqlText = new RegExp(
  [
    /\bstatement\(\s*['"`]/,
    /\.query(?:<[^(]*>)?\(\s*['"`]/,
    /['"`]\s*(?:select\s[^'"`]*\sfrom\s|insert\s+into\s|delete\s+from\s|update\s+\w+\s[^'"`]*\bset\s)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

export function checkLayout(sources: readonly SourceFile[]): Violation[] {
  return [
    ...sources.flatMap(checkName),
    ...sources.flatMap(checkSql),
    ...sources.flatMap(checkTables),
    ...checkEndpoints(sources),
  ]
}

// TypeScript allows a lookup by any string only in a type like this one, so other tables cannot have the fault.
const stringTable =
  /^(?:export )?const \w+:[^=;]*\bRecord<string,[^=;]*>\s*=\s*(?!\{\}|Object\.create\(null\))/gm

function checkTables({ file, text, isTest }: SourceFile): Violation[] {
  if (getArea(file) !== 'server/src' || isTest) return []
  return [...text.matchAll(stringTable)].map(({ index }) => ({
    file,
    line: getLineNumber(text, index),
    what: 'is a table that any string looks up, but not a Map',
    why: 'an object has inherited properties: a sender’s `constructor` would find one',
    todo: 'use a Map, or a closed union as the type of the key',
  }))
}

function checkName({ file }: SourceFile): Violation[] {
  const name = basename(file)
  if (/^index\.tsx?$/.test(name)) {
    const why = 'the name does not describe the content, and a barrel hides where a name is defined'
    return [{ file, line: 1, what: 'is a barrel', why, todo: 'name it after what it does' }]
  }
  if (kebabCase.test(name) || migrationName.test(file)) return []
  const why = 'all files are named alike, and the same on every file system'
  return [{ file, line: 1, what: 'is not named in kebab-case', why, todo: 'rename it' }]
}

function checkSql({ file, text, isTest }: SourceFile): Violation[] {
  if (getArea(file) !== 'server/src' || isTest || sqlFile.test(file)) return []
  const lines = [...new Set([...text.matchAll(sqlText)].map(({ index }) => getLineNumber(text, index)))]
  const [line] = lines
  if (line === undefined) return []
  const what = `contains SQL${lines.length === 1 ? '' : ` (lines ${lines.join(', ')})`}`
  const why = 'statements are read and reviewed in one place'
  return [{ file, line, what, why, todo: 'move it to sql.ts, or <what>-sql.ts, of its folder' }]
}

/** Endpoints are defined in a route.ts, and routes.ts imports every route.ts. */
function checkEndpoints(sources: readonly SourceFile[]): Violation[] {
  const routes = sources.find(({ file }) => file === 'server/src/routes.ts')
  const listed = new Set(routes?.imports.map(({ target }) => target))
  return sources
    .filter(({ file, isTest }) => getArea(file) === 'server/src' && !isTest)
    .flatMap(({ file, text }) => {
      const defined = /\bdefineEndpoint\(\s*\{/.exec(text)
      if (defined !== null && !routeFile.test(file)) {
        const why = 'a reader finds every endpoint of a resource in its route.ts'
        const line = getLineNumber(text, defined.index)
        return [{ file, line, what: 'defines an endpoint', why, todo: "move it to the resource's route.ts" }]
      }
      if (!routeFile.test(file) || listed.has(file)) return []
      const why = 'an endpoint that is not listed is not served'
      return [{ file, line: 1, what: 'is not in routes.ts', why, todo: 'list it in server/src/routes.ts' }]
    })
}

// Checks that every path of the API in the dashboard's source is in openapi.json: the dashboard is a client of the public API.
import { globSync, readFileSync } from 'node:fs'
import { repository } from './installation.ts'
import { getLineNumber, printViolations, type Violation } from './sources.ts'

const { paths } = JSON.parse(readFileSync(`${repository}openapi.json`, 'utf8')) as { paths: object }
const known = new Set(Object.keys(paths))
const pathLiteral = /(['"`])(\/(?:v1|ingest|scim|auth)\/[^'"`\s]*)\1/g

const files = globSync('dashboard/src/**/*.{ts,tsx}', { cwd: repository })
const calls = files.flatMap((file) => {
  const text = readFileSync(`${repository}${file}`, 'utf8')
  return [...text.matchAll(pathLiteral)].map((match) => ({
    file,
    path: match[2] ?? '',
    line: getLineNumber(text, match.index),
  }))
})
const violations: Violation[] = calls
  .filter(({ path }) => !known.has(path))
  .map(({ file, line, path }) => ({
    file,
    line,
    what: `names ${path}, which is not in openapi.json`,
    why: 'the dashboard shows nothing that others cannot read by the public API',
    todo: 'use an endpoint of openapi.json, or add one to the API first',
  }))
if (calls.length === 0) throw new Error('No path was found in dashboard/src.')
process.exitCode = printViolations('check-dashboard', violations)

// Finds the project's former dialect (dialect.txt) in tracked texts, so that it does not come back.
// `node scripts/check-language.ts [folder]` names every line that uses it and fails if there is one.
import { readFileSync } from 'node:fs'
import { extname, join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getLineNumber, listFiles, printViolations, readFileOrEmpty, type Violation } from './sources.ts'

interface Form {
  readonly pattern: RegExp
  readonly suggestion: string
}

const DIALECT = 'scripts/dialect.txt'
const textExtensions = new Set([
  '',
  '.ts',
  '.tsx',
  '.mjs',
  '.js',
  '.md',
  '.json',
  '.sql',
  '.sh',
  '.yaml',
  '.yml',
])

// Generated, data, or not ours.
const excluded = [
  'server/schema.sql',
  'openapi.json',
  'events.schema.json',
  'package-lock.json',
  'LICENSE',
  'server/src/text/tokens/**',
]

export function checkLanguage(root: string): Violation[] {
  const { forms, allowed } = parseDialect(readFileOrEmpty(join(root, DIALECT)))
  return listFiles(root)
    .filter((file) => textExtensions.has(extname(file)) && !excluded.some((glob) => matchesGlob(file, glob)))
    .flatMap((file) => findForms(file, mask(readFileSync(join(root, file), 'utf8'), allowed), forms))
}

function parseDialect(text: string): { forms: Form[]; allowed: string[] } {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const allowed = lines.filter((line) => line.startsWith('= ')).map((line) => line.slice(2))
  const forms = lines
    .filter((line) => !line.startsWith('= '))
    .map((line) => {
      const [pattern = '', suggestion = 'the usual word'] = line.split(' -> ')
      return { pattern: new RegExp(pattern, 'g'), suggestion }
    })
  return { forms, allowed }
}

/** Replaces allowed texts by as many characters, so that line numbers and the rest stay as they are. */
function mask(text: string, allowed: readonly string[]): string {
  return allowed.reduce((masked, exact) => masked.replaceAll(exact, ' '.repeat(exact.length)), text)
}

function findForms(file: string, text: string, forms: readonly Form[]): Violation[] {
  return forms.flatMap(({ pattern, suggestion }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      file,
      line: getLineNumber(text, index),
      what: `uses "${found}"`,
      why: 'a reader should not have to learn a vocabulary first',
      todo: `write: ${suggestion}; if it is a stored name, allow the exact text in ${DIALECT}`,
    })),
  )
}

if (import.meta.main) {
  const root = process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url))
  process.exitCode = printViolations('check-language', checkLanguage(root))
}

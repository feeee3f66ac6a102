// Checks the documentation against the repository: paths, commands and their options in Markdown exist, some pages have a maximum
// length, no file names a path of a machine, and every install script is listed in package.json.
// `node scripts/check-docs.ts [folder]` prints every violation and fails if there is one; with --words, the size of each page of docs/.
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commands } from '../server/src/commands.ts'
import { listCommandOptions } from './command-reference.ts'
import { checkTitles, renderWords } from './doc-pages.ts'
import { getLineNumber, listFiles, printViolations, readFileOrEmpty, type Violation } from './sources.ts'

interface Page {
  readonly file: string
  readonly text: string
}

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

const maxLines: Readonly<Record<string, number>> = {
  'AGENTS.md': 60,
  'README.md': 150,
  'DECISIONS.md': 700,
  'docs/proofs.md': 250,
}
const fileExtensions = new Set(['.ts', '.tsx', '.sql', '.md', '.json', '.yaml', '.yml', '.svg', '.png'])
const binaryExtensions = new Set(['.png', '.jpg', '.gif', '.ico', '.woff2'])

// A path is relative to its page or to one of these folders.
const startingPoints = ['', 'server', 'server/src']

const machineTraces: readonly (readonly [RegExp, string])[] = [
  [
    /(?<![\w.$}/-])\/(?:home|Users|root|work|workspaces?|builds)\/[\w.-]+/g,
    'names an absolute path of a machine',
  ],
  [/\b[A-Z]:\\Users\\\w+/g, 'names an absolute path of a machine'],
  [/\bregistry\.[a-z0-9-]+\.[a-z]{2,}/g, 'names the host of a package registry'],
  [/^\s*(?:@[\w-]+:)?registry\s*=/gm, 'names the host of a package registry'],
  [/"resolved":\s*"https?:/g, 'names the host of a package registry'],
]

export function checkDocs(root: string): Violation[] {
  const files = listFiles(root)
  const texts = files
    .filter((file) => !binaryExtensions.has(extname(file)))
    .map((file) => readPage(root, file))
  const pages = texts.filter(({ file }) => file.endsWith('.md'))
  const manifest = JSON.parse(readFileOrEmpty(join(root, 'package.json')) || '{}') as Manifest
  return [
    ...pages.flatMap((page) => checkPaths(root, page, files)),
    ...pages.flatMap((page) => checkCommands(page, manifest)),
    ...pages.flatMap(checkCommandLines),
    ...pages.flatMap(checkLength),
    ...checkTitles(root, pages),
    ...texts.flatMap(checkTraces),
    ...checkInstallScripts(root, manifest),
  ]
}

function readPage(root: string, file: string): Page {
  return { file, text: readFileSync(join(root, file), 'utf8') }
}

function checkPaths(root: string, { file, text }: Page, files: readonly string[]): Violation[] {
  const names = new Set(files.map((known) => basename(known)))
  const tops = new Set(files.map((known) => known.split('/')[0] ?? ''))
  const missing = namedPaths(text, tops).filter(({ path }) => !pathExists(root, file, path, names))
  return [...Map.groupBy(missing, ({ path }) => path)].map(([path, occurrences]) => ({
    file,
    line: getLineNumber(text, occurrences[0]?.index ?? 0),
    what: `names ${path}, which does not exist${occurrences.length === 1 ? '' : ` (${occurrences.length} times)`}`,
    why: 'a reader who follows a dead path stops trusting the page',
    todo: 'correct the path, or write a placeholder as <name>',
  }))
}

/** Link targets, and words in code that look like paths: they end like a file or start with a top-level folder. */
function namedPaths(text: string, tops: ReadonlySet<string>): { path: string; index: number }[] {
  const links = [...text.matchAll(/\]\((?![a-z]+:|#|\/)([^)\s#]+)[^)]*\)/g)]
  const code = [...text.matchAll(/^ {0,3}```[^]*?^ {0,3}```|`[^`\n]+`/gm)].flatMap(({ 0: span, index }) =>
    [...span.matchAll(/[^\s`'"()|;,=]+/g)].map((word) => ({ word: word[0], index: index + word.index })),
  )
  const words = code
    .map(({ word, index }) => ({ path: word.replace(/^\.\/|[.:]+$/g, ''), index }))
    .filter(({ path }) => /^[\w.@-]+(?:\/[\w.@-]+)*\/?$/.test(path))
    .filter(({ path }) => looksLikeFile(path) || (path.includes('/') && tops.has(path.split('/')[0] ?? '')))
  return [...links.map(({ 1: path = '', index }) => ({ path, index })), ...words]
}

function looksLikeFile(path: string): boolean {
  return fileExtensions.has(extname(path)) && /[a-z]/.test(basename(path, extname(path)))
}

function pathExists(root: string, page: string, path: string, names: ReadonlySet<string>): boolean {
  const starts = [dirname(page), ...startingPoints]
  if (starts.some((start) => existsSync(join(root, posix.join(start, path))))) return true
  // A bare name such as sql.ts stands for every file of that name; .dev and the like are generated, not tracked.
  return names.has(path) || isIgnoredOutput(root, path)
}

function isIgnoredOutput(root: string, path: string): boolean {
  const ignored = readFileOrEmpty(join(root, '.gitignore')).split('\n')
  return ignored.some((pattern) => pattern.endsWith('/') && `${path}/`.startsWith(pattern))
}

function checkCommands({ file, text }: Page, { scripts = {} }: Manifest): Violation[] {
  return [...text.matchAll(/\bnpm (?:run ([a-z][\w:-]*)|(test|start)\b)/g)]
    .filter(([, script, shorthand = '']) => !Object.hasOwn(scripts, script ?? shorthand))
    .map(({ 0: command, index }) => ({
      file,
      line: getLineNumber(text, index),
      what: `names \`${command}\`, which package.json does not have`,
      why: 'a reader can paste a command from a page',
      todo: 'correct the command, or add the script to package.json',
    }))
}

interface CommandLine {
  /** What stands before the name of a command. */
  readonly prefix: RegExp
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>
}

const commandLines: readonly CommandLine[] = [
  {
    prefix: /\bnpm run (?:--silent )?admin -- /g,
    commands: new Map(
      commands.map(({ name, options }) => [
        name,
        new Set(['--json', '--help', ...Object.keys(options).map((option) => `--${option}`)]),
      ]),
    ),
  },
  { prefix: /(?<![\w@/.-])scholiast (?=[a-z])/g, commands: await listCommandOptions() },
]

/** Commands in code of a page: their names, and options up to the end of the line or the next command. */
function checkCommandLines({ file, text }: Page): Violation[] {
  const spans = [...text.matchAll(/^ {0,3}```[^]*?^ {0,3}```|`[^`\n]+`/gm)]
  return spans.flatMap(({ 0: span, index: start }) => {
    // A line that goes on with the next one is one line, of the same length.
    const code = span.replaceAll('\\\n', '  ')
    return commandLines.flatMap(({ prefix, commands: known }) =>
      [...code.matchAll(prefix)].flatMap(({ 0: before, index }) => {
        const line = /^[^\n`|;&#]*/.exec(code.slice(index + before.length))?.[0] ?? ''
        const fault = findCommandFault(line, known)
        if (fault === null) return []
        return {
          file,
          line: getLineNumber(text, start + index),
          what: `names \`${before}${fault}\`, which does not exist`,
          why: 'a reader can paste a command from a page',
          todo: 'correct the command',
        }
      }),
    )
  })
}

/** The part of the line that is wrong; null if it names a command and options that it has. A group alone is a name too. */
function findCommandFault(line: string, known: CommandLine['commands']): string | null {
  const words = /^[a-z][a-z-]*(?: [a-z][a-z-]*)?/.exec(line)?.[0] ?? ''
  if (words === '') return null
  const [group = ''] = words.split(' ')
  const name = [words, group].find((candidate) => known.has(candidate))
  if (name === undefined) {
    const isGroup = words === group && [...known.keys()].some((command) => command.startsWith(`${group} `))
    return isGroup ? null : words
  }
  const option = [...line.matchAll(/(?<=\s)--[a-z][\w-]*/g)].find(([word]) => !known.get(name)?.has(word))
  return option === undefined ? null : `${name} ${option[0]}`
}

function checkLength({ file, text }: Page): Violation[] {
  const max = maxLines[file]
  const lines = text.trimEnd().split('\n').length
  if (max === undefined || lines <= max) return []
  const what = `has ${lines} lines, at most ${max} are allowed`
  return [
    {
      file,
      line: max + 1,
      what,
      why: 'readers must be able to read it completely',
      todo: 'shorten it, or move details to another page',
    },
  ]
}

function checkTraces({ file, text }: Page): Violation[] {
  return machineTraces.flatMap(([pattern, what]) =>
    [...text.matchAll(pattern)].slice(0, 3).map(({ 0: trace, index }) => ({
      file,
      line: getLineNumber(text, index),
      what: `${what}: ${trace.trim()}`,
      why: 'the repository must work on every machine, with every mirror',
      todo: 'write a relative path or a variable; .npmrc keeps addresses out of package-lock.json',
    })),
  )
}

function checkInstallScripts(root: string, { allowScripts = {} }: Manifest): Violation[] {
  const text = readFileOrEmpty(join(root, 'package-lock.json'))
  const lock = JSON.parse(text || '{}') as { packages?: Record<string, { hasInstallScript?: boolean }> }
  return Object.entries(lock.packages ?? {})
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .filter(([path]) => !Object.hasOwn(allowScripts, path.replace(/^.*node_modules\//, '')))
    .map(([path]) => ({
      file: 'package-lock.json',
      line: getLineNumber(text, text.indexOf(`"${path}"`)),
      what: `${path} runs a script when it is installed`,
      why: 'code that runs at installation must be allowed explicitly',
      todo: 'list it in allowScripts of package.json: true, or false if it works without its script',
    }))
}

if (import.meta.main) {
  const words = process.argv.slice(2)
  const root = words.find((word) => !word.startsWith('--')) ?? fileURLToPath(new URL('../', import.meta.url))
  if (words.includes('--words'))
    console.log(
      renderWords(
        listFiles(root)
          .filter((file) => file.endsWith('.md'))
          .map((file) => readPage(root, file)),
      ),
    )
  else process.exitCode = printViolations('check-docs', checkDocs(root))
}

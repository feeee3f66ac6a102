// Runs the commands of documentation pages, so that what a page tells a newcomer to paste is known to work.
//   node scripts/run-docs.ts README.md#Start README.md#Try-it docs/agents.md
//   node scripts/run-docs.ts --all --except docs/start.md
// All ```sh blocks of the named pages or sections run in one bash shell, in the repository's root, in the given order.
// --all runs every page of docs/ that has such a block, each in a shell of its own, with the address and the keys of the demo in
// SCHOLIAST_URL, SCHOLIAST_API_KEY and SCHOLIAST_INGEST_KEY. The demo must run: npm run dev -- --once.
// Blocks with another info string (```console, ```json) do not run; the last line reports how many there were.
// A ```json output block is compared with what the ```sh block before it prints; "…" stands for any value or part of a text.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Block {
  readonly page: string
  /** The line of the block's first command. */
  readonly line: number
  readonly language: string
  /** Whether the block is the output of the one before it. */
  readonly isOutput: boolean
  readonly text: string
}

interface Section {
  readonly page: string
  /** As in the address of the heading, in any case; null selects the whole page. */
  readonly heading: string | null
}

const repository = fileURLToPath(new URL('..', import.meta.url))
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024
const longLine = /^(.{160}).+$/gm
/** In an expected output. */
const ANYTHING = '…'

if (import.meta.main) process.exitCode = runDocs(process.argv.slice(2))

function runDocs(words: readonly string[]): number {
  const started = Date.now()
  if (words.length === 0) {
    console.error('Usage: node scripts/run-docs.ts PAGE[#HEADING]… | --all [--except PAGE]…')
    return 2
  }
  const status =
    words[0] === '--all' ? runPages(words.slice(1)) : runBlocks(words.map(parseSection).flatMap(readBlocks))
  console.log(`run-docs: ${Math.round((Date.now() - started) / 1000)} s`)
  return status
}

/** Every page of docs/ with commands, except those that follow `--except`. */
function runPages(words: readonly string[]): number {
  const excluded = new Set(words.filter((word) => word !== '--except'))
  const pages = globSync('docs/**/*.md', { cwd: repository })
    .sort()
    .filter((page) => !excluded.has(page))
    .map((page) => findBlocks(page, null, readFileSync(join(repository, page), 'utf8')))
    .filter((blocks) => blocks.some(isCommand))
  const statuses = pages.map((blocks) => runBlocks(blocks, { variables: readDemoVariables(), isShort: true }))
  const count = pages.flat().filter(isCommand).length
  console.log(
    `\nrun-docs: ${count} sh blocks of ${pages.length} pages: ${pages.map(([block]) => block?.page).join(', ')}`,
  )
  return Math.max(0, ...statuses)
}

/** What a reader has set after the page Start: pages of the reference use these variables without introducing them. */
function readDemoVariables(): Readonly<Record<string, string>> {
  const demo = JSON.parse(readFileSync(join(repository, '.dev/demo.json'), 'utf8')) as {
    base_url: string
    keys: { user: string; ingest: string }
  }
  return {
    SCHOLIAST_URL: demo.base_url,
    SCHOLIAST_API_KEY: demo.keys.user,
    SCHOLIAST_INGEST_KEY: demo.keys.ingest,
  }
}

function parseSection(argument: string): Section {
  const [page = '', heading] = argument.split('#')
  return { page, heading: heading === undefined ? null : toSlug(heading) }
}

function readBlocks({ page, heading }: Section): Block[] {
  const blocks = findBlocks(page, heading, readFileSync(join(repository, page), 'utf8'))
  if (!blocks.some(isCommand)) {
    console.error(`${page}${heading === null ? '' : `#${heading}`} has no \`\`\`sh block.`)
    process.exit(1)
  }
  return blocks
}

function findBlocks(page: string, heading: string | null, text: string): Block[] {
  const blocks: Block[] = []
  let selectedLevel = heading === null ? 0 : null
  let open: { readonly line: number; readonly info: readonly string[]; readonly lines: string[] } | null =
    null
  for (const [index, content] of text.split('\n').entries()) {
    const fence = /^ {0,3}```\s*(.*)/.exec(content)
    if (open !== null) {
      if (fence === null) {
        open.lines.push(content)
      } else {
        const { line, info, lines } = open
        const [language = '', word] = info
        const block = { page, line, language, isOutput: word === 'output', text: `${lines.join('\n')}\n` }
        if (selectedLevel !== null) blocks.push(block)
        open = null
      }
    } else if (fence !== null) {
      open = { line: index + 2, info: (fence[1] ?? '').trim().split(/\s+/), lines: [] }
    } else if (heading !== null) {
      selectedLevel = selectLevel(heading, selectedLevel, content)
    }
  }
  if (open !== null) throw new Error(`${page}:${open.line - 1}: the code block is not closed.`)
  return blocks
}

/** The level of the selected section that the line is in, or null. A section ends at a heading of its level or above. */
function selectLevel(heading: string, selected: number | null, line: string): number | null {
  const [, marks, title] = /^(#{1,6})\s+(.+)$/.exec(line) ?? []
  if (marks === undefined || title === undefined) return selected
  if (toSlug(title) === heading) return marks.length
  return selected !== null && marks.length <= selected ? null : selected
}

function toSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

function isCommand({ language }: Block): boolean {
  return language === 'sh'
}

interface RunOptions {
  readonly variables?: Readonly<Record<string, string>>
  /** Cuts the lines of the output: pages of JSON are long. */
  readonly isShort?: boolean
}

function runBlocks(blocks: readonly Block[], { variables = {}, isShort = false }: RunOptions = {}): number {
  const commands = blocks.filter(isCommand)
  const folder = mkdtempSync(join(tmpdir(), 'run-docs-'))
  const expected = findExpectedOutputs(blocks)
  try {
    const script = commands.map((block, index) => {
      const file = join(folder, `${index}.sh`)
      writeFileSync(file, block.text)
      const show = `run_docs_block=${index}\nrun_docs_show '${file}' '${locate(block)}'\n`
      if (!expected.has(block)) return `${show}source '${file}'\n`
      const output = join(folder, `${index}.out`)
      return `${show}run_docs_output='${output}'\nsource '${file}' >'${output}'\ncat '${output}'\nrun_docs_output=\n`
    })
    const main = join(folder, 'main.sh')
    const state = join(folder, 'state')
    writeFileSync(main, prologue(state) + script.join('') + `run_docs_block=${commands.length}\n`)
    const { status, stdout } = spawnSync('bash', ['-c', 'exec bash -euo pipefail "$0" 2>&1', main], {
      cwd: repository,
      encoding: 'utf8',
      env: { ...process.env, ...variables },
      maxBuffer: MAX_OUTPUT_BYTES,
      stdio: ['ignore', isShort ? 'pipe' : 'inherit', 'inherit'],
    })
    if (isShort) console.log(stdout.replaceAll(longLine, '$1…'))
    const completed = Number(readFileSync(state, 'utf8'))
    const differences = commands.slice(0, completed).filter((block, index) => {
      const output = expected.get(block)
      return (
        output !== undefined && !printsExpected(output, readFileSync(join(folder, `${index}.out`), 'utf8'))
      )
    })
    return Math.max(report(blocks, completed, status), differences.length > 0 ? 1 : 0)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** By the block of commands that prints it. */
function findExpectedOutputs(blocks: readonly Block[]): ReadonlyMap<Block, Block> {
  return new Map(
    blocks.flatMap((block, index) => {
      const before = blocks[index - 1]
      if (!block.isOutput) return []
      if (before === undefined || !isCommand(before) || block.language !== 'json')
        throw new Error(
          `${locate(block)}: only JSON that follows a sh block can be compared with its output.`,
        )
      return [[before, block] as const]
    }),
  )
}

function printsExpected(expected: Block, printed: string): boolean {
  let value: unknown
  try {
    value = JSON.parse(printed)
  } catch {
    value = printed
  }
  if (matches(JSON.parse(expected.text), value)) return true
  console.error(`\n${locate(expected)}: the output differs. It was:\n${printed}`)
  return false
}

function matches(expected: unknown, value: unknown): boolean {
  if (expected === ANYTHING) return value !== undefined
  if (typeof expected === 'string' && typeof value === 'string') {
    const parts = expected.split(ANYTHING).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('[^]+')}$`).test(value)
  }
  if (expected === null || typeof expected !== 'object') return expected === value
  if (value === null || typeof value !== 'object' || Array.isArray(expected) !== Array.isArray(value))
    return false
  const names = Object.keys(expected)
  return (
    names.length === Object.keys(value).length &&
    names.every((name) => matches(toField(expected, name), toField(value, name)))
  )
}

function toField(holder: object, name: string): unknown {
  return (holder as Record<string, unknown>)[name]
}

/** The blocks share a shell, so a block that calls `exit 0` is found by the number of the block that ran last. */
function prologue(state: string): string {
  return `run_docs_block=0
run_docs_output=
run_docs_show() { printf '\\n== %s\\n' "$2"; sed 's/^/   /' "$1"; }
trap 'echo "$run_docs_block" >"${state}"; [ -z "$run_docs_output" ] || cat "$run_docs_output"' EXIT
`
}

function report(blocks: readonly Block[], completed: number, status: number | null): number {
  const commands = blocks.filter(isCommand)
  const failed = commands[completed]
  if (failed !== undefined)
    console.error(`\n${locate(failed)}: the block failed (exit status ${status ?? 'unknown'}).`)
  const others = blocks.length - commands.length
  console.log(
    `\nrun-docs: ${completed} of ${commands.length} sh blocks succeeded; ${others} other blocks not run.`,
  )
  return failed === undefined && status === 0 ? 0 : 1
}

function locate({ page, line }: Block): string {
  return `${page}:${line}`
}

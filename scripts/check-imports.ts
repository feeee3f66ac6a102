// Checks the direction of imports between the layers, and where files are (layout.ts).
// `node scripts/check-imports.ts [folder]` prints every violation and fails if there is one.
import { fileURLToPath } from 'node:url'
import { checkLayout } from './layout.ts'
import {
  getArea,
  getLineNumber,
  printViolations,
  readSources,
  type SourceFile,
  type Violation,
} from './sources.ts'

interface ModuleLocation {
  readonly layer: number
  /** Files of one module may import each other. */
  readonly module: string
}

// Layers of server/src, highest first. Every file belongs to one of them.
const layers: readonly (readonly string[])[] = [
  ['api.ts', 'worker.ts', 'admin.ts', 'check-events.ts'],
  ['routes.ts', 'consumers.ts', 'commands.ts', 'admin/'],
  ['backfills.ts'],
  ['resources/'],
  ['http/', 'bus/', 'metrics-store/', 'learning-index/'],
  ['text/'],
  ['access/'],
  ['db/', 'observe/'],
  ['config.ts', 'shape.ts', 'response-size.ts', 'thread-response.ts'],
  ['settings/'],
  ['errors.ts'],
  ['ids.ts', 'names.ts', 'plural.ts', 'public-url.ts', 'time.ts'],
]

// Outside server/src: what each area may import besides itself.
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  'server/test': ['server/src', 'fake-forge'],
  scripts: ['fake-forge'],
  'scripts/check-docs.ts': ['server/src'],
  'scripts/files-run.ts': ['bench'],
  'scripts/check-migrations.ts': ['server/src'],
  'scripts/generate.ts': ['server/src'],
  'scripts/generate-docs.ts': ['server/src', 'proofs', 'bench'],
  'scripts/results.ts': ['proofs'],
  'scripts/sql-snapshots.ts': ['server/src'],
  'scripts/test-chart.ts': ['server/src'],
  'scripts/forge-shapes.ts': ['server/src'],
  'scripts/record-forge.ts': ['server/src', 'fake-forge'],
  'scripts/command-reference.ts': ['cli'],
  // The suite and `scholiast conformance` share their rules.
  acceptance: ['cli'],
  proofs: ['server/test', 'fake-forge'],
  evals: ['server/test', 'proofs'],
  bench: ['server/test', 'proofs'],
  'bench/compare/side.ts': ['server/test', 'demo'],
  'bench/dashboard.ts': ['server/test', 'proofs', 'demo', 'dashboard'],
  'scripts/acceptance.ts': ['server/test'],
  'scripts/alerts-fixture.ts': ['server/test', 'fake-forge'],
  'scripts/test-alerts.ts': ['server/test'],
  'scripts/connect-fixture.ts': ['server/test', 'demo', 'fake-forge'],
  'scripts/connect.test.ts': ['server/test', 'fake-forge'],
  'scripts/test-clients.ts': ['server/test'],
  'demo/seed.test.ts': ['server/test'],
  'scripts/test-dashboard.ts': ['server/test'],
  'dashboard/e2e/open.ts': ['server/test', 'demo'],
  'dashboard/e2e/sign-in.test.ts': ['server/test'],
  // An import of rules files reads the same statements in the browser and on the command line.
  'dashboard/src/screens/learnings/import-plan.ts': ['cli'],
}

// These tools read the default export of their configuration.
const toolConfigs = new Set(['site/.vitepress/config.ts', 'dashboard/vite.config.ts'])

export function checkImports(root: string): Violation[] {
  const sources = readSources(root)
  return [
    ...sources.flatMap(checkLocation),
    ...sources.flatMap(checkDirection),
    ...findImportCycles(sources),
    ...sources.flatMap(checkExports),
    ...checkLayout(sources),
  ]
}

function locateModule(file: string): ModuleLocation | null {
  const path = file.slice('server/src/'.length)
  const layer = layers.findIndex((names) =>
    names.some((name) => (name.endsWith('/') ? path.startsWith(name) : path === name)),
  )
  if (layer === -1) return null
  const [folder = '', noun = ''] = path.split('/')
  if (folder === 'resources')
    return path.split('/').length < 3 ? null : { layer, module: `resources/${noun}` }
  return { layer, module: folder === 'commands.ts' ? 'admin' : folder }
}

function checkLocation({ file, isTest }: SourceFile): Violation[] {
  if (getArea(file) !== 'server/src' || isTest || locateModule(file) !== null) return []
  const why = 'every file of server/src belongs to a layer, and every file of resources/ to a noun'
  return [{ file, line: 1, what: 'belongs to no layer', why, todo: 'move it to the folder of its layer' }]
}

function checkDirection(source: SourceFile): Violation[] {
  const { file, imports } = source
  return imports.flatMap(({ line, specifier, target }) => {
    if (/^@scholiast\/server(?:\/|$)/.test(specifier)) return [forbidServerImport(file, line, specifier)]
    if (target === null) return []
    if (target.endsWith('.test.ts')) {
      const what = `imports the test ${target}`
      return [{ file, line, what, why: 'importing a test runs it', todo: 'move shared code to server/test' }]
    }
    const within = getArea(file) === 'server/src' && getArea(target) === 'server/src'
    return within ? checkLayers(source, line, target) : checkAreas(source, line, target)
  })
}

/** Tests use the whole request pipeline, so they may import from any layer. */
function checkLayers({ file, isTest }: SourceFile, line: number, target: string): Violation[] {
  const from = locateModule(file)
  const to = locateModule(target)
  if (isTest || from === null || to === null || from.module === to.module || from.layer < to.layer) return []
  const why = 'imports go down or stay in their folder, so that a module can be understood alone'
  if (from.layer > to.layer) {
    const todo = 'pass a value or a function in from the upper file'
    return [{ file, line, what: `imports upward: ${target}`, why, todo }]
  }
  const todo = 'move shared code one layer down, or pass it in from the layer above'
  return [{ file, line, what: `imports sideways: ${target}`, why, todo }]
}

function checkAreas({ file, isTest }: SourceFile, line: number, target: string): Violation[] {
  const [from, to] = [getArea(file), getArea(target)]
  const allowed =
    isTest && from === 'server/src'
      ? ['server/test', 'fake-forge']
      : (allowedImports[file] ?? allowedImports[from] ?? [])
  if (from === to || allowed.includes(to)) return []
  if (to.startsWith('server/')) return [forbidServerImport(file, line, target)]
  const why = 'each area outside the server is independent'
  return [
    {
      file,
      line,
      what: `imports ${target} of another area`,
      why,
      todo: `move what ${from} needs to ${from}`,
    },
  ]
}

function forbidServerImport(file: string, line: number, target: string): Violation {
  const why =
    'nothing imports the server: others call it or read openapi.json; proofs and benches use server/test'
  return {
    file,
    line,
    what: `imports ${target}`,
    why,
    todo: 'call the running service, or generate the code',
  }
}

/** Follows the imports of each file depth first; returning to a file on the current path is a cycle. */
function findImportCycles(sources: readonly SourceFile[]): Violation[] {
  const importsOf = new Map(sources.map(({ file, imports }) => [file, imports]))
  const done = new Set<string>()
  const cycles: Violation[] = []
  const follow = (file: string, path: readonly string[]): void => {
    done.add(file)
    for (const { line, target } of importsOf.get(file) ?? []) {
      if (target === null) continue
      const start = [...path, file].indexOf(target)
      if (start !== -1) cycles.push(describeCycle(file, line, [...path, file].slice(start)))
      else if (!done.has(target)) follow(target, [...path, file])
    }
  }
  for (const { file } of sources) if (!done.has(file)) follow(file, [])
  return cycles
}

function describeCycle(file: string, line: number, files: readonly string[]): Violation {
  const what = `closes a ring of imports: ${[...files, files[0]].join(' → ')}`
  const why = 'files in a cycle can only be understood, tested and moved together'
  return { file, line, what, why, todo: 'move shared code to a file that both import' }
}

// The entry points of packages: what they export is the interface.
const entryPoints = new Set(['sdk/src/sdk.ts', 'sandbox/src/sandbox.ts'])

/** server/test may re-export names: it is the only access of proofs and benchmarks to the server. */
function checkExports({ file, text }: SourceFile): Violation[] {
  const find = (pattern: RegExp, what: string, why: string, todo: string) =>
    [...text.matchAll(pattern)].map(({ index }) => ({
      file,
      line: getLineNumber(text, index),
      what,
      why,
      todo,
    }))
  const reExport = /^export\s+(?:type\s+)?(?:\*|\{[^}]*\}\s*from\b)/gm
  const defaultExport = /^export\s+default\b|^export\s*\{[^}]*\bas\s+default\b/gm
  return [
    ...(getArea(file) === 'server/test' || entryPoints.has(file)
      ? []
      : find(
          reExport,
          'is a barrel: re-exports names',
          'a barrel hides where a name is defined',
          'import from where it is defined',
        )),
    ...(toolConfigs.has(file)
      ? []
      : find(defaultExport, 'has a default export', 'a thing has one name everywhere', 'export it by name')),
  ]
}

if (import.meta.main) {
  const root = process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url))
  process.exitCode = printViolations('check-imports', checkImports(root))
}

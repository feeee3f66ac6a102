import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Replaces a whole function, method or constant, whatever its lines are. */
interface Replacement {
  readonly file: string
  /** `outer.inner` is a declaration inside another one. */
  readonly name: string
  /** The new declaration. */
  readonly by: string
}

/** Puts another function before a function or method, whatever its lines are. */
interface Wrapper {
  readonly file: string
  readonly name: string
  /** An expression: a function of the original and of what it is called with. It sees what the file declares and imports. */
  readonly wrap: string
}

/** Replaces a text inside a function, method or constant. A change of that text breaks the edit: prefer a replacement. */
interface PinnedEdit {
  readonly file: string
  /** Without a name, the whole file is searched. */
  readonly name?: string
  /** A text, or a pattern with the flag g. */
  readonly find: string | RegExp
  readonly replace: string
}

export type SourceEdit = Replacement | Wrapper | PinnedEdit

export interface SourceCopy {
  /** The folder of the copied server. */
  readonly folder: string
  /** The API entry point of the copy. */
  readonly apiEntry: string
  readonly workerEntry: string
  remove(): Promise<void>
}

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** A temporary copy of the server's source without a cure; the shipped server has no switch for that. */
export function copyWithout(edits: readonly SourceEdit[]): Promise<SourceCopy> {
  return copyServer(
    // A process compares the migrations with the database when it starts.
    ['src', 'migrations'],
    edits.map((edit) => ({ ...edit, file: `src/${edit.file}` })),
  )
}

/** A temporary copy of folders of the server, with edits to files of them. */
export async function copyServer(
  folders: readonly string[],
  edits: readonly SourceEdit[],
): Promise<SourceCopy> {
  const copy = `${repository}.dev/copies/${randomUUID()}`
  const folder = `${copy}/server`
  await mkdir(folder, { recursive: true })
  for (const name of folders)
    await cp(`${repository}server/${name}`, `${folder}/${name}`, { recursive: true })
  await cp(`${repository}server/package.json`, `${folder}/package.json`)
  const nodeModules = `${repository}server/node_modules`
  if (existsSync(nodeModules)) await symlink(nodeModules, `${folder}/node_modules`)
  await symlink(`${repository}server/model`, `${folder}/model`)
  await applyEdits(folder, edits)
  return {
    folder,
    apiEntry: `${folder}/src/api.ts`,
    workerEntry: `${folder}/src/worker.ts`,
    remove: () => rm(copy, { recursive: true }),
  }
}

/** A temporary copy of the compiled command line. */
export async function copyCommandLine(
  edits: readonly SourceEdit[],
): Promise<{ readonly entry: string; remove(): Promise<void> }> {
  const folder = `${repository}.dev/copies/${randomUUID()}`
  for (const name of ['dist', 'package.json'])
    await cp(`${repository}cli/${name}`, `${folder}/${name}`, { recursive: true })
  await applyEdits(folder, edits)
  return { entry: `${folder}/dist/scholiast.js`, remove: () => rm(folder, { recursive: true }) }
}

async function applyEdits(folder: string, edits: readonly SourceEdit[]): Promise<void> {
  for (const edit of edits) {
    const path = `${folder}/${edit.file}`
    await writeFile(path, applyEdit(await readFile(path, 'utf8'), edit))
  }
}

/** Returns the edited text of the file; throws if the edit no longer fits it. */
export function applyEdit(text: string, edit: SourceEdit): string {
  const declaration = edit.name === undefined ? text : findNested(text, edit.name)
  if (declaration === undefined) throw notFitting(edit, `nothing there is called ${edit.name}`)
  const edited = editDeclaration(declaration, edit)
  if (edited !== declaration) return text.replace(declaration, () => edited)
  throw notFitting(
    edit,
    'find' in edit ? `${edit.name ?? 'it'} does not contain ${edit.find}` : `${edit.name} is already that`,
  )
}

function notFitting({ file }: SourceEdit, reason: string): Error {
  return new Error(`The cure to remove was not found in ${file}: ${reason}`)
}

function editDeclaration(declaration: string, edit: SourceEdit): string {
  if ('by' in edit) return edit.by
  if ('wrap' in edit) return wrapDeclaration(declaration, edit)
  return declaration.replaceAll(edit.find, edit.replace)
}

function wrapDeclaration(declaration: string, { name, wrap }: Wrapper): string {
  const original = declaration.replace(/^export /, '').replace(name, `${name}WithCure`)
  if (!/^(?:export )?(?:async )?function\b/.test(declaration)) {
    const comma = declaration.endsWith(',') ? ',' : ''
    return `${original}\n${name}(...given) { return (${wrap})((...all) => this.${name}WithCure(...all), ...given) }${comma}`
  }
  const exported = declaration.startsWith('export ') ? 'export ' : ''
  return `${original}\n${exported}function ${name}(...given) { return (${wrap})(${name}WithCure, ...given) }`
}

function findNested(text: string, path: string): string | undefined {
  return path
    .split('.')
    .reduce<string | undefined>((outer, name) => outer && findDeclaration(outer, name), text)
}

/** From the line that declares the name to the one that closes it with the same indent, as the formatter writes them. */
function findDeclaration(text: string, name: string): string | undefined {
  const declares = new RegExp(
    `^( *)(?:export )?(?:(?:async )?function\\*? ${name}\\b|(?:const|class) ${name}\\b|(?:async )?${name}\\(.*\\{$)`,
  )
  const lines = text.split('\n')
  const first = lines.findIndex((line) => declares.test(line))
  if (first === -1) return undefined
  const [, indent = ''] = declares.exec(lines[first] ?? '') ?? []
  let end = first + 1
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? ''
    if (line === '' || line.startsWith(`${indent} `)) continue
    if (!/^[)}\]]/.test(line.slice(indent.length))) break
    if (!/[({[]$/.test(line)) return lines.slice(first, end + 1).join('\n')
  }
  return lines.slice(first, end).join('\n').trimEnd()
}

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface SourceEdit {
  readonly file: string
  /** A text, or a pattern with the flag g. */
  readonly find: string | RegExp
  readonly replace: string
}

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
  for (const { file, find, replace } of edits) {
    const path = `${folder}/${file}`
    const text = await readFile(path, 'utf8')
    const edited = text.replaceAll(find, replace)
    if (edited === text) throw new Error(`The cure to remove was not found in ${file}: ${find}`)
    await writeFile(path, edited)
  }
}

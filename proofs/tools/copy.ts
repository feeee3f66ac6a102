import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface SourceEdit {
  readonly file: string
  readonly find: string
  readonly replace: string
}

export interface SourceCopy {
  /** The API entry point of the copy. */
  readonly apiEntry: string
  readonly workerEntry: string
  remove(): Promise<void>
}

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** A temporary copy of the server's source without a cure; the shipped server has no switch for that. */
export async function copyWithout(edits: readonly SourceEdit[]): Promise<SourceCopy> {
  const copy = `${repository}.dev/copies/${randomUUID()}`
  const folder = `${copy}/server`
  await mkdir(folder, { recursive: true })
  await cp(`${repository}server/src`, `${folder}/src`, { recursive: true })
  await cp(`${repository}server/package.json`, `${folder}/package.json`)
  const nodeModules = `${repository}server/node_modules`
  if (existsSync(nodeModules)) await symlink(nodeModules, `${folder}/node_modules`)
  await symlink(`${repository}server/words.bin`, `${folder}/words.bin`)
  for (const { file, find, replace } of edits) {
    const path = `${folder}/src/${file}`
    const text = await readFile(path, 'utf8')
    if (!text.includes(find)) throw new Error(`The cure to remove was not found in ${file}: ${find}`)
    await writeFile(path, text.replaceAll(find, replace))
  }
  return {
    apiEntry: `${folder}/src/api.ts`,
    workerEntry: `${folder}/src/worker.ts`,
    remove: () => rm(copy, { recursive: true }),
  }
}

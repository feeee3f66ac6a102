import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, isAbsolute, join, normalize, resolve } from 'node:path'
import { CliError, exitCodes } from '../exit.ts'
import { rulesFilePatterns } from './format.ts'

export interface FoundFile {
  /** As it was given, or below the given folder. */
  readonly path: string
  readonly content: string
}

/** The named files, and the rules files of the named folders. */
export function findRulesFiles(cwd: string, paths: readonly string[]): FoundFile[] {
  const found = new Set(paths.flatMap((path) => listFiles(cwd, path)))
  return [...found].map((path) => ({ path, content: readFileSync(resolve(cwd, path), 'utf8') }))
}

function listFiles(cwd: string, path: string): string[] {
  const stat = statSync(resolve(cwd, path), { throwIfNoEntry: false })
  if (stat === undefined) throw new CliError(`${path} does not exist.`, { exitCode: exitCodes.usage })
  if (!stat.isDirectory()) return [isAbsolute(path) ? path : normalize(path)]
  return globSync([...rulesFilePatterns], {
    cwd: resolve(cwd, path),
    exclude: (name) => ['node_modules', '.git'].includes(basename(name)),
  })
    .toSorted()
    .map((name) => join(path, name))
}

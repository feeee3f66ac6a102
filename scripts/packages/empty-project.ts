// An empty project in which the packages of this repository are installed from `npm pack`, as a user gets them.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface EmptyProject {
  readonly folder: string
  /** The packed files. */
  readonly tarballs: readonly string[]
  run(command: string, words: readonly string[], env?: Readonly<Record<string, string>>): Output
  remove(): void
}

interface Output {
  readonly status: number | null
  readonly text: string
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}

export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Packs workspaces and installs them without the network. */
export function createEmptyProject(workspaces: readonly string[]): EmptyProject {
  const folder = mkdtempSync(`${tmpdir()}/scholiast-project-`)
  const run: EmptyProject['run'] = (command, words, env = {}) => runCommand(folder, command, words, env)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const packing = ['pack', '--silent', '--pack-destination', folder]
    const words = workspaces.map((workspace) => `--workspace=${workspace}`)
    const packed = runCommand(repository, 'npm', [...packing, ...words], {})
    assert.equal(packed.status, 0, packed.text)
    const tarballs = globSync('*.tgz', { cwd: folder }).sort()
    assert.equal(tarballs.length, workspaces.length)
    writeFileSync(`${folder}/package.json`, '{ "name": "empty", "private": true, "type": "module" }\n')
    copyDependencies(folder, workspaces)
    const installed = run('npm', [
      'install',
      '--offline',
      '--no-audit',
      '--no-fund',
      ...tarballs.map((name) => `./${name}`),
    ])
    assert.equal(installed.status, 0, installed.text)
    return { folder, tarballs: tarballs.map((name) => `${folder}/${name}`), run, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** npm downloads nothing that is there already. Tests must not depend on a registry. */
function copyDependencies(folder: string, workspaces: readonly string[]): void {
  const copied = new Set<string>()
  const copy = (from: string) => {
    const { dependencies = {} } = JSON.parse(readFileSync(`${from}/package.json`, 'utf8')) as Manifest
    for (const name of Object.keys(dependencies)) {
      if (name.startsWith('@scholiast/') || copied.has(name)) continue
      copied.add(name)
      const source = findDependency(from, name)
      mkdirSync(dirname(`${folder}/node_modules/${name}`), { recursive: true })
      cpSync(source, `${folder}/node_modules/${name}`, { recursive: true })
      copy(source)
    }
  }
  for (const workspace of workspaces) copy(repository + workspace)
}

function findDependency(from: string, name: string): string {
  for (let folder = from; folder.startsWith(repository.replace(/\/$/, '')); folder = dirname(folder)) {
    const candidate = `${folder}/node_modules/${name}`
    if (existsSync(candidate)) return candidate
  }
  throw new Error(`${name}, a dependency of ${from}, is not installed. Run npm ci.`)
}

function runCommand(
  cwd: string,
  command: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Output {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    env: { ...process.env, ...env },
  })
  return { status, text: error?.message ?? `${stdout}${stderr}` }
}

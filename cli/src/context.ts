// What every command gets: options, settings of the profile, output, and a client.
import type { Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import { type Client, type ClientOptions, createClient } from '@scholiast/sdk'
import type { Command } from 'commander'
import { CliError, exitCodes } from './exit.ts'
import { formatSeconds, Output, toTerminal } from './output.ts'
import { type Profile, readProfile } from './profiles.ts'

export interface GlobalOptions {
  readonly profile?: string
  readonly url?: string
  readonly org?: string
  readonly json?: boolean
  readonly color: boolean
  readonly quiet?: boolean
}

export interface CliContext {
  readonly options: GlobalOptions
  readonly out: Output
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly stdin: ReadStream
  /** For what is written as it is in a file or a pipe. */
  readonly stdout: Writable
  readonly stderr: WriteStream
  /** Whether somebody can answer a question. */
  readonly isInteractive: boolean
  readonly profileName: string
  /** Options, then environment, then profile. */
  connection(): Connection
  /** A client for an address and keys that are not stored yet. */
  connect(options: ClientOptions): Client
  /** The address and the API key, or an error that says how to sign in. */
  client(options?: Partial<ClientOptions>): Client
  /** A client for /ingest, or an error that says how to store the ingest credential. */
  ingestClient(options?: Partial<ClientOptions>): Client
  /** `{ org_id }` for a query or a body, empty without an organization. */
  selectOrganization(): { org_id?: string }
  /** The program with all commands. */
  loadCommandTree(): Promise<Command>
}

export interface Connection extends Profile {
  readonly url: string
}

export function createContext(options: GlobalOptions, loadCommandTree: () => Promise<Command>): CliContext {
  const { env, stdin, stdout, stderr } = process
  const profileName = options.profile ?? (env['SCHOLIAST_PROFILE'] || 'default')
  const out = new Output({
    stdout,
    stderr,
    json: options.json === true,
    quiet: options.quiet === true,
    color: options.color && stdout.isTTY && !env['NO_COLOR'],
  })
  let profile: Profile | undefined
  const connection = (): Connection => {
    profile ??= readProfile(env, profileName, { mustExist: options.profile !== undefined })
    const url = options.url ?? (env['SCHOLIAST_URL'] || profile.url)
    if (url === undefined) {
      throw new CliError('No service address is set.', {
        next: 'Run "scholiast login --url URL", or set SCHOLIAST_URL and SCHOLIAST_API_KEY.',
        exitCode: exitCodes.notSignedIn,
      })
    }
    // A key of the profile is for the profile's service only: --url must not send it elsewhere.
    const isProfileUrl = profile.url === undefined || isSameOrigin(url, profile.url)
    return {
      url,
      apiKey: env['SCHOLIAST_API_KEY'] || (isProfileUrl ? profile.apiKey : undefined),
      ingestKey: env['SCHOLIAST_INGEST_KEY'] || (isProfileUrl ? profile.ingestKey : undefined),
      org: options.org ?? profile.org,
    }
  }
  const connect = (clientOptions: ClientOptions) =>
    createClient({
      userAgent: 'scholiast-cli',
      onRetry: ({ waitMs, reason }) => {
        if (waitMs >= 1000) out.note(`Waiting ${formatSeconds(waitMs / 1000)}: ${reason}`)
      },
      ...clientOptions,
    })
  const connectWith = (name: 'apiKey' | 'ingestKey', clientOptions: Partial<ClientOptions> = {}) => {
    const { url, [name]: key } = connection()
    if (key === undefined) throw missingKey(name, url)
    return connect({ baseUrl: url, [name]: key, ...clientOptions })
  }
  return {
    options,
    out,
    env,
    cwd: process.cwd(),
    stdin,
    stdout: stdout.isTTY ? toTerminal(stdout) : stdout,
    stderr,
    isInteractive: stdin.isTTY && stderr.isTTY,
    profileName,
    loadCommandTree,
    connection,
    connect,
    client: (clientOptions) => connectWith('apiKey', clientOptions),
    ingestClient: (clientOptions) => connectWith('ingestKey', clientOptions),
    selectOrganization: () => {
      const { org } = connection()
      return org === undefined ? {} : { org_id: org }
    },
  }
}

function missingKey(name: 'apiKey' | 'ingestKey', url: string): CliError {
  const [what, variable] =
    name === 'apiKey' ? ['API key', 'SCHOLIAST_API_KEY'] : ['ingest credential', 'SCHOLIAST_INGEST_KEY']
  return new CliError(`No ${what} is set for ${url}.`, {
    next: `Run "scholiast login --url ${url}", or set ${variable}.`,
    exitCode: exitCodes.notSignedIn,
  })
}

function isSameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin
}

import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Result, ScholiastError } from '@scholiast/sdk'
import { type Command, Option } from 'commander'
import { addExamples } from '../command.ts'
import { createApp, type GithubApp } from '../connect/app-manifest.ts'
import { createAppToken, type GithubHost, sendToGithub, toGithubHost } from '../connect/github-host.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import {
  getConfigurationFile,
  readKeyFile,
  readPrivateFile,
  readSecretFile,
  writePrivateFile,
} from '../profiles.ts'
import { promptHidden } from '../prompt.ts'

type Mode = 'hooks' | 'polling'
type NewConnector = Result<'post', '/v1/connectors'>

interface GithubOptions {
  readonly host: string
  readonly mode: Mode
  readonly appId?: string
  readonly installationId?: string
  readonly privateKeyFile?: string
  readonly webhookSecretFile?: string
  readonly writeBack?: boolean
  readonly bot?: string[]
}

interface GitlabOptions {
  readonly host: string
  readonly mode: Mode
  readonly tokenFile?: string
  readonly bot?: string[]
}

/** What a connector of GitHub needs of its App. */
interface AppKeys {
  readonly appId: string
  readonly privateKey: string
  readonly webhookSecret: string | null
  readonly installUrl: string
  /** The file that has these keys until the connector is set up. */
  readonly savedIn?: string
}

const INSTALLATION_POLL_MS = 2_000
const MAX_INSTALLATION_WAIT_MS = 3_600_000
const PAGE_SIZE = 100

const modeOption = () =>
  new Option('--mode <mode>', 'polling needs no public address of the service; hooks report changes at once')
    .choices(['polling', 'hooks'])
    .default('polling')

const botOption = () =>
  new Option(
    '--bot <reviewer=account...>',
    'custom bots: reviewer name and numeric ID of its account, then a colon and a known bot if it has its format',
  )

export function addConnectCommands(connect: Command, context: CliContext): void {
  const github = connect
    .command('github')
    .description(
      'Connect an organization of GitHub with an App that can only read, unless you add --write-back',
    )
    .argument('<organization>', 'login of the organization at GitHub')
    .option('--host <host>', 'host of an Enterprise Server', 'github.com')
    .addOption(modeOption())
    .option('--app-id <id>', 'use this App instead of creating one in the browser')
    .option('--installation-id <id>', 'installation of that App (default: looked up at GitHub)')
    .option('--private-key-file <file>', 'private key of that App, readable by you alone')
    .option('--webhook-secret-file <file>', 'webhook secret of that App, with --mode hooks')
    .option(
      '--write-back',
      'also write to private repositories: a check run with the Learnings that apply, and replies to /scholiast commands',
    )
    .addOption(botOption())
    .action((organization: string, options: GithubOptions) => connectGithub(context, organization, options))
  addExamples(github, [
    {
      command: 'scholiast connect github meridian-platform',
      explains: 'Create the App in your browser, install it, and start reading',
    },
    {
      command: 'scholiast connect github meridian-platform --app-id 918273 --private-key-file app.pem',
      explains: 'With an existing App',
    },
    {
      command: 'scholiast connect github meridian-platform --bot acme-review=583231 our-claude=583232:claude',
      explains: 'Also read two bots that GitHub lists as people',
    },
  ])

  const gitlab = connect
    .command('gitlab')
    .description('Connect a GitLab group with a read-only access token')
    .argument('<group>', 'path of the group at GitLab')
    .option('--host <host>', 'host of a self-managed GitLab', 'gitlab.com')
    .addOption(modeOption())
    .option(
      '--token-file <file>',
      'group access token with the scopes read_api and read_repository, readable by you alone',
    )
    .addOption(botOption())
    .action((group: string, options: GitlabOptions) => connectGitlab(context, group, options))
  addExamples(gitlab, [
    { command: 'scholiast connect gitlab meridian/platform', explains: 'Type the token; it is not shown' },
    {
      command: 'scholiast connect gitlab meridian/platform --host git.example.com --token-file group.token',
      explains: 'A self-managed GitLab',
    },
  ])
}

async function connectGithub(context: CliContext, account: string, options: GithubOptions): Promise<void> {
  const { out } = context
  const bots = parseBots(options.bot)
  const host = toGithubHost(options.host)
  const { url: serviceUrl } = context.connection()
  const keys = await findAppKeys(context, host, account, options, serviceUrl)
  const installation = options.installationId ?? (await findInstallation(context, host, account, keys))
  const body = {
    ...context.selectOrganization(),
    provider: 'github',
    host: options.host,
    mode: options.mode,
    account,
    credential: {
      app_id: keys.appId,
      installation_id: installation,
      private_key: keys.privateKey,
    },
    ...(options.mode === 'hooks' && keys.webhookSecret !== null && { webhook_secret: keys.webhookSecret }),
    ...(options.writeBack && { write_back: true }),
    bots,
  } as const
  const connector = await context
    .client()
    .post('/v1/connectors', { body })
    .catch((error: unknown) => {
      if (error instanceof ScholiastError && error.code === 'CONNECTOR_EXISTS' && keys.savedIn !== undefined)
        throw connectorExists(account, options, keys.savedIn)
      throw error
    })
  if (options.mode === 'hooks') {
    // The address names the connector, which did not exist when the App was created.
    await sendToGithub(host, 'PATCH', '/app/hook/config', {
      token: createAppToken(keys.appId, keys.privateKey),
      body: { url: toHookUrl(serviceUrl, connector.id), content_type: 'json' },
    })
    out.note(`GitHub sends hooks to ${toHookUrl(serviceUrl, connector.id)}.`)
  }
  if (keys.savedIn !== undefined) rmSync(keys.savedIn, { force: true })
  printConnected(context, connector)
}

/** An earlier run may have created the connector without getting the response, or without setting the address of hooks. */
function connectorExists(account: string, { host, mode }: GithubOptions, file: string): CliError {
  const replace = 'run "scholiast connectors remove ID", then this command again: it uses the same App.'
  return new CliError(
    `The organization already has a connector for ${account} on ${host}. The keys of the App are still in ${file}.`,
    {
      next:
        mode === 'hooks'
          ? `The connector may get no hooks. To replace it, ${replace}`
          : `If "scholiast connectors list" shows that the connector works, remove the file. If not, ${replace}`,
      exitCode: exitCodes.conflict,
    },
  )
}

async function findAppKeys(
  context: CliContext,
  host: GithubHost,
  account: string,
  { appId, privateKeyFile, webhookSecretFile, mode, writeBack = false }: GithubOptions,
  serviceUrl: string,
): Promise<AppKeys> {
  if (appId === undefined) {
    const name = encodeURIComponent(`${host.host} ${account.toLowerCase()}`)
    const file = getConfigurationFile(context.env, `github-app-${name}.json`)
    const saved = readSavedApp(context, file)
    const app =
      saved ??
      (await createApp({
        host,
        account,
        hookUrl: mode === 'hooks' ? toHookUrl(serviceUrl, '') : null,
        writeBack,
        onReady: (url) => context.out.note(`Open ${url} in a browser on this machine to create the App.`),
      }))
    if (saved === null) saveApp(context, file, app)
    return {
      appId: String(app.id),
      privateKey: app.pem,
      webhookSecret: app.webhook_secret,
      installUrl: `${app.html_url}/installations/new`,
      savedIn: file,
    }
  }
  if (privateKeyFile === undefined)
    throw new CliError('--app-id needs --private-key-file.', { exitCode: exitCodes.usage })
  if (mode === 'hooks' && webhookSecretFile === undefined)
    throw new CliError('--app-id with --mode hooks needs --webhook-secret-file.', {
      exitCode: exitCodes.usage,
    })
  return {
    appId,
    privateKey: readSecretFile(privateKeyFile),
    webhookSecret: webhookSecretFile === undefined ? null : readKeyFile(webhookSecretFile),
    installUrl: `${host.webUrl}/organizations/${account}/settings/installations`,
  }
}

/** GitHub shows the keys of a new App once, and the service may refuse the connector: they must not be lost then. */
function saveApp({ out }: CliContext, file: string, app: GithubApp): void {
  writePrivateFile(file, JSON.stringify(app))
  out.note(`Created the App ${app.slug}. Its keys are in ${file} until the connector is set up.`)
  out.note('If a later step fails, run the command again: it uses this App.')
}

function readSavedApp({ out }: CliContext, file: string): GithubApp | null {
  const text = readPrivateFile(file)
  if (text === null) return null
  const app = JSON.parse(text) as GithubApp
  out.note(`Uses the App ${app.slug}, created by an earlier run. To create another one, remove ${file}.`)
  return app
}

/** Waits until the App is installed in the organization. */
async function findInstallation(
  context: CliContext,
  host: GithubHost,
  account: string,
  { appId, privateKey, installUrl }: AppKeys,
): Promise<string> {
  const deadline = Date.now() + MAX_INSTALLATION_WAIT_MS
  let isReported = false
  while (Date.now() < deadline) {
    const installations = await sendToGithub<
      readonly { readonly id: number; readonly account: { readonly login?: string } | null }[]
    >(host, 'GET', `/app/installations?per_page=${PAGE_SIZE}`, { token: createAppToken(appId, privateKey) })
    const found = installations.find(
      (installation) => installation.account?.login?.toLowerCase() === account.toLowerCase(),
    )
    if (found !== undefined) return String(found.id)
    if (!isReported)
      context.out.note(`Open ${installUrl} and install the App in ${account}. Waiting for it …`)
    isReported = true
    await sleep(INSTALLATION_POLL_MS)
  }
  throw new CliError(`The App was not installed in ${account} within an hour.`, {
    next: `Install it at ${installUrl}, then run the command again.`,
  })
}

async function connectGitlab(context: CliContext, account: string, options: GitlabOptions): Promise<void> {
  const bots = parseBots(options.bot)
  const token = await findToken(context, options.tokenFile)
  const webhookSecret = options.mode === 'hooks' ? randomBytes(24).toString('base64url') : null
  const connector = await context.client().post('/v1/connectors', {
    body: {
      ...context.selectOrganization(),
      provider: 'gitlab',
      host: options.host,
      mode: options.mode,
      account,
      credential: { token },
      ...(webhookSecret !== null && { webhook_secret: webhookSecret }),
      bots,
    },
  })
  printConnected(context, connector)
  if (webhookSecret === null) return
  const { out } = context
  const hookUrl = toHookUrl(context.connection().url, connector.id)
  out.note('Add a webhook to the group, for comments, merge requests and emoji. The secret is shown once:')
  out.note(`  URL           ${hookUrl}`)
  out.note(`  Secret token  ${webhookSecret}`)
}

async function findToken(context: CliContext, file: string | undefined): Promise<string> {
  if (file !== undefined) return readKeyFile(file)
  if (!context.isInteractive)
    throw new CliError('No group access token was given.', {
      next: 'Add --token-file, or run this on a terminal.',
      exitCode: exitCodes.usage,
    })
  return await promptHidden(context, 'Group access token: ')
}

type OwnBot = NewConnector['bots'][number]

function parseBots(texts: readonly string[] = []): OwnBot[] {
  return texts.map((text) => {
    const [, reviewer, account_id, format] = /^([^=]+)=(\d+)(?::(.+))?$/.exec(text) ?? []
    if (reviewer === undefined || account_id === undefined)
      throw new CliError(`--bot: "${text}" is not a reviewer name with the numeric ID of its account.`, {
        next: 'Use, for example, --bot acme-review=583231.',
        exitCode: exitCodes.usage,
      })
    return {
      reviewer,
      account_id,
      ...(format !== undefined && { format: format as NonNullable<OwnBot['format']> }),
    }
  })
}

function toHookUrl(serviceUrl: string, connectorId: string): string {
  return `${serviceUrl.replace(/\/$/, '')}/hooks/${connectorId}`
}

function printConnected({ out }: CliContext, connector: NewConnector): void {
  if (out.isJson) return out.json(connector)
  out.line(`Connected ${connector.host}. The connector is ${connector.id}.`)
  out.note(
    'It is now reading the pull requests of the last year. To see its progress: scholiast connectors list',
  )
}

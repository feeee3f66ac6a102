import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Result } from '@scholiast/sdk'
import { type Command, Option } from 'commander'
import { addExamples } from '../command.ts'
import { createApp } from '../connect/app-manifest.ts'
import { createAppToken, type GithubHost, sendToGithub, toGithubHost } from '../connect/github-host.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { readKeyFile, readSecretFile } from '../profiles.ts'
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
    'bots of your own: name of the reviewer and numeric ID of its account, then a colon and a known bot if it has its format',
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
    .option('--installation-id <id>', 'installation of that App; without it, GitHub is asked')
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
      explains: 'Create the App in your browser, install it, and start to read',
    },
    {
      command: 'scholiast connect github meridian-platform --app-id 918273 --private-key-file app.pem',
      explains: 'With an App that exists already',
    },
    {
      command: 'scholiast connect github meridian-platform --bot acme-review=583231 our-claude=583232:claude',
      explains: 'Also read two bots that GitHub takes for people',
    },
  ])

  const gitlab = connect
    .command('gitlab')
    .description('Connect a group of GitLab with an access token that can only read')
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
  const connector = await context.client().post('/v1/connectors', {
    body: {
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
    },
  })
  if (options.mode === 'hooks') {
    // The address names the connector, which did not exist when the App was created.
    await sendToGithub(host, 'PATCH', '/app/hook/config', {
      token: createAppToken(keys.appId, keys.privateKey),
      body: { url: toHookUrl(serviceUrl, connector.id), content_type: 'json' },
    })
    out.note(`GitHub sends hooks to ${toHookUrl(serviceUrl, connector.id)}.`)
  }
  printConnected(context, connector)
}

async function findAppKeys(
  context: CliContext,
  host: GithubHost,
  account: string,
  { appId, privateKeyFile, webhookSecretFile, mode, writeBack = false }: GithubOptions,
  serviceUrl: string,
): Promise<AppKeys> {
  if (appId === undefined) {
    const app = await createApp({
      host,
      account,
      hookUrl: mode === 'hooks' ? toHookUrl(serviceUrl, '') : null,
      writeBack,
      onReady: (url) => context.out.note(`Open ${url} in a browser on this machine to create the App.`),
    })
    context.out.note(`Created the App ${app.slug}.`)
    return {
      appId: String(app.id),
      privateKey: app.pem,
      webhookSecret: app.webhook_secret,
      installUrl: `${app.html_url}/installations/new`,
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
    next:
      `Install it at ${installUrl}. Generate a private key in the settings of the App and save it to a file that only you can read. ` +
      `Then run the command again with --app-id ${appId} and --private-key-file.`,
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
  out.note(`  URL           ${hookUrl}\n  Secret token  ${webhookSecret}`)
}

async function findToken(context: CliContext, file: string | undefined): Promise<string> {
  if (file !== undefined) return readKeyFile(file)
  if (!context.isInteractive)
    throw new CliError('No group access token is given.', {
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
      throw new CliError(`--bot: "${text}" has no name of a reviewer with the numeric ID of its account.`, {
        next: 'Write it as in: --bot acme-review=583231',
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
  out.note('It reads the pull requests of the last year now. Follow it with: scholiast connectors list')
}

import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { readKeyFile, readProfile, storeProfile } from '../profiles.ts'
import { promptHidden, promptLine } from '../prompt.ts'
import { describeKey, type KeySelf } from './status.ts'

interface LoginOptions {
  readonly keyFile?: string
  readonly ingestKeyFile?: string
}

export function addLoginCommand(login: Command, context: CliContext): void {
  login
    .option(
      '--key-file <file>',
      'file with the API key, readable by you alone (environment: SCHOLIAST_API_KEY)',
    )
    .option(
      '--ingest-key-file <file>',
      'file with the ingest credential, for events and uploads (environment: SCHOLIAST_INGEST_KEY)',
    )
    .action((options: LoginOptions) => logIn(context, options))
  addExamples(login, [
    { command: 'scholiast login --url http://127.0.0.1:8420', explains: 'Type the key; it is not shown' },
    {
      command:
        'scholiast login --profile staging --url https://scholiast.example.com --key-file ~/staging.key',
      explains: 'Store a second profile; use it with --profile staging',
    },
  ])
}

async function logIn(context: CliContext, options: LoginOptions): Promise<void> {
  const { env, out, profileName } = context
  const known = readProfile(env, profileName, { mustExist: false })
  const url = await findUrl(context, known.url)
  const apiKey = await findKey(context, 'API key', options.keyFile, env['SCHOLIAST_API_KEY'], false)
  const ingestKey = await findKey(
    context,
    'Ingest credential',
    options.ingestKeyFile,
    env['SCHOLIAST_INGEST_KEY'],
    true,
  )
  if (apiKey === undefined && ingestKey === undefined) {
    throw new CliError('There is no key to store.', {
      next: 'Run this on a terminal, or use --key-file, SCHOLIAST_API_KEY, --ingest-key-file or SCHOLIAST_INGEST_KEY.',
      exitCode: exitCodes.usage,
    })
  }
  const client = context.connect({ baseUrl: url, apiKey, ingestKey })
  const self = apiKey === undefined ? null : await client.get('/v1/keys/self')
  if (ingestKey !== undefined)
    await context.ingestClient({ baseUrl: url, ingestKey }).get('/ingest/v1/status')
  const isSameService = known.url === url
  const file = storeProfile(env, profileName, {
    url,
    apiKey: apiKey ?? (isSameService ? known.apiKey : undefined),
    ingestKey: ingestKey ?? (isSameService ? known.ingestKey : undefined),
    org: context.options.org ?? (isSameService ? known.org : undefined),
  })
  if (out.isJson)
    out.json({ profile: profileName, url, file, key: self, ingest_credential: ingestKey !== undefined })
  else printStored(context, file, self, ingestKey !== undefined)
}

function printStored(
  { out, profileName }: CliContext,
  file: string,
  self: KeySelf | null,
  hasIngest: boolean,
): void {
  if (self !== null) out.line(`Signed in with ${describeKey(self)}.`)
  if (hasIngest) out.line('The ingest credential is valid.')
  out.line(`Stored in profile "${profileName}" of ${file}.`)
}

async function findUrl(context: CliContext, known: string | undefined): Promise<string> {
  const { options, env, isInteractive } = context
  const given = options.url ?? (env['SCHOLIAST_URL'] || undefined)
  const question = `Address of the service${known === undefined ? '' : ` (${known})`}: `
  const url = given ?? ((isInteractive && (await promptLine(context, question))) || known)
  if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CliError(
      url === undefined ? 'No service address is set.' : `"${url}" is not an http(s) address.`,
      {
        next: 'Add --url, for example --url http://127.0.0.1:8420.',
        exitCode: exitCodes.usage,
      },
    )
  }
  return url
}

async function findKey(
  context: CliContext,
  name: string,
  file: string | undefined,
  variable: string | undefined,
  isOptional: boolean,
): Promise<string | undefined> {
  if (file !== undefined) return readKeyFile(file)
  if (variable !== undefined && variable !== '') return variable
  if (!context.isInteractive) return undefined
  const typed = await promptHidden(context, `${name}${isOptional ? ' (Enter for none)' : ''}: `)
  return typed === '' ? undefined : typed
}

import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Item, Result } from '@scholiast/sdk'
import { type Command, Option } from 'commander'
import { collect } from '../collect.ts'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { confirm } from '../prompt.ts'

type Key = Item<'/v1/keys'>
type NewKey = Result<'post', '/v1/keys'>
type Permission = Key['permissions'][number]

interface CreateOptions {
  readonly kind: 'user' | 'organization' | 'agentic' | 'workspace'
  readonly permission?: readonly string[]
  readonly expires?: string
  readonly out?: string
}

interface RotateOptions {
  readonly overlapDays?: string
  readonly expires?: string
  readonly out?: string
}

const DAY_MS = 86_400_000

export function addKeysCommands(keys: Command, context: CliContext): void {
  const list = keys
    .command('list')
    .description('List keys; values are never shown')
    .action(() => listKeys(context))
  addExamples(list, [{ command: 'scholiast keys list', explains: 'Keys that you may see' }])

  const create = keys
    .command('create')
    .description('Create a key; its value is shown once')
    .argument('<name>', 'purpose of the key')
    .addOption(
      new Option('--kind <kind>', 'kind of key')
        .choices(['user', 'organization', 'agentic', 'workspace'])
        .default('user'),
    )
    .option(
      '--permission <permission...>',
      'permissions, for example metrics:read (default: those of your key)',
    )
    .option('--expires <when>', 'date, time or days from now, for example 2027-01-31 or 90d')
    .option('--out <file>', 'write the value to a new file with mode 0600 instead of printing it')
    .action((name: string, options: CreateOptions) => createKey(context, name, options))
  addExamples(create, [
    {
      command:
        'scholiast keys create "Nightly export" --permission metrics:read --expires 90d --out export.key',
      explains: 'A key that only reads metrics, for 90 days',
    },
    { command: 'scholiast keys create "Coding agent" --kind agentic', explains: 'A key for a coding agent' },
  ])

  const rotate = keys
    .command('rotate')
    .description('Replace a key; the old one stays valid for the overlap')
    .argument('<key>', 'ID of the key')
    .option('--overlap-days <days>', 'days that the old key stays valid, 0 to 7')
    .option('--expires <when>', 'expiry of the new key: date, time or days from now')
    .option('--out <file>', 'write the value to a new file with mode 0600 instead of printing it')
    .action((id: string, options: RotateOptions) => rotateKey(context, id, options))
  addExamples(rotate, [
    {
      command: 'scholiast keys rotate 01a1e670-bcdc-7d85-b6a4-4a7719a1bfb9 --overlap-days 2 --out new.key',
      explains: 'Leave time to replace the key everywhere',
    },
  ])

  const revoke = keys
    .command('revoke')
    .description('Revoke a key; it stops working immediately')
    .argument('<key>', 'ID of the key')
    .option('--dry-run', 'show the key and change nothing')
    .option('--yes', 'do not ask')
    .action((id: string, options: { dryRun?: boolean; yes?: boolean }) => revokeKey(context, id, options))
  addExamples(revoke, [
    {
      command: 'scholiast keys revoke 01a1e670-bcdc-7d85-b6a4-4a7719a1bfb9 --dry-run',
      explains: 'Show the key and when it was last used',
    },
  ])
}

async function readKeys(context: CliContext): Promise<Key[]> {
  return await collect(context.client().items('/v1/keys', { query: context.selectOrganization() }))
}

async function listKeys(context: CliContext): Promise<void> {
  context.out.rows(
    await readKeys(context),
    [
      { heading: 'ID', value: ({ id }) => id },
      { heading: 'NAME', value: ({ name }) => name },
      { heading: 'KIND', value: ({ kind }) => kind },
      { heading: 'KEY', value: (key) => `${key.prefix}…${key.last_four}` },
      { heading: 'OWNER', value: ({ owner }) => owner?.name },
      { heading: 'EXPIRES', value: (key) => key.expires_at?.slice(0, 10) ?? 'never' },
      { heading: 'LAST USED', value: (key) => key.last_used_at?.slice(0, 10) ?? 'never' },
    ],
    'No keys.',
  )
}

async function createKey(context: CliContext, name: string, options: CreateOptions): Promise<void> {
  const { kind, permission, expires, out: file } = options
  const key = await context.client().post('/v1/keys', {
    body: {
      kind,
      name,
      ...context.selectOrganization(),
      // The service checks the names, and lists the valid ones in its error.
      ...(permission !== undefined && { permissions: permission as Permission[] }),
      ...(expires !== undefined && { expires_at: parseExpiry(expires) }),
    },
  })
  await handOver(context, key, file)
}

async function rotateKey(context: CliContext, id: string, options: RotateOptions): Promise<void> {
  const { overlapDays, expires, out: file } = options
  if (overlapDays !== undefined && !/^[0-7]$/.test(overlapDays)) {
    throw new CliError('--overlap-days must be 0 to 7.', { exitCode: exitCodes.usage })
  }
  const key = await context.client().post('/v1/keys/{key_id}/rotate', {
    params: { key_id: id },
    body: {
      ...(overlapDays !== undefined && { overlap_days: Number(overlapDays) }),
      ...(expires !== undefined && { expires_at: parseExpiry(expires) }),
    },
  })
  await handOver(context, key, file)
  context.out.note(`The old key ${key.replaces.id} stops working at ${key.replaces.ends_at}.`)
}

/** Writes the value to a file, or prints it with the only warning that there is no second time. */
async function handOver(context: CliContext, key: NewKey, file: string | undefined): Promise<void> {
  const { out, cwd } = context
  const { value, ...rest } = key
  if (value === undefined) {
    throw new CliError(`The key ${key.id} was created, but its value was lost with the first response.`, {
      next: `Run "scholiast keys rotate ${key.id} --overlap-days 0".`,
    })
  }
  if (file !== undefined) {
    await writeFile(resolve(cwd, file), `${value}\n`, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
      // The value exists only here: without the file it has to be shown.
      out.note(`${file} cannot be written (${error instanceof Error ? error.message : String(error)}).`)
      file = undefined
    })
  }
  if (out.isJson) {
    out.json(file === undefined ? key : { ...rest, file })
    return
  }
  out.fields([
    ['ID', key.id],
    ['Name', key.name],
    ['Kind', key.kind],
    ['Expires', key.expires_at ?? 'never'],
    ['Permissions', key.permissions.join(', ')],
    file === undefined ? ['Value', value] : ['File', file],
  ])
  if (file === undefined) out.note('The value is not shown again. Store it now.')
}

async function revokeKey(
  context: CliContext,
  id: string,
  { dryRun, yes }: { readonly dryRun?: boolean; readonly yes?: boolean },
): Promise<void> {
  const { out } = context
  const key = (await readKeys(context)).find((candidate) => candidate.id === id)
  if (key === undefined) {
    throw new CliError(`There is no key ${id}.`, {
      next: 'Run "scholiast keys list".',
      exitCode: exitCodes.notFound,
    })
  }
  const used = key.last_used_at === null ? 'never used' : `last used ${key.last_used_at}`
  const name = `${key.kind} key "${key.name}" (${key.prefix}…${key.last_four}, ${used})`
  if (dryRun === true) {
    if (out.isJson) out.json({ dry_run: true, key })
    else out.line(`The ${name} would be revoked.`)
    out.note('Dry run: nothing was changed.')
    return
  }
  await confirm(context, `This revokes the ${name}. Programs that use it fail at once.`, yes === true)
  await context.client().delete('/v1/keys/{key_id}', { params: { key_id: id } })
  if (out.isJson) out.json({ revoked: id })
  else out.line(`Revoked the ${name}.`)
}

function parseExpiry(text: string): string {
  const days = /^(\d{1,4})d$/.exec(text)?.[1]
  const time = days === undefined ? Date.parse(text) : Date.now() + Number(days) * DAY_MS
  if (Number.isNaN(time)) {
    throw new CliError(`"${text}" is not an expiry.`, {
      next: 'Write a date (2027-01-31), a time (2027-01-31T12:00:00Z) or days from now (90d).',
      exitCode: exitCodes.usage,
    })
  }
  return new Date(time).toISOString()
}

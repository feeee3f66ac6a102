import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { writeOutput } from '../files.ts'
import { formatCounted } from '../output.ts'
import { confirm } from '../prompt.ts'
import { type Offboarding, verifyReceiptInLog } from '../receipt.ts'

interface OffboardOptions {
  readonly confirmKey: readonly string[]
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly receipt?: string
}

interface EndSessionsOptions {
  readonly dryRun?: boolean
  readonly yes?: boolean
}

const CHAIN_PAGE_SIZE = 10_000
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function addOffboardCommand(users: Command, context: CliContext): void {
  const offboard = users
    .command('offboard')
    .description('Show and end everything that a person can use: sessions, keys, seat and roles')
    .argument('<person>', 'e-mail, person ID, or user ID at the Git provider')
    .option(
      '--confirm-key <id>',
      'end this key even if it was used within the last 7 days; repeatable',
      collect,
      [],
    )
    .option('--receipt <file>', 'where to save the receipt (default: offboarding-PERSON-TIME.json)')
    .option('--dry-run', 'show what would end and change nothing')
    .option('--yes', 'do not ask')
    .action((person: string, options: OffboardOptions) => offboardPerson(context, person, options))
  addExamples(offboard, [
    { command: 'scholiast users offboard mei@example.com --dry-run', explains: 'Show what would end' },
    {
      command: 'scholiast users offboard mei@example.com --org 41207731',
      explains: 'From one organization only, with a workspace token',
    },
    {
      command: 'scholiast users offboard 5520817 --confirm-key 0192f3a2-1d0e-7b58-a6c3-4f2e9d8c7b61 --yes',
      explains: 'In a script, with a key that is still in use',
    },
  ])
}

export function addEndSessionsCommand(users: Command, context: CliContext): void {
  const endSessions = users
    .command('end-sessions')
    .description('Sign a person out of all browsers; keys stay, and the person can sign in again')
    .argument('<person>', 'e-mail, person ID, or user ID at the Git provider')
    .option('--dry-run', 'show whose sessions would end and change nothing')
    .option('--yes', 'do not ask')
    .action((person: string, options: EndSessionsOptions) => endSessionsOf(context, person, options))
  addExamples(endSessions, [
    { command: 'scholiast users end-sessions mei@example.com', explains: 'After a laptop was lost' },
  ])
}

async function endSessionsOf(
  context: CliContext,
  person: string,
  { dryRun, yes }: EndSessionsOptions,
): Promise<void> {
  const { out } = context
  const client = context.client()
  const { cr_user_id, name } = uuid.test(person)
    ? { cr_user_id: person, name: person }
    : (
        await client.post('/v1/users/offboarding', {
          body: { member: nameMember(person), ...context.selectOrganization() },
        })
      ).person
  if (dryRun === true) {
    if (out.isJson) out.json({ cr_user_id, name })
    else out.line(`This would end all sessions of ${name}.`)
    return out.note('Dry run: nothing was changed.')
  }
  await confirm(context, `This ends all sessions of ${name}.`, yes === true)
  const result = await client.delete('/v1/users/{cr_user_id}/sessions', { params: { cr_user_id } })
  if (out.isJson) out.json(result)
  else out.line(`Ended ${formatCounted(result.ended, 'session')} of ${name}.`)
}

function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value]
}

async function offboardPerson(context: CliContext, person: string, options: OffboardOptions): Promise<void> {
  const { out } = context
  const client = context.client()
  const request = { member: nameMember(person), ...context.selectOrganization() }
  const preview = await client.post('/v1/users/offboarding', { body: request })
  if (options.dryRun === true) {
    if (out.isJson) out.json(preview)
    else printOffboarding(context, preview)
    out.note('Dry run: nothing was changed.')
    return
  }
  if (!out.isJson) printOffboarding(context, preview)
  const { name, email } = preview.person
  await confirm(
    context,
    `This offboards ${name}${email === null ? '' : ` (${email})`}.`,
    options.yes === true,
  )
  const body = { ...request, dry_run: false, confirm_keys: [...options.confirmKey] }
  const result = await client.post('/v1/users/offboarding', { body })
  const file = options.receipt ?? toFileName(result)
  await writeOutput(context, file, toLines(result))
  out.note(`Offboarded ${name}. The receipt is in ${file}.`)
  if (out.isJson) out.json(result)
  await verifyAgainstService(context, result)
  const { rows = [], head } = result.receipt ?? {}
  out.note(
    `The receipt is valid: the audit log has its ${formatCounted(rows.length, 'row')}, up to row ${head?.position}.`,
  )
}

function nameMember(person: string) {
  if (person.includes('@')) return { email: person }
  return uuid.test(person) ? { cr_user_id: person } : { user_id: person }
}

function printOffboarding(
  { out }: CliContext,
  { person, sessions, keys, seats, roles, ...rest }: Offboarding,
): void {
  const { name, email, active } = person
  out.line(`${name}${email === null ? '' : ` <${email}>`}${active ? '' : ', already deactivated'}`)
  out.line(`Sessions: ${sessions}. Seats: ${seats}. Pending Learnings that stay: ${rest.pending_learnings}.`)
  if (roles.length > 0) {
    out.table(roles, [
      { heading: 'ROLE THAT ENDS', value: (role) => role.role_name },
      { heading: 'ORGANIZATION', value: (role) => role.organization_name ?? 'the whole workspace' },
      { heading: 'USER', value: (role) => role.user_id },
    ])
  }
  if (keys.length > 0) {
    out.table(keys, [
      { heading: 'KEY', value: ({ id }) => id },
      { heading: 'KIND', value: ({ kind }) => kind },
      { heading: 'NAME', value: (key) => key.name, flexible: true },
      { heading: 'LAST USED', value: ({ last_used_at: at }) => at ?? 'never' },
      { heading: 'ENDS', value: ({ ends }) => ends },
    ])
  }
}

function toFileName({ person, receipt }: Offboarding): string {
  const at = (receipt?.at ?? '').replaceAll(/[-:]|\.\d+/g, '')
  return `offboarding-${person.cr_user_id}-${at}.json`
}

async function* toLines(result: Offboarding): AsyncGenerator<string> {
  yield `${JSON.stringify(result, null, 2)}\n`
}

/** Reads the part of the chain that the receipt names. */
async function verifyAgainstService(context: CliContext, { receipt }: Offboarding): Promise<void> {
  const [first] = receipt?.rows ?? []
  if (receipt === null || first === undefined) return
  const limit = Math.min(receipt.rows.length, CHAIN_PAGE_SIZE)
  const query = { ...context.selectOrganization(), after: first.position - 1, limit }
  const { data } = await context.client().get('/v1/audit-logs/chain', { query })
  verifyReceiptInLog(receipt, data)
}

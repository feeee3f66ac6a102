import type { Get } from '@scholiast/sdk'
import { type Command, Option } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'

type Settings = Get<'/v1/settings'>
type Scope = Settings['settings']['knowledge_base']['learnings']['scope']

interface SetOptions {
  readonly repository?: string
  readonly scope?: Scope | 'unset'
  readonly approvalDelay?: string
}

const SCOPE = 'knowledge_base.learnings.scope'
const APPROVAL_DELAY = 'knowledge_base.learnings.approval_delay'

export function addSettingsCommands(settings: Command, context: CliContext): void {
  const get = settings
    .command('get')
    .description('Show the settings of the organization or of a repository')
    .option('--repository <id>', 'ID of a repository at the Git provider')
    .action((options: { repository?: string }) => showSettings(context, options.repository))
  addExamples(get, [
    { command: 'scholiast settings get', explains: 'Settings of the organization' },
    {
      command: 'scholiast settings get --repository 620118401',
      explains: 'Settings that apply to a repository',
    },
  ])
  const set = settings
    .command('set')
    .description('Change settings of the organization or of a repository')
    .option('--repository <id>', 'ID of a repository at the Git provider')
    .addOption(new Option('--scope <scope>', SCOPE).choices(['auto', 'global', 'local', 'unset']))
    .option('--approval-delay <days>', `${APPROVAL_DELAY}: 0 to 30, or unset`)
    .action((options: SetOptions) => changeSettings(context, options))
  addExamples(set, [
    { command: 'scholiast settings set --approval-delay 7', explains: 'Learnings from chat wait a week' },
    {
      command: 'scholiast settings set --repository 620118401 --scope unset',
      explains: 'The organization’s value applies again',
    },
  ])
}

async function showSettings(context: CliContext, repository: string | undefined): Promise<void> {
  const query = {
    ...context.selectOrganization(),
    ...(repository !== undefined && { repository_id: repository }),
  }
  printSettings(context, await context.client().get('/v1/settings', { query }))
}

async function changeSettings(
  context: CliContext,
  { repository, scope, approvalDelay }: SetOptions,
): Promise<void> {
  if (scope === undefined && approvalDelay === undefined) {
    throw new CliError('Nothing to change.', {
      next: 'Use --scope or --approval-delay.',
      exitCode: exitCodes.usage,
    })
  }
  const learnings = {
    ...(scope !== undefined && { scope: scope === 'unset' ? null : scope }),
    ...(approvalDelay !== undefined && { approval_delay: parseDelay(approvalDelay) }),
  }
  const changed = await context.client().patch('/v1/settings', {
    body: {
      ...context.selectOrganization(),
      ...(repository !== undefined && { repository_id: repository }),
      settings: { knowledge_base: { learnings } },
    },
  })
  printSettings(context, changed)
}

function parseDelay(days: string): number | null {
  if (days === 'unset') return null
  if (/^\d{1,2}$/.test(days)) return Number(days)
  throw new CliError(`"${days}" is not a number of days.`, {
    next: 'Use 0 to 30, or unset.',
    exitCode: exitCodes.usage,
  })
}

function printSettings({ out }: CliContext, result: Settings): void {
  if (out.isJson) {
    out.json(result)
    return
  }
  const { learnings } = result.settings.knowledge_base
  const rows = [
    { name: SCOPE, value: learnings.scope },
    { name: APPROVAL_DELAY, value: learnings.approval_delay },
    { name: 'metrics.enabled', value: result.settings.metrics.enabled },
  ]
  const inherited: readonly string[] = result.inherited
  out.table(rows, [
    { heading: 'SETTING', value: ({ name }) => name },
    { heading: 'VALUE', value: ({ value }) => value },
    { heading: 'INHERITED', value: ({ name }) => inherited.includes(name) },
  ])
}

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
  readonly reviewerPrice?: readonly string[]
}

const SCOPE = 'knowledge_base.learnings.scope'
const APPROVAL_DELAY = 'knowledge_base.learnings.approval_delay'
const REVIEWERS = 'reviewers'

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
    .option('--reviewer-price <reviewer=price...>', 'price a month of reviewers in one currency, or unset')
    .action((options: SetOptions) => changeSettings(context, options))
  addExamples(set, [
    { command: 'scholiast settings set --approval-delay 7', explains: 'Learnings from chat wait a week' },
    {
      command: 'scholiast settings set --repository 620118401 --scope unset',
      explains: 'The organization’s value applies again',
    },
    {
      command: 'scholiast settings set --reviewer-price coderabbit=480 copilot=390',
      explains: 'Prices for the cost of an accepted finding in "metrics reviewers"',
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
  { repository, scope, approvalDelay, reviewerPrice }: SetOptions,
): Promise<void> {
  if (scope === undefined && approvalDelay === undefined && reviewerPrice === undefined) {
    throw new CliError('Nothing to change.', {
      next: 'Use --scope, --approval-delay or --reviewer-price.',
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
      settings: {
        ...(Object.keys(learnings).length > 0 && { knowledge_base: { learnings } }),
        ...(reviewerPrice !== undefined && { reviewers: parsePrices(reviewerPrice) }),
      },
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

/** `reviewer=price`; a name may contain an equals sign. */
function parsePrices(prices: readonly string[]): Record<string, { price_per_month: number } | null> {
  const entries = prices.map((text) => {
    const [, reviewer = '', price = ''] = /^(.+)=(\d+(?:\.\d+)?|unset)$/.exec(text) ?? []
    if (reviewer === '')
      throw new CliError(`"${text}" is not a price of a reviewer.`, {
        next: 'Use for example coderabbit=480, or coderabbit=unset.',
        exitCode: exitCodes.usage,
      })
    return [reviewer, price === 'unset' ? null : { price_per_month: Number(price) }] as const
  })
  return Object.fromEntries(entries)
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
    ...Object.entries(result.settings.reviewers).map(([reviewer, { price_per_month }]) => ({
      name: `${REVIEWERS}.${reviewer}.price_per_month`,
      value: price_per_month,
    })),
  ]
  const inherited: readonly string[] = result.inherited
  const isInherited = (name: string) =>
    inherited.includes(name.startsWith(`${REVIEWERS}.`) ? REVIEWERS : name)
  out.table(rows, [
    { heading: 'SETTING', value: ({ name }) => name },
    { heading: 'VALUE', value: ({ value }) => value },
    { heading: 'INHERITED', value: ({ name }) => isInherited(name) },
  ])
}

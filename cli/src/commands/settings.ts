import type { Get, Result } from '@scholiast/sdk'
import { type Command, Option } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'

type Settings = Get<'/v1/settings'>
type ChangedSettings = Result<'patch', '/v1/settings'>
type Scope = Settings['settings']['knowledge_base']['learnings']['scope']

interface SetOptions {
  readonly repository?: string
  readonly scope?: Scope | 'unset'
  readonly approvalDelay?: string
  readonly currency?: string
  readonly reviewerPrice?: readonly string[]
}

interface ReviewerPrice {
  readonly price_per_month: number
  readonly since: string | null
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
    .option('--currency <code>', 'currency of all reviewer prices, ISO 4217, for example EUR, or unset')
    .option(
      '--reviewer-price <reviewer=price...>',
      'price a month of each reviewer, or unset; with the first day of the subscription as in coderabbit=480@2026-03-01 ' +
        '(default: the day of its first finding)',
    )
    .action((options: SetOptions) => changeSettings(context, options))
  addExamples(set, [
    { command: 'scholiast settings set --approval-delay 7', explains: 'Learnings from chat wait a week' },
    {
      command: 'scholiast settings set --repository 620118401 --scope unset',
      explains: 'The organization’s value applies again',
    },
    {
      command: 'scholiast settings set --currency EUR --reviewer-price coderabbit=480 copilot=390',
      explains: 'Prices for the cost of an accepted finding in "metrics reviewers"',
    },
    {
      command: 'scholiast settings set --reviewer-price coderabbit=480@2026-03-01',
      explains: 'A subscription that began on that day',
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
  { repository, scope, approvalDelay, currency, reviewerPrice }: SetOptions,
): Promise<void> {
  if ([scope, approvalDelay, currency, reviewerPrice].every((given) => given === undefined)) {
    throw new CliError('Nothing to change.', {
      next: 'Use --scope, --approval-delay, --currency or --reviewer-price.',
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
        ...(currency !== undefined && { currency: parseCurrency(currency) }),
        ...(reviewerPrice !== undefined && { reviewers: parsePrices(reviewerPrice) }),
      },
    },
  })
  printSettings(context, changed)
  printWarnings(context, changed)
}

function parseDelay(days: string): number | null {
  if (days === 'unset') return null
  if (/^\d{1,2}$/.test(days)) return Number(days)
  throw new CliError(`"${days}" is not a number of days.`, {
    next: 'Use 0 to 30, for example --approval-delay 7, or --approval-delay unset.',
    exitCode: exitCodes.usage,
  })
}

function parseCurrency(code: string): string | null {
  if (code === 'unset') return null
  if (/^[a-z]{3}$/i.test(code)) return code.toUpperCase()
  throw new CliError(`"${code}" is not the code of a currency.`, {
    next: 'Use, for example, --currency EUR, or --currency unset.',
    exitCode: exitCodes.usage,
  })
}

/** `reviewer=price` or `reviewer=price@since`. A name may contain both signs: the price stands after the last equals sign. */
function parsePrices(prices: readonly string[]): Record<string, ReviewerPrice | null> {
  const entries = prices.map((text) => {
    const [, reviewer, price, since] =
      /^(.+)=(?:unset|(\d+(?:\.\d+)?)(?:@(\d{4}-\d{2}-\d{2}))?)$/.exec(text) ?? []
    if (reviewer === undefined)
      throw new CliError(`"${text}" is not a reviewer price.`, {
        next: 'Use, for example, coderabbit=480, coderabbit=480@2026-03-01 or coderabbit=unset.',
        exitCode: exitCodes.usage,
      })
    return [
      reviewer,
      price === undefined ? null : { price_per_month: Number(price), since: since ?? null },
    ] as const
  })
  return Object.fromEntries(entries)
}

/** JSON has them already. */
function printWarnings({ out }: CliContext, { warnings }: ChangedSettings): void {
  if (!out.isJson) for (const { message } of warnings) out.note(message)
}

function printSettings({ out }: CliContext, result: Settings): void {
  if (out.isJson) {
    out.json(result)
    return
  }
  const { knowledge_base, currency, metrics, reviewers } = result.settings
  const { learnings } = knowledge_base
  const rows = [
    { name: SCOPE, value: learnings.scope },
    { name: APPROVAL_DELAY, value: learnings.approval_delay },
    { name: 'metrics.enabled', value: metrics.enabled },
    ...(currency === null ? [] : [{ name: 'currency', value: currency }]),
    ...Object.entries(reviewers).flatMap(([reviewer, { price_per_month, since }]) => [
      { name: `${REVIEWERS}.${reviewer}.price_per_month`, value: price_per_month },
      ...(since === null ? [] : [{ name: `${REVIEWERS}.${reviewer}.since`, value: since }]),
    ]),
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

import type { Item } from '@scholiast/sdk'
import type { Command } from 'commander'
import { collect } from '../collect.ts'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { formatCount, formatCounted, formatSeconds } from '../output.ts'
import { confirm } from '../prompt.ts'

type Connector = Item<'/v1/connectors'>

export function addConnectorsCommands(connectors: Command, context: CliContext): void {
  const list = connectors
    .command('list')
    .description('List connectors with their progress and errors')
    .action(() => listConnectors(context))
  addExamples(list, [{ command: 'scholiast connectors list', explains: 'How far the backfill has come' }])

  const remove = connectors
    .command('remove')
    .description('Remove a connector with its secrets; what it reported stays')
    .argument('<connector>', 'ID of the connector')
    .option('--dry-run', 'show the connector and change nothing')
    .option('--yes', 'do not ask')
    .action((id: string, options: { dryRun?: boolean; yes?: boolean }) =>
      removeConnector(context, id, options),
    )
  addExamples(remove, [
    {
      command: 'scholiast connectors remove 01a1e3ad-d317-77bd-a045-1313ee64d8cc --dry-run',
      explains: 'Show what would be removed',
    },
  ])
}

async function readConnectors(context: CliContext): Promise<Connector[]> {
  return await collect(context.client().items('/v1/connectors', { query: context.selectOrganization() }))
}

async function listConnectors(context: CliContext): Promise<void> {
  const { out } = context
  const connectors = await readConnectors(context)
  out.rows(
    connectors,
    [
      { heading: 'ID', value: ({ id }) => id },
      { heading: 'HOST', value: ({ host }) => host },
      { heading: 'MODE', value: ({ mode }) => mode },
      { heading: 'STATUS', value: ({ status }) => status },
      { heading: 'WRITES', value: ({ write_back }) => write_back },
      { heading: 'REPOSITORIES', value: ({ repositories }) => repositories, right: true },
      { heading: 'BACKFILL', value: describeBackfill },
      {
        heading: 'LAST CHANGE',
        value: (one) => one.last_event_at?.slice(0, 16).replace('T', ' ') ?? 'never',
      },
      { heading: 'LAG', value: (one) => formatSeconds(one.lag_seconds), right: true },
      { heading: 'UNPARSED', value: (one) => one.unparsed_comments, right: true },
    ],
    'No connectors. Connect an organization with: scholiast connect github ORGANIZATION',
  )
  if (out.isJson) return
  for (const { id, error } of connectors) if (error !== null) out.note(`${id}: ${error}`)
}

function describeBackfill({ backfill: { done, total, seconds_left: left } }: Connector): string {
  if (total === null) return formatCount(done)
  if (done >= total) return 'done'
  return `${formatCount(done)} of ${formatCount(total)}${left === null ? '' : `, ${formatSeconds(left)} left`}`
}

async function removeConnector(
  context: CliContext,
  id: string,
  { dryRun = false, yes = false }: { dryRun?: boolean; yes?: boolean },
): Promise<void> {
  const { out } = context
  const connector = (await readConnectors(context)).find((one) => one.id === id)
  if (connector === undefined) {
    throw new CliError(`There is no connector ${id}.`, {
      next: 'Run "scholiast connectors list" for the IDs.',
      exitCode: exitCodes.notFound,
    })
  }
  const what = `${connector.provider} at ${connector.host} with ${formatCounted(connector.repositories, 'repository', 'repositories')}`
  if (dryRun) return out.line(`Would remove the connector ${id}: ${what}.`)
  await confirm(context, `Remove the connector ${id}: ${what}? What it reported stays.`, yes)
  await context.client().delete('/v1/connectors/{connector_id}', {
    params: { connector_id: id },
    query: context.selectOrganization(),
  })
  if (out.isJson) out.json({ id, removed: true })
  else out.line(`Removed the connector ${id}. Revoke its credential at ${connector.host} too.`)
}

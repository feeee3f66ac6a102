import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { readOrganizations } from '../inventory.ts'

export function addOrganizationsCommands(organizations: Command, context: CliContext): void {
  const list = organizations
    .command('list')
    .description('List organizations')
    .action(() => listOrganizations(context))
  addExamples(list, [
    { command: 'scholiast organizations list', explains: 'IDs for --org, and names' },
    { command: 'scholiast organizations list --json', explains: 'The same for a script' },
  ])
}

async function listOrganizations(context: CliContext): Promise<void> {
  context.out.rows(
    await readOrganizations(context),
    [
      { heading: 'ORG', value: (organization) => organization.provider_organization_id },
      { heading: 'NAME', value: ({ name }) => name },
      { heading: 'PROVIDER', value: ({ provider }) => provider },
      { heading: 'ID', value: ({ id }) => id },
    ],
    'No organizations.',
  )
}

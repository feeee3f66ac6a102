import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { readRepositories } from '../inventory.ts'

export function addRepositoriesCommands(repositories: Command, context: CliContext): void {
  const list = repositories
    .command('list')
    .description('List repositories of one organization (--org) or of all')
    .action(() => listRepositories(context))
  addExamples(list, [
    { command: 'scholiast repositories list', explains: 'IDs for --repo, and names' },
    { command: 'scholiast repositories list --org 41207731', explains: 'Repositories of one organization' },
  ])
}

async function listRepositories(context: CliContext): Promise<void> {
  context.out.rows(
    await readRepositories(context),
    [
      { heading: 'REPO', value: (repository) => repository.provider_repository_id },
      { heading: 'NAME', value: ({ name }) => name },
      { heading: 'ORGANIZATION', value: ({ organization }) => organization.name },
      { heading: 'PRIVATE', value: (repository) => repository.private },
    ],
    'No repositories.',
  )
}

// The command tree. Only this file and commander are loaded before it is clear which command runs: start-up time depends on it.
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import type { CliContext, GlobalOptions } from './context.ts'

type AddCommands = (group: Command, context: CliContext) => void

interface CommandGroup {
  readonly name: string
  readonly summary: string
  /** Adds arguments, options, action or subcommands to the group's command, which has its name and summary already. */
  readonly load: () => Promise<AddCommands>
}

// In the order of the help text.
const groups: readonly CommandGroup[] = [
  {
    name: 'login',
    summary: 'Check a key and store it in a profile',
    load: async () => (await import('./commands/login.ts')).addLoginCommand,
  },
  {
    name: 'status',
    summary: 'Show who you are and what you may do',
    load: async () => (await import('./commands/status.ts')).addStatusCommand,
  },
  {
    name: 'metrics',
    summary: 'Export, sync and sum up review metrics',
    load: async () => (await import('./commands/metrics.ts')).addMetricsCommands,
  },
  {
    name: 'findings',
    summary: 'Overrule outcomes of findings',
    load: async () => (await import('./commands/findings.ts')).addFindingsCommands,
  },
  {
    name: 'organizations',
    summary: 'List organizations',
    load: async () => (await import('./commands/organizations.ts')).addOrganizationsCommands,
  },
  {
    name: 'repositories',
    summary: 'List repositories',
    load: async () => (await import('./commands/repositories.ts')).addRepositoriesCommands,
  },
  {
    name: 'users',
    summary: 'List users and change their roles',
    load: async () => (await import('./commands/users.ts')).addUsersCommands,
  },
  {
    name: 'settings',
    summary: 'Show and change settings: Learnings, reviewer prices and their currency',
    load: async () => (await import('./commands/settings.ts')).addSettingsCommands,
  },
  {
    name: 'seats',
    summary: 'Assign and release seats',
    load: async () => (await import('./commands/seats.ts')).addSeatsCommands,
  },
  {
    name: 'roles',
    summary: 'List, create and change roles',
    load: async () => (await import('./commands/roles.ts')).addRolesCommands,
  },
  {
    name: 'keys',
    summary: 'List, create, rotate and revoke keys',
    load: async () => (await import('./commands/keys.ts')).addKeysCommands,
  },
  {
    name: 'audit',
    summary: 'Read, export and verify the audit log',
    load: async () => (await import('./commands/audit.ts')).addAuditCommands,
  },
  {
    name: 'security',
    summary: 'List, export and upload findings of security scans',
    load: async () => (await import('./commands/security.ts')).addSecurityCommands,
  },
  {
    name: 'events',
    summary: 'Send events and see their status',
    load: async () => (await import('./commands/events.ts')).addEventsCommands,
  },
  {
    name: 'ingest',
    summary: 'Show whether events arrive and are processed',
    load: async () => (await import('./commands/ingest.ts')).addIngestCommands,
  },
  {
    name: 'connect',
    summary: 'Connect an organization of GitHub or a group of GitLab',
    load: async () => (await import('./commands/connect.ts')).addConnectCommands,
  },
  {
    name: 'connectors',
    summary: 'List and remove connectors',
    load: async () => (await import('./commands/connectors.ts')).addConnectorsCommands,
  },
  {
    name: 'learnings',
    summary: 'List, search, write, import and export Learnings',
    load: async () => (await import('./commands/learnings.ts')).addLearningsCommands,
  },
  {
    name: 'review-context',
    summary: 'Show what a reviewer would be given for the current git diff',
    load: async () => (await import('./commands/review-context.ts')).addReviewContextCommand,
  },
  {
    name: 'sandbox',
    summary: 'Start a proxy that answers with the errors a test asks for',
    load: async () => (await import('./commands/sandbox.ts')).addSandboxCommand,
  },
  {
    name: 'conformance',
    summary: 'Check a service against the rules of the contract',
    load: async () => (await import('./commands/conformance.ts')).addConformanceCommand,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for your shell',
    load: async () => (await import('./commands/completion.ts')).addCompletionCommand,
  },
]

/** Runs one command and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const program = createProgram()
  try {
    program.hook('preSubcommand', async (_, command) => {
      const group = groups.find(({ name }) => name === command.name())
      if (group !== undefined) await loadGroup(program, group, command)
    })
    await program.parseAsync(words, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    // Commander has printed help or a usage error already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { reportError } = await import('./exit.ts')
    return reportError(error, program.opts<GlobalOptions>())
  }
}

/** The whole tree, for shell completion and the reference. */
export async function loadCommandTree(): Promise<Command> {
  const program = createProgram()
  for (const [index, group] of groups.entries()) {
    const command = program.commands[index]
    if (command !== undefined) await loadGroup(program, group, command)
  }
  return program
}

function createProgram(): Command {
  const program = new Command('scholiast')
    .description(
      'Review metrics, Learnings, people, keys, audit logs and security findings of a Scholiast service.',
    )
    .version(readVersion())
    .option('--profile <name>', 'profile of the configuration file (environment: SCHOLIAST_PROFILE)')
    .option('--url <url>', 'address of the service (environment: SCHOLIAST_URL)')
    .option('--org <id>', 'organization: its ID at the Git provider; selects one with a workspace token')
    .option('--json', 'print JSON instead of a table')
    .option('--no-color', 'print without colour')
    .option('--quiet', 'print no notes and no progress')
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError('Add --help for options and examples.')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      '\nRun "scholiast COMMAND --help" for options and examples. Start with "scholiast login".',
    )
  for (const { name, summary } of groups) program.command(name).description(summary).helpCommand(false)
  return program
}

async function loadGroup(program: Command, group: CommandGroup, command: Command): Promise<void> {
  const [addCommands, { createContext }] = await Promise.all([group.load(), import('./context.ts')])
  addCommands(command, createContext(program.opts<GlobalOptions>(), loadCommandTree))
}

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return manifest.version
}

import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import type { OutcomeFlags } from '../metrics/reviewers.ts'

export function addFindingsCommands(findings: Command, context: CliContext): void {
  const outcome = findings
    .command('outcome')
    .description('Overrule the outcome of a finding, or withdraw the decision')
    .argument('<finding>', 'ID of the finding, from "scholiast metrics findings"')
    .option('--accepted', 'the requested change was made')
    .option('--not-accepted', 'the change was not made')
    .option('--withdraw', 'withdraw the decision of a person')
    .action(async (id: string, flags: OutcomeFlags) => {
      const { setOutcome } = await import('../metrics/reviewers.ts')
      await setOutcome(context, id, flags)
    })
  addExamples(outcome, [
    {
      command: 'scholiast findings outcome 6b1f0c52-7d3e-8a41-8c0d-2f5e9b7a1d34 --not-accepted',
      explains: 'The finding was a false alarm',
    },
  ])
}

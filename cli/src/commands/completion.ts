import { Argument, type Command } from 'commander'
import { addExamples } from '../command.ts'
import { renderCompletion } from '../completion.ts'
import type { CliContext } from '../context.ts'

export function addCompletionCommand(completion: Command, context: CliContext): void {
  completion
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      context.stdout.write(renderCompletion(shell, await context.loadCommandTree()))
    })
  addExamples(completion, [
    {
      command: 'scholiast completion bash > ~/.local/share/bash-completion/completions/scholiast',
      explains: 'bash, from the next shell on',
    },
    { command: 'scholiast completion zsh > "${fpath[1]}/_scholiast"', explains: 'zsh' },
    { command: 'scholiast completion fish > ~/.config/fish/completions/scholiast.fish', explains: 'fish' },
  ])
}

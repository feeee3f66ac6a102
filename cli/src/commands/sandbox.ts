import { once } from 'node:events'
import { FORCE_HEADER, forcedResponses, startSandbox } from '@scholiast/sandbox'
import { type Command, InvalidArgumentError } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'

const DEFAULT_TARGET = 'http://127.0.0.1:8420'
const DEFAULT_PORT = 8600

export function addSandboxCommand(sandbox: Command, context: CliContext): void {
  sandbox
    .option('--target <url>', 'service that requests are passed on to', DEFAULT_TARGET)
    .option('--port <port>', 'port on 127.0.0.1; 0 selects a free one', parsePort, DEFAULT_PORT)
    .action((options: { target: string; port: number }) => runSandbox(context, options))
  addExamples(sandbox, [
    { command: 'scholiast sandbox', explains: 'In front of the demo service of npm run dev' },
    {
      command: 'scholiast sandbox --target https://staging.example.com --port 8601',
      explains: 'In front of another service',
    },
  ])
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new InvalidArgumentError('It must be an integer from 0 to 65535.')
  return port
}

async function runSandbox({ out }: CliContext, options: { target: string; port: number }): Promise<void> {
  const sandbox = await startSandbox(options)
  const { url } = sandbox
  if (out.isJson)
    out.json({ url, target: options.target, header: FORCE_HEADER, values: [...forcedResponses.keys()] })
  else {
    out.line(`The sandbox listens on ${url} and passes requests on to ${options.target}.`)
    out.line(`Send the header ${FORCE_HEADER} to force a response:`)
    out.line('')
    out.table(
      [...forcedResponses],
      [
        { heading: 'VALUE', value: ([name]) => name },
        { heading: 'RESPONSE', value: ([, text]) => text, flexible: true },
      ],
    )
    out.line('')
    out.line('Add "; times=2; token=NAME" to fail the first two requests with that token only. For example:')
    out.line(`  curl -i ${url}/v1/organizations -H '${FORCE_HEADER}: RATE_LIMIT_EXCEEDED; retry-after=2'`)
  }
  out.note('Stop it with Ctrl-C.')
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await sandbox.stop()
}

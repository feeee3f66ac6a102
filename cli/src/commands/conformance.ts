import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import { rules } from '../conformance/rules.ts'
import { type RuleResult, runRules } from '../conformance/run.ts'
import { openService } from '../conformance/service.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { formatSeconds } from '../output.ts'

interface ConformanceOptions {
  readonly key?: string
  readonly write?: boolean
}

export function addConformanceCommand(conformance: Command, context: CliContext): void {
  conformance
    .option(
      '--key <key>',
      'API key (better: environment SCHOLIAST_API_KEY, which other processes do not see)',
    )
    .option('--write', 'also check rules that create Learnings; they are deleted again')
    .action((options: ConformanceOptions) => checkConformance(context, options))
  addExamples(conformance, [
    { command: 'scholiast conformance', explains: 'Check the service of the profile; reads only' },
    {
      command: 'scholiast conformance --url https://staging.example.com --write --json',
      explains: 'All rules of another service, for a script; the key is in SCHOLIAST_API_KEY',
    },
  ])
}

async function checkConformance(context: CliContext, { key: given, write = false }: ConformanceOptions) {
  const { out } = context
  const { url, apiKey } = context.connection()
  const key = given ?? apiKey
  if (key === undefined)
    throw new CliError(`No API key is set for ${url}.`, {
      next: 'Set SCHOLIAST_API_KEY, or add --key KEY.',
      exitCode: exitCodes.notSignedIn,
    })
  const service = await openService({
    url,
    key,
    onWait: (seconds, path) =>
      out.note(`Waiting ${formatSeconds(seconds)} for the rate limit of ${path.replace(/\?.*/s, '')}`),
  })
  const progress = out.progress({ label: 'Rules', total: rules.length })
  const results: RuleResult[] = []
  for await (const result of runRules(service, { write })) {
    results.push(result)
    progress.update(results.length)
  }
  progress.done()
  const count = (outcome: RuleResult['outcome']) => results.filter((one) => one.outcome === outcome).length
  const counts = { passed: count('passed'), failed: count('failed'), not_applicable: count('not_applicable') }
  if (out.isJson) out.json({ url, key_kind: service.self.kind, ...counts, rules: results })
  else printReport(context, results, counts)
  if (counts.failed > 0) process.exitCode = exitCodes.failure
}

const outcomes = { passed: 'passed', failed: 'FAILED', not_applicable: 'not applicable' } as const

function printReport(
  { out }: CliContext,
  results: readonly RuleResult[],
  counts: Readonly<Record<RuleResult['outcome'], number>>,
): void {
  out.table(results, [
    { heading: 'RULE', value: ({ id }) => id },
    { heading: 'RESULT', value: ({ outcome }) => outcomes[outcome] },
    { heading: 'CONTRACT', value: ({ contract }) => contract.join(', ') },
    {
      heading: 'ABOUT',
      value: ({ title, outcome, reason }) => (outcome === 'not_applicable' ? reason : title),
      flexible: true,
    },
  ])
  for (const { id, title, reason } of results.filter(({ outcome }) => outcome === 'failed')) {
    out.line('')
    out.line(`${id}: ${title}`)
    for (const line of (reason ?? '').split('\n')) out.line(`  ${line}`)
  }
  out.line('')
  out.line(
    `${counts.passed} passed, ${counts.failed} failed, ${counts.not_applicable} not applicable with this key.`,
  )
}

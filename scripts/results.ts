// Renders the recorded runs of docs/results.jsonl, which has a line for each table (proofs/tools/report.ts), for docs/results.md.
import { readFileSync } from 'node:fs'
import type { RunRecord } from '../proofs/tools/report.ts'

interface Command {
  /** As it is typed. */
  readonly name: string
  readonly shows: string
}

export function readResults(): string {
  return readFileSync(new URL('../docs/results.jsonl', import.meta.url), 'utf8')
}

/** A section for each command in the given order, then for those of records that are not among them. */
export function renderResults(lines: string, commands: readonly Command[]): string {
  const records = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RunRecord)
  // The command of a record has its options, too.
  const findName = ({ command }: RunRecord) =>
    commands.find(({ name }) => command === name || command.startsWith(`${name} `))?.name ?? command
  const recorded = Map.groupBy(records, findName)
  const listed = new Map(commands.map(({ name, shows }) => [name, shows]))
  return [...new Set([...listed.keys(), ...recorded.keys()])]
    .flatMap((name) => [
      `## ${name.replace(/^npm run (\w+) -- /, '$1 ')}`,
      listed.get(name) ?? '',
      ...(recorded.get(name)?.map(renderRecord) ?? ['No run is recorded.']),
    ])
    .filter(Boolean)
    .join('\n\n')
}

function renderRecord({ command, form, date, commit, machine, title, measures, note }: RunRecord): string {
  const circumstances = [`\`${command}\``, date, form, commit && `revision ${commit}`, machine]
  const rows = measures.map(({ measure, goal, result, met }) => [
    measure,
    goal,
    met ? String(result) : `**missed:** ${result}`,
  ])
  const table = [['Measure', 'Goal', 'Result'], ['---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
  return [`**${title}** · ${circumstances.filter(Boolean).join(' · ')}`, table, note]
    .filter(Boolean)
    .join('\n\n')
}

// Fills the lists in docs/*.md that repeat the code, between `<!-- generated: NAME -->` and `<!-- /generated -->`.
import { globSync, readFileSync } from 'node:fs'
import { benchmarks } from '../bench/run.ts'
import { proofs } from '../proofs/run.ts'
import { publishedEvents } from '../server/src/bus/emit.ts'
import { commands } from '../server/src/commands.ts'
import { defaultLimits, getLimitSettingName } from '../server/src/config.ts'
import { eventKinds } from '../server/src/consumers.ts'
import { errorCodes, getHttpStatus } from '../server/src/errors.ts'
import { errorDescriptions } from '../server/src/http/docs/texts.ts'
import { settings } from '../server/src/settings/settings.ts'
import { code, table } from './markdown-table.ts'
import { readResults, renderResults } from './results.ts'

interface Page {
  readonly file: string
  readonly text: string
}

const lists: Readonly<Record<string, () => string>> = {
  'events-accepted': () =>
    table(
      ['Type', 'Version', 'Meaning'],
      eventKinds.map(({ type, version, summary }) => [code(type), String(version), summary]),
    ),
  'events-published': () =>
    table(
      ['Type', 'Meaning', 'Payload'],
      Object.entries(publishedEvents).map(([type, { description, payload }]) => [
        code(type),
        description,
        payload,
      ]),
    ),
  'error-codes': () =>
    table(
      ['Code', 'Status', 'Meaning'],
      errorCodes.map((name) => [code(name), String(getHttpStatus(name)), errorDescriptions[name]]),
    ),
  settings: listSettings,
  limits: () =>
    table(
      ['Setting', 'Default (requests/seconds)'],
      Object.entries(defaultLimits).map(([policy, { requests, seconds }]) => [
        code(getLimitSettingName(policy)),
        `${requests}/${seconds}`,
      ]),
    ),
  commands: listCommands,
  'report-views': listReportViews,
  results: () =>
    renderResults(readResults(), [
      ...proofs.map(({ name, shows }) => ({ name: `npm run prove -- ${name}`, shows })),
      ...benchmarks.map(({ name, measures }) => ({ name: `npm run bench -- ${name}`, shows: measures })),
    ]),
}

/** The pages that have a generated list, with current lists. Throws if a list is unknown, or is on no page. */
export function fillPages(pages: readonly Page[]): Page[] {
  const used = new Set<string>()
  const filled = pages.map(({ file, text }) => ({
    file,
    text: text.replaceAll(
      /(<!-- generated: ([\w-]+) -->\n)[^]*?(<!-- \/generated -->)/g,
      (_, start: string, name: string, end: string) => {
        const render = lists[name]
        if (render === undefined) throw new Error(`${file} has a list "${name}", which nothing generates.`)
        used.add(name)
        return `${start}${render().replaceAll(`](${file.slice('docs/'.length)}#`, '](#')}\n${end}`
      },
    ),
  }))
  const unused = Object.keys(lists).filter((name) => !used.has(name))
  if (unused.length > 0) throw new Error(`No page in docs/ has the lists: ${unused.join(', ')}.`)
  return filled.filter(({ text }) => text.includes('<!-- generated: '))
}

/** A row for each group of operator commands. */
function listCommands(): string {
  const groups = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? name)
  return table(
    ['Group', 'Commands'],
    [...groups].map(([group, members]) => [
      code(group),
      members.map(({ name }) => code(name.slice(group.length).trim() || name)).join(', '),
    ]),
  )
}

function listSettings(): string {
  return table(
    ['Setting', 'Processes', 'Default', 'Meaning'],
    settings.map(({ name, processes, default: value, description }) => [
      code(name),
      processes.join(', '),
      value === undefined ? '–' : code(value),
      description,
    ]),
  )
}

/** A table of columns for each view of the schema `report`, from their comments in the migrations. */
function listReportViews(): string {
  const migrations = new URL('../server/migrations/', import.meta.url)
  const sql = globSync('*.sql', { cwd: migrations })
    .sort()
    .map((file) => readFileSync(new URL(file, migrations), 'utf8'))
    .join('\n')
  const comments = [
    ...sql.matchAll(/^comment on (?:view|column) (report\.\w+)(?:\.(\w+))? is '((?:[^']|'')*)';$/gm),
  ]
  return [...Map.groupBy(comments, ([, view = '']) => view)]
    .map(([view, members]) => {
      const texts = members.map(([, , column, text = '']) => ({ column, text: text.replaceAll("''", "'") }))
      const columns = texts.flatMap(({ column, text }) =>
        column === undefined ? [] : [[code(column), text]],
      )
      const summary = texts.find(({ column }) => column === undefined)?.text ?? ''
      return `### \`${view}\`\n\n${summary}\n\n${table(['Column', 'Meaning'], columns)}`
    })
    .join('\n\n')
}

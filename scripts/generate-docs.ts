// Fills the lists in docs/*.md that repeat the code, between `<!-- generated: NAME -->` and `<!-- /generated -->`.
import { benchmarks } from '../bench/run.ts'
import { proofs } from '../proofs/run.ts'
import { publishedEvents } from '../server/src/bus/emit.ts'
import { commands } from '../server/src/commands.ts'
import { defaultLimits, getLimitSettingName } from '../server/src/config.ts'
import { eventKinds } from '../server/src/consumers.ts'
import { errorCodes, getHttpStatus } from '../server/src/errors.ts'
import { createOpenApiDocument } from '../server/src/http/docs/openapi.ts'
import { errorDescriptions } from '../server/src/http/docs/texts.ts'
import { endpoints, ingestEndpoints } from '../server/src/routes.ts'
import { type Setting, settings } from '../server/src/settings/settings.ts'

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
  endpoints: listEndpoints,
  settings: () => listSettings(() => true),
  'settings-audit': () => listSettings(({ name }) => name.startsWith('AUDIT_')),
  'settings-embedder': () => listSettings(({ name }) => name.startsWith('EMBEDDER_')),
  limits: () =>
    table(
      ['Limit', 'Setting', 'Default (requests/seconds)'],
      Object.entries(defaultLimits).map(([policy, { requests, seconds }]) => [
        policy,
        code(getLimitSettingName(policy)),
        `${requests}/${seconds}`,
      ]),
    ),
  commands: () =>
    table(
      ['Command', 'Purpose'],
      commands.map(({ name, summary }) => [code(name), summary]),
    ),
  proofs: () =>
    table(
      ['Command', 'Shows'],
      proofs.map(({ name, shows }) => [code(`npm run prove -- ${name}`), shows]),
    ),
  benchmarks: () =>
    table(
      ['Command', 'Measures'],
      benchmarks.map(({ name, measures }) => [code(`npm run bench -- ${name}`), measures]),
    ),
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

/** A table for each group of the reference. */
function listEndpoints(): string {
  const operations = Object.entries(
    createOpenApiDocument(endpoints, ingestEndpoints(eventKinds)).paths,
  ).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { tags, summary, operationId }]) => ({
      tag: tags[0] ?? 'Other',
      cells: [`[${code(`${method.toUpperCase()} ${path}`)}](/docs/api#${operationId})`, summary],
    })),
  )
  return [...Map.groupBy(operations, ({ tag }) => tag)]
    .map(
      ([tag, listed]) =>
        `## ${tag}\n\n${table(
          ['Endpoint', 'Purpose'],
          listed.map(({ cells }) => cells),
        )}`,
    )
    .join('\n\n')
}

function listSettings(isListed: (setting: Setting) => boolean): string {
  return table(
    ['Setting', 'Processes', 'Default', 'Meaning'],
    settings
      .filter(isListed)
      .map(({ name, processes, default: value, description }) => [
        code(name),
        processes.join(', '),
        value === undefined ? '–' : code(value),
        description,
      ]),
  )
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}

import { renderCsv } from './csv.ts'
import { quote, renderFrontMatter } from './front-matter.ts'
import { fileToGlobs } from './globs.ts'
import { hashText } from './hash.ts'
import { type CarriedIdentity, hasIdentities, renderIdentities } from './identity.ts'
import { parseStatements } from './markdown.ts'
import { learningInfo } from './markdown-model.ts'

export const exportForms = ['agents.md', 'cursor', 'copilot', 'csv'] as const
export type ExportForm = (typeof exportForms)[number]

/** The fields of a Learning that an export needs. */
export interface ExportedLearning {
  readonly id: string
  readonly learning: string
  readonly repository_id: string
  readonly file: string | null
  readonly source_url: string | null
}

export interface ExportFile {
  readonly path: string
  readonly content: string
  readonly count: number
}

const csvColumns = ['id', 'learning', 'repository_id', 'file', 'source_url', 'text_hash'] as const
const title = '# Review guidance'

export function renderExport(form: ExportForm, learnings: readonly ExportedLearning[]): ExportFile[] {
  switch (form) {
    case 'agents.md':
      return [{ path: 'AGENTS.md', content: renderAgents(learnings), count: learnings.length }]
    case 'cursor':
      return renderPerFile(learnings, (file, name) =>
        file === null
          ? {
              path: '.cursor/rules/learnings.mdc',
              front: { description: 'Review guidance', globs: '', alwaysApply: 'true' },
            }
          : {
              path: `.cursor/rules/learnings-${name}.mdc`,
              front: {
                description: quote(`Review guidance for ${file}`),
                globs: fileToGlobs(file).join(','),
                alwaysApply: 'false',
              },
            },
      )
    case 'copilot':
      return renderPerFile(learnings, (file, name) =>
        file === null
          ? { path: '.github/copilot-instructions.md', front: null }
          : {
              path: `.github/instructions/learnings-${name}.instructions.md`,
              front: { applyTo: quote(fileToGlobs(file).join(',')) },
            },
      )
    case 'csv':
      return [{ path: 'learnings.csv', content: renderTable(learnings), count: learnings.length }]
  }
}

/** Whether an export wrote the file. */
export function isExport(content: string): boolean {
  return hasIdentities(content) || content.startsWith(csvColumns.join(','))
}

interface Layout {
  readonly path: string
  readonly front: Readonly<Record<string, string>> | null
}

/** One file for the Learnings without a file, and one for each file. */
function renderPerFile(
  learnings: readonly ExportedLearning[],
  layOut: (file: string | null, name: string) => Layout,
): ExportFile[] {
  return groupByFile(learnings).map(([file, group]) => {
    const { path, front } = layOut(file, toFileName(file ?? ''))
    const body = [title, '', renderStatements(group), renderIdentities(group.map(toIdentity))].join('\n')
    return {
      path,
      content: front === null ? body : `${renderFrontMatter(front)}\n${body}`,
      count: group.length,
    }
  })
}

/** Agents read one file from top to bottom: what holds everywhere comes first. */
function renderAgents(learnings: readonly ExportedLearning[]): string {
  const sections = groupByFile(learnings).map(([file, group]) => {
    const statements = renderStatements(group)
    return file === null ? statements : `## For ${renderCodeSpan(file)}\n\n${statements}`
  })
  return [title, '', ...sections, renderIdentities(learnings.map(toIdentity))].join('\n')
}

function renderCodeSpan(text: string): string {
  return text.includes('`') ? text.replaceAll(/\s+/g, ' ') : `\`${text.replaceAll(/\s+/g, ' ')}\``
}

function groupByFile(learnings: readonly ExportedLearning[]): [string | null, ExportedLearning[]][] {
  const groups = Map.groupBy(learnings, ({ file }) => file)
  return [...groups].sort(([a], [b]) => Number(a !== null) - Number(b !== null) || compare(a ?? '', b ?? ''))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Readable, and different for different paths. */
function toFileName(file: string): string {
  const words = file
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${words.slice(0, 40).replace(/-$/, '') || 'files'}-${hashText(file).slice(0, 6)}`
}

function toIdentity({ id, learning, file, source_url }: ExportedLearning): CarriedIdentity {
  return { id, textHash: hashText(learning), file, sourceUrl: source_url }
}

function renderStatements(learnings: readonly ExportedLearning[]): string {
  return learnings.map(({ learning }) => renderStatement(learning)).join('')
}

/** A list item if an import reads exactly the same text from it, else a code block. */
function renderStatement(learning: string): string {
  const text = learning.trim().replaceAll(/\r\n?/g, '\n')
  return (
    [renderItem(text), renderItemWithBreaks(text)].find((item) => readsBack(item, text)) ?? renderBlock(text)
  )
}

function renderItem(text: string): string {
  // Lines without text have no indentation, which an editor would remove.
  return `- ${text.replaceAll(/\n(?=[^\n])/g, '\n  ')}\n`
}

function renderItemWithBreaks(text: string): string {
  return `- ${text.replaceAll('\n', '\\\n  ')}\n`
}

function renderBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `\n${fence}${learningInfo}\n${text}\n${fence}\n`
}

/** Between two others, as in the export. */
function readsBack(item: string, text: string): boolean {
  // A comment may end in another statement.
  if (/<!--|-->/.test(text)) return false
  const neighbour = '- Neighbour of the statement.\n'
  const read = parseStatements(`${title}\n\n${neighbour}${item}${neighbour}`, { isKnown: () => true })
  return read.length === 3 && read[1]?.text === text
}

function renderTable(learnings: readonly ExportedLearning[]): string {
  const rows = learnings.map((learning) => {
    const values = { ...learning, text_hash: hashText(learning.learning) }
    return csvColumns.map((name) => values[name] ?? '')
  })
  return renderCsv([csvColumns, ...rows])
}

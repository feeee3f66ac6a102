/** The formats of rules files; `markdown` are those that have nothing but text. */
export type RulesFormat = 'markdown' | 'cursor' | 'copilot' | 'csv'

/** What an import of a folder reads, relative to it. */
export const rulesFilePatterns: readonly string[] = [
  '**/CLAUDE.md',
  '**/AGENTS.md',
  '.cursorrules',
  '.windsurfrules',
  '.cursor/rules/**/*.mdc',
  '.github/copilot-instructions.md',
  '.github/instructions/**/*.instructions.md',
  'learnings.csv',
]

export function getRulesFormat(path: string): RulesFormat {
  const name = (path.split(/[/\\]/).at(-1) ?? '').toLowerCase()
  if (name.endsWith('.mdc')) return 'cursor'
  if (name.endsWith('.instructions.md') || name === 'copilot-instructions.md') return 'copilot'
  return name.endsWith('.csv') ? 'csv' : 'markdown'
}

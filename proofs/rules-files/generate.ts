import type { Random } from '../tools/random.ts'

/** A generated rules file, with a path as in a checkout. */
export interface GeneratedFile {
  readonly path: string
  readonly content: string
}

const words =
  'use prefer avoid handlers amounts money integers tests errors names files modules queue retry cache timeout logs'.split(
    ' ',
  )
/** Texts that Markdown, CSV, comments or front matter could misread. */
const oddTexts: readonly string[] = [
  '- a leading dash',
  '+1 for every retry',
  '=SUM(A1) is data, not a formula',
  '@team owns this folder',
  '# not a heading',
  '> not a quote',
  '1. not a list',
  '[ ] not a task',
  '| a | b |',
  '```',
  '~~~ tildes ~~~',
  'ends with a backslash \\',
  'two  spaces   inside',
  'line one\nline two',
  'line one\r\nline two',
  'a paragraph\n\nand another',
  'Steps:\n- first\n- second\n  - nested',
  'Run:\n```sh\nnpm ci\n\tnpm test\n```',
  'Code:\n````md\n```ts\nx\n```\n````',
  'contains <!-- a comment --> inside',
  '<!-- begins like a comment',
  'ends one -->',
  '<details>',
  '---',
  '---\nglobs: x\n---',
  'a "quoted", comma and \'single\'',
  'Zeilenumbruch\u2028im Text',
  'e\u0301 decomposed and é composed',
  '日本語のルール、全角',
  'emoji 👩‍💻 and \u200bzero width',
  'tab\tinside',
  '    four spaces before',
  '\\*escaped\\*',
  '**bold** _italic_ `code` [link](https://example.com)',
  'ends with a colon:',
  "'=quoted formula",
  '<!-- scholiast learnings\n["0","x",null,null]\n-->',
  '```text learning\nx\n```',
]
const globs: readonly string[] = [
  'src/billing/**',
  'src/billing',
  'src/**/*.{ts,tsx}',
  'src/a.ts, docs/**',
  '**/*.py',
  'app/[id]/page.tsx',
  'Makefile',
]

/** One file of each of the seven formats. */
export function generateCheckout(random: Random): GeneratedFile[] {
  const instructions: GeneratedFile =
    random.below(2) === 0
      ? { path: '.github/copilot-instructions.md', content: markdown(random) }
      : {
          path: `.github/instructions/${random.lower(6)}.instructions.md`,
          content: `---\napplyTo: ${JSON.stringify(random.pick(globs))}\n---\n\n${markdown(random)}`,
        }
  const files: GeneratedFile[] = [
    { path: 'CLAUDE.md', content: markdown(random) },
    { path: 'AGENTS.md', content: markdown(random) },
    { path: `.cursor/rules/${random.lower(6)}.mdc`, content: cursorRule(random) },
    { path: '.cursorrules', content: plainText(random) },
    { path: '.windsurfrules', content: plainText(random) },
    instructions,
    { path: 'learnings.csv', content: table(random) },
  ]
  return files.map(({ path, content }) => ({
    path,
    content:
      path.endsWith('.csv') || random.below(4) > 0 ? content : `\uFEFF${content.replaceAll('\n', '\r\n')}`,
  }))
}

/** A text as a person may write it instead of another. */
export function generateText(random: Random): string {
  return random.below(2) === 0
    ? sentence(random)
    : `${random.lower(6)} ${random.pick(oddTexts)} ${random.lower(4)}`
}

function sentence(random: Random): string {
  const count = random.below(30) === 0 ? 300 : random.between(2, 14)
  // The letters make texts of different files different.
  const picked = [...Array.from({ length: count }, () => random.pick(words)), random.lower(5)]
  const marked = picked.map((word) => (random.below(12) === 0 ? `\`${word}\`` : word)).join(' ')
  return `${marked.charAt(0).toUpperCase()}${marked.slice(1)}${random.pick(['.', '', ' é.', ' 😀'])}`
}

function markdown(random: Random): string {
  const parts = Array.from({ length: random.between(2, 6) }, () => section(random))
  return `# ${sentence(random)}\n\n${parts.join('\n')}`
}

function section(random: Random): string {
  const heading =
    random.below(3) === 0
      ? ''
      : `${'#'.repeat(random.between(2, 4))} ${random.pick(['Never', 'Testing', 'Naming and style'])}\n\n`
  return `${heading}${random.pick([list, list, nestedList, paragraph, codeBlock, markdownTable, quote, comment, steps])(random)}\n`
}

function list(random: Random): string {
  const marker = random.pick(['-', '*', '+', '1.'])
  return Array.from(
    { length: random.between(1, 5) },
    () => `${marker} ${wrap(sentence(random), '  ')}\n`,
  ).join('')
}

function nestedList(random: Random): string {
  const indent = random.pick(['  ', '    ', '\t'])
  const inner = Array.from({ length: random.between(1, 3) }, () => `${indent}- ${sentence(random)}\n`).join(
    '',
  )
  return `- ${sentence(random)}${random.pick([':', ''])}\n${inner}- ${sentence(random)}\n`
}

function steps(random: Random): string {
  return `${sentence(random)}:\n1. ${sentence(random)}\n2. ${sentence(random)}\n`
}

function paragraph(random: Random): string {
  return `${wrap(`${sentence(random)} ${sentence(random)}`, '')}\n`
}

function codeBlock(random: Random): string {
  return `${sentence(random)}:\n\n\`\`\`sh\n# ${random.lower(6)}\n  - ${sentence(random)}\n\`\`\`\n`
}

function markdownTable(random: Random): string {
  const rows = Array.from({ length: 3 }, () => `| ${sentence(random)} | \`a | b\` ${random.lower(4)} |\n`)
  return `| To | Run |\n|---|---|\n${rows.join('')}`
}

function quote(random: Random): string {
  return `> ${sentence(random)}\n> ${sentence(random)}\n`
}

function comment(random: Random): string {
  return `<!-- ${sentence(random)}\n\n- ${sentence(random)} -->\n${sentence(random)} <!-- why --> ${random.lower(4)}\n`
}

function wrap(text: string, indent: string): string {
  return text.replaceAll(/(.{60,90}) /g, `$1\n${indent}`)
}

function cursorRule(random: Random): string {
  const front = `description: ${random.lower(8)}\nglobs: ${random.pick(globs)}\nalwaysApply: ${random.pick(['true', 'false'])}`
  return `---\n${front}\n---\n\n${markdown(random)}`
}

function plainText(random: Random): string {
  return Array.from({ length: random.between(2, 8) }, () => `${sentence(random)}\n`).join(
    random.pick(['', '\n']),
  )
}

/** Its cells hold texts that the other formats cannot. */
function table(random: Random): string {
  const quoteCell = (text: string) => `"${text.replaceAll('"', '""')}"`
  const rows = Array.from({ length: random.between(3, 8) }, () =>
    [generateText(random), random.pick(['', 'src/billing', 'a,b.ts', ...globs])].map(quoteCell).join(','),
  )
  const guarded = oddTexts.map((text) => `${quoteCell(text)},`)
  return ['learning,file', ...rows, random.pick(guarded), random.pick(guarded), ''].join('\r\n')
}

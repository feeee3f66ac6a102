import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseCsv, renderCsv } from '../src/rules-files/csv.ts'
import { fileToGlobs, globsToFile, splitGlobs } from '../src/rules-files/globs.ts'
import { toCanonicalText } from '../src/rules-files/identity.ts'
import { parseStatements } from '../src/rules-files/markdown.ts'
import { toFilesUrl } from '../src/rules-files/origin.ts'
import { readRulesFile } from '../src/rules-files/read.ts'
import { type ExportedLearning, exportForms, renderExport } from '../src/rules-files/write.ts'

const texts = (markdown: string) => parseStatements(markdown).map(({ text }) => text)

test('paragraphs, list items and quotes are statements, without emphasis or code being touched', () => {
  assert.deepEqual(
    texts(
      [
        '# Project rules',
        'Amounts of money are **integers**, never floating point, in every currency that we',
        'support.',
        '',
        '- Use `fetch`, not axios, for requests',
        '* Wrap a long statement',
        '  over two lines',
        '+ [ ] Write tests for every handler',
        '1. Number errors from one',
        '',
        '> Never log the body of a request.',
        '---',
        'A line after a rule stands alone.',
      ].join('\n'),
    ),
    [
      'Amounts of money are **integers**, never floating point, in every currency that we support.',
      'Use `fetch`, not axios, for requests',
      'Wrap a long statement over two lines',
      'Write tests for every handler',
      'Number errors from one',
      'Never log the body of a request.',
      'A line after a rule stands alone.',
    ],
  )
})

test('short lines of plain text are statements of their own', () => {
  assert.deepEqual(texts('You write TypeScript for the server.\nPrefer small functions everywhere.\n'), [
    'You write TypeScript for the server.',
    'Prefer small functions everywhere.',
  ])
})

test('a heading is added to a statement that is short or refers back, except the title of the file', () => {
  assert.deepEqual(
    texts(
      '# CLAUDE.md\n- Be brief\n\n## Testing ##\n- Use vitest\n- This applies to all packages\n- Every handler has a test of its own\n- name tests after what they show: a rule\n\n## Do not\n- Import a module of another resource\n\nNaming\n------\n- kebab-case',
    ),
    [
      'Be brief',
      'Testing: Use vitest',
      'Testing: This applies to all packages',
      'Every handler has a test of its own',
      'Testing: name tests after what they show: a rule',
      'Do not: Import a module of another resource',
      'Naming: kebab-case',
    ],
  )
})

test('a list with an introduction: every item carries it, steps stay together', () => {
  assert.deepEqual(
    texts(
      'Before you commit, run:\n- `npm test`\n- `npm run check`\n\nTo release:\n1. Tag the commit\n2. Push the tag\n\n- Errors:\n  - Wrap them with context\n  - Never swallow them\n- Prefer composition over inheritance\n    - Mixins are not composition either',
    ),
    [
      'Before you commit, run: `npm test`',
      'Before you commit, run: `npm run check`',
      'To release:\n1. Tag the commit\n2. Push the tag',
      'Errors: Wrap them with context',
      'Errors: Never swallow them',
      'Prefer composition over inheritance',
      'Mixins are not composition either',
    ],
  )
})

test('code belongs to the statement before it, or to its heading', () => {
  assert.deepEqual(
    texts(
      '## Build\n\n```sh\nnpm ci\n# not a heading\n```\n\nErrors are returned as values:\n```ts\n- return err\n```\n- Use the helper\n  ```ts\n  \thelper()\n  ```\n',
    ),
    [
      'Build:\n```sh\nnpm ci\n# not a heading\n```',
      'Errors are returned as values:\n```ts\n- return err\n```',
      'Use the helper\n```ts\n\thelper()\n```',
    ],
  )
})

test('rows of a table name their columns', () => {
  assert.deepEqual(texts('| To | Run |\n|---|:-:|\n| install | `npm ci` |\n| search | `a | b` or \\| |\n'), [
    'To: install; Run: `npm ci`',
    'To: search; Run: `a | b` or |',
  ])
})

test('comments, imports, tags and link definitions are no statements', () => {
  assert.deepEqual(
    texts(
      '<!-- for maintainers\n\n- not a rule\n-->\n@docs/style.md\n<rules>\nUse tabs <!-- really --> for indentation here.\n</rules>\n[docs]: https://example.com\n\nWrite `<!-- x -->` in templates only.\n',
    ),
    ['Use tabs  for indentation here.', 'Write `<!-- x -->` in templates only.'],
  )
})

test('a file with CR LF and a byte order mark reads the same', () => {
  const content = '# Rules\r\n\r\n- Use tabs for indentation\r\n- Keep functions\r\n  short and simple\r\n'
  const unix = readRulesFile('AGENTS.md', content.replaceAll('\r', '')).statements
  assert.deepEqual(readRulesFile('AGENTS.md', `\uFEFF${content}`).statements, unix)
  assert.deepEqual(
    unix.map(({ text, line }) => [text, line]),
    [
      ['Use tabs for indentation', 3],
      ['Keep functions short and simple', 4],
    ],
  )
})

test('a Cursor or Copilot rule gives its globs to the Learning', () => {
  const fileOf = (path: string, front: string) =>
    readRulesFile(path, `---\n${front}\n---\n- Amounts are integers everywhere\n`).statements.map(
      ({ file, line }) => [file, line],
    )
  assert.deepEqual(fileOf('a.mdc', 'description: Money\nglobs: src/billing/**\nalwaysApply: false'), [
    ['src/billing/', 6],
  ])
  assert.deepEqual(fileOf('a.mdc', 'globs: src/*.{ts,tsx}, docs/**'), [['src/*.{ts,tsx},docs/**', 4]])
  assert.deepEqual(fileOf('a.mdc', 'globs:\n  - "src/a.ts"'), [['src/a.ts', 5]])
  assert.deepEqual(fileOf('a.mdc', 'globs: ["src/a.ts", "b.ts"]'), [['src/a.ts,b.ts', 4]])
  assert.deepEqual(fileOf('a.mdc', 'globs: src/**\nalwaysApply: true'), [[null, 5]])
  assert.deepEqual(fileOf('x.instructions.md', 'applyTo: "**"'), [[null, 4]])
  assert.deepEqual(fileOf('x.instructions.md', "applyTo: 'src/**/*.py'"), [['src/**/*.py', 4]])
  assert.deepEqual(fileOf('CLAUDE.md', 'globs: src/**'), [[null, 4]])
})

test('a rule at the beginning of a file is no front matter', () => {
  const { statements } = readRulesFile('AGENTS.md', '---\nPrefer small functions everywhere.\n---\nMore.\n')
  assert.deepEqual(
    statements.map(({ text }) => text),
    ['Prefer small functions everywhere.', 'More.'],
  )
})

test('paths become globs and paths again', () => {
  for (const file of [
    'src/billing/',
    'src/billing',
    'src/a.ts',
    'app/[id]/page.tsx',
    'a,b.ts',
    'src/**/*.{ts,tsx}',
    'a/**,b/*.ts',
  ])
    assert.equal(globsToFile(splitGlobs(fileToGlobs(file).join(','))), file)
})

test('cells of a CSV file are read as they were written, and a spreadsheet runs none of them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(arbitraryText(), { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      (rows) => {
        const written = rows.map((row) => ['x', ...row])
        const csv = renderCsv(written)
        assert.deepEqual(
          parseCsv(csv).map(({ cells }) => cells),
          written,
        )
      },
    ),
  )
  assert.match(renderCsv([["=cmd|'x'"]]), /^'=/)
  assert.deepEqual(parseCsv('id,learning\r\n1,"a ""b""\r\nc"\r\n\r\n2,d')[2], { cells: ['2', 'd'], line: 5 })
})

test('every export is read back exactly: text, file, origin and id', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(arbitraryLearning(), {
        selector: ({ learning }) => toCanonicalText(learning),
        maxLength: 8,
      }),
      (generated) => {
        const learnings = generated.map((one, index) => ({ ...one, id: `id-${index}` }))
        for (const form of exportForms) {
          const files = renderExport(form, learnings)
          assert.equal(new Set(files.map(({ path }) => path)).size, files.length)
          const read = files.map(({ path, content }) => readRulesFile(path, content))
          const found = read.flatMap(({ statements }) => statements)
          const byId = new Map(found.map((one) => [one.carried?.id, one]))
          assert.equal(found.length, learnings.length, form)
          assert.deepEqual(
            read.flatMap(({ missing }) => missing),
            [],
          )
          for (const { id, learning, file, source_url } of learnings) {
            const one = byId.get(id)
            assert.equal(toCanonicalText(one?.text ?? ''), toCanonicalText(learning), form)
            assert.deepEqual([one?.file, one?.sourceUrl], [file, source_url], form)
          }
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('texts stay readable in an export', () => {
  const learnings = ['Use tabs', 'Two\nlines', 'Run:\n```sh\nnpm ci\n```', '- a dash', 'x <!-- y --> z'].map(
    toLearning,
  )
  const [file] = renderExport('agents.md', learnings)
  assert.equal(
    file?.content.split('<!-- scholiast')[0],
    '# Review guidance\n\n- Use tabs\n- Two\\\n  lines\n- Run:\n  ```sh\n  npm ci\n  ```\n\n```text learning\n- a dash\n```\n\n```text learning\nx <!-- y --> z\n```\n\n',
  )
})

test('a text that was edited in an export is a new statement, and its Learning is reported', () => {
  const [file] = renderExport('agents.md', ['Amounts are integers everywhere', 'Use tabs'].map(toLearning))
  const edited = (file?.content ?? '').replace('integers', 'decimals')
  const { statements, missing } = readRulesFile('AGENTS.md', edited)
  assert.deepEqual(
    statements.map(({ text, carried }) => [text, carried?.id]),
    [
      ['Amounts are decimals everywhere', undefined],
      ['Use tabs', 'id-1'],
    ],
  )
  assert.deepEqual(
    missing.map(({ id }) => id),
    ['id-0'],
  )
  const csv = renderExport('csv', ['Amounts are integers everywhere'].map(toLearning))[0]?.content ?? ''
  assert.deepEqual(
    readRulesFile('learnings.csv', csv.replace('integers', 'decimals')).missing.map(({ id }) => id),
    ['id-0'],
  )
})

test('a CSV file without the column of the texts says which one is missing', () => {
  assert.throws(() => readRulesFile('rules.csv', 'text,file\r\na,b\r\n'), /"learning"/)
})

test('the address of the files is derived from the remote, without user name and password', () => {
  for (const [remote, url] of [
    ['git@github.com:a/b.git', 'https://github.com/a/b/blob/HEAD'],
    ['https://name:secret@github.com/a/b', 'https://github.com/a/b/blob/HEAD'],
    ['ssh://git@gitlab.example.com:2222/a/b/c.git', 'https://gitlab.example.com/a/b/c/-/blob/HEAD'],
    ['https://bitbucket.org/a/b.git', 'https://bitbucket.org/a/b/src/HEAD'],
    ['../b', null],
    ['', null],
  ] as const)
    assert.equal(toFilesUrl(remote), url)
})

function toLearning(learning: string, index: number): ExportedLearning {
  return { id: `id-${index}`, learning, repository_id: '1', file: null, source_url: null }
}

/** Texts of the pieces that Markdown, CSV and comments give a meaning to. */
function arbitraryText(): fc.Arbitrary<string> {
  const marks =
    '- * # > ``` ~~~ ` | |---| <!-- --> <b> ** _ \\ : , " \' = + --- === {a,b} @file é e\u0301 日本 😀 \u2028 \u00a0 \u200b'
  const pieces = [
    ...marks.split(' '),
    ...' /  /\n/\n\n/\r\n/\t/- /* /1. /# /> /[ ] /[x]: y'.split('/'),
    ...'Use tabs/text learning/scholiast learnings/[REDACTED:x]'.split('/'),
    'long '.repeat(400),
  ]
  return fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 12 })
    .map((parts) => parts.join(''))
}

function arbitraryLearning(): fc.Arbitrary<ExportedLearning> {
  return fc.record({
    id: fc.constant(''),
    learning: arbitraryText().filter((text) => text.trim() !== ''),
    repository_id: fc.constant('1'),
    file: fc.option(
      fc.constantFrom('src/billing', 'src/billing/', 'src/**/*.{ts,tsx}', 'app/[id]/a,b.ts', 'a b-->.ts'),
    ),
    source_url: fc.option(fc.constantFrom('https://example.com/a?b=-->', 'http://example.com/a')),
  })
}

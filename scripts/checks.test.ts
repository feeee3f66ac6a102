// Plants faults in a copy of the repository. Each check must find its fault there and nothing else.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkCoverage } from './check-coverage.ts'
import { checkDocs } from './check-docs.ts'
import { checkImports } from './check-imports.ts'
import { checkLanguage } from './check-language.ts'
import { findStale, generateOpenApi, stripDumpNoise } from './generate.ts'
import { fillPages } from './generate-docs.ts'
import { listFiles, readFileOrEmpty, type Violation } from './sources.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'scholiast-checks-'))
for (const file of listFiles(root)) cpSync(join(root, file), join(copy, file))
after(() => rmSync(copy, { recursive: true }))

type Tree = Readonly<Record<string, string>>

/** The violations that a check finds only because of the planted files: `file:line what`. */
function findViolations(planted: Tree, check: (folder: string) => Violation[]): string[] {
  const before = new Set(check(copy).map(describeViolation))
  const originals = Object.keys(planted).map((file) => [file, readFileOrEmpty(join(copy, file))] as const)
  for (const [file, text] of Object.entries(planted)) plant(file, text)
  try {
    return check(copy)
      .map(describeViolation)
      .filter((violation) => !before.has(violation))
  } finally {
    for (const [file, text] of originals) {
      if (text === '') rmSync(join(copy, file))
      else plant(file, text)
    }
  }
}

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(copy, file)), { recursive: true })
  writeFileSync(join(copy, file), text)
}

function describeViolation({ file, line, what }: Violation): string {
  return `${file}:${line} ${what}`
}

function lines(count: number): string {
  return '// a line\n'.repeat(count)
}

describe('check-imports finds', () => {
  const faults: readonly (readonly [string, Tree, readonly string[]])[] = [
    [
      'an import upward',
      { 'server/src/http/planted/one.ts': "import { endpoints } from '../../routes.ts'\n" },
      ['server/src/http/planted/one.ts:1 imports upward: server/src/routes.ts'],
    ],
    [
      'an import upward of a type, over several lines',
      {
        'server/src/access/planted/one.ts':
          "// why\nimport type {\n  Endpoint,\n} from '../../http/endpoint.ts'\n",
      },
      ['server/src/access/planted/one.ts:2 imports upward: server/src/http/endpoint.ts'],
    ],
    [
      'an import upward at run time',
      { 'server/src/db/planted/one.ts': "export const late = () => import('../../access/scope.ts')\n" },
      ['server/src/db/planted/one.ts:1 imports upward: server/src/access/scope.ts'],
    ],
    [
      'an import upward within the base',
      { 'server/src/ids.ts': "import { statusOf } from './errors.ts'\nexport const status = statusOf\n" },
      ['server/src/ids.ts:1 imports upward: server/src/errors.ts'],
    ],
    [
      'an import of another resource',
      { 'server/src/resources/planted/list.ts': "import { page } from '../organizations/sql.ts'\n" },
      ['server/src/resources/planted/list.ts:1 imports sideways: server/src/resources/organizations/sql.ts'],
    ],
    [
      'an import between http and bus',
      { 'server/src/bus/planted/one.ts': "import { page } from '../../http/reply.ts'\n" },
      ['server/src/bus/planted/one.ts:1 imports sideways: server/src/http/reply.ts'],
    ],
    [
      'a ring',
      {
        'server/src/access/planted/one.ts': "import { b } from './two.ts'\nexport const a = b\n",
        'server/src/access/planted/two.ts': "import { a } from './one.ts'\nexport const b = a\n",
      },
      [
        'server/src/access/planted/two.ts:1 closes a ring of imports: server/src/access/planted/one.ts → ' +
          'server/src/access/planted/two.ts → server/src/access/planted/one.ts',
      ],
    ],
    [
      'an import of the server from outside',
      {
        'scripts/planted/one.ts': "import { refuse } from '../../server/src/errors.ts'\n",
        'proofs/planted/one.ts': "import { refuse } from '../../server/src/errors.ts'\n",
        'acceptance/planted/one.ts': "import { createDatabase } from '../../server/test/database.ts'\n",
        'bench/planted/one.ts': "import { start } from '@scholiast/server/src/api.ts'\n",
      },
      [
        'acceptance/planted/one.ts:1 imports server/test/database.ts',
        'bench/planted/one.ts:1 imports @scholiast/server/src/api.ts',
        'proofs/planted/one.ts:1 imports server/src/errors.ts',
        'scripts/planted/one.ts:1 imports server/src/errors.ts',
      ],
    ],
    [
      'an import of another area, of test helpers, of a test',
      {
        'bench/planted/one.ts': "import { listFiles } from '../../scripts/sources.ts'\n",
        'server/src/db/planted/one.ts': "import { createDatabase } from '../../../test/database.ts'\n",
        'scripts/planted/one.ts': "import '../checks.test.ts'\n",
      },
      [
        'bench/planted/one.ts:1 imports scripts/sources.ts of another area',
        'scripts/planted/one.ts:1 imports the test scripts/checks.test.ts',
        'server/src/db/planted/one.ts:1 imports server/test/database.ts',
      ],
    ],
    [
      'barrels and default exports',
      {
        'server/src/db/planted/index.ts': '',
        'server/src/db/planted/one.ts':
          "export * from '../connect.ts'\nexport type { Pool } from '../connect.ts'\n",
        'server/src/db/planted/unnamed.ts': 'const one = 1\nexport default one\nexport { one as default }\n',
      },
      [
        'server/src/db/planted/one.ts:1 is a barrel: re-exports names',
        'server/src/db/planted/one.ts:2 is a barrel: re-exports names',
        'server/src/db/planted/unnamed.ts:2 has a default export',
        'server/src/db/planted/unnamed.ts:3 has a default export',
        'server/src/db/planted/index.ts:1 is a barrel',
      ],
    ],
    [
      'files without a place, or not in kebab-case',
      {
        'server/src/utils/planted.ts': '',
        'server/src/resources/shared.ts': '',
        'server/src/db/planted/camelCase.ts': '',
        'server/migrations/9999_Planted.sql': '',
      },
      [
        'server/src/resources/shared.ts:1 belongs to no layer',
        'server/src/utils/planted.ts:1 belongs to no layer',
        'server/migrations/9999_Planted.sql:1 is not named in kebab-case',
        'server/src/db/planted/camelCase.ts:1 is not named in kebab-case',
      ],
    ],
    [
      'SQL outside of its files',
      {
        'server/src/http/planted/one.ts': "export const read = () => pool.query<Row>('savepoint work')\n",
        'server/src/access/planted/one.ts': "\nexport const a = statement('access.a', `select 1`)\n",
        'server/src/resources/planted/list.ts':
          'export const b = `\n  select id from thing`\nconst c = `delete from thing`\n',
      },
      [
        'server/src/access/planted/one.ts:2 contains SQL',
        'server/src/http/planted/one.ts:1 contains SQL',
        'server/src/resources/planted/list.ts:1 contains SQL (lines 1, 3)',
      ],
    ],
    [
      'endpoints that are hidden or not listed',
      {
        'server/src/resources/planted/list.ts': 'export const things = defineEndpoint({\n})\n',
        'server/src/resources/planted/route.ts': 'export const others = defineEndpoint({\n})\n',
      },
      [
        'server/src/resources/planted/list.ts:1 defines an endpoint',
        'server/src/resources/planted/route.ts:1 is not in routes.ts',
      ],
    ],
    [
      'a table for any string that is no Map',
      {
        'server/src/text/planted/one.ts':
          "type Level = 'a' | 'b'\nconst byLevel: Readonly<Record<Level, string>> = {\n  a: 'x',\n  b: 'y',\n}\n" +
          "const byName: Readonly<Record<string, string>> = {\n  a: 'x',\n}\n",
      },
      ['server/src/text/planted/one.ts:6 is a table that any string looks up, but not a Map'],
    ],
  ]
  for (const [name, planted, expected] of faults) {
    test(name, () => assert.deepEqual(findViolations(planted, checkImports), expected))
  }
})

test('check-imports accepts correct files', () => {
  const right = {
    'server/src/access/planted/one.ts':
      "import { refuse } from '../../errors.ts'\n// import { x } from '../../routes.ts'\n",
    'server/src/access/planted/one.test.ts':
      "import { endpoints } from '../../routes.ts'\nimport { call } from '../../../test/database.ts'\n",
    'server/src/admin/planted/one.ts':
      "import { readMigrations } from '../../db/migration-files.ts'\nconst hint = 'select one of these'\n",
    'server/src/resources/planted/write-sql.ts':
      "export const a = statement('planted.a', `select id from thing`)\n",
    'server/src/resources/planted/sql.ts':
      "export const b = statement('planted.b', `select id from thing`)\n",
    'server/test/planted/one.ts': "export { statement } from '../../src/db/connect.ts'\n",
    'proofs/planted/one.ts': "import { createDatabase } from '../../server/test/database.ts'\n",
    'server/migrations/9999_planted-well.sql': lines(300),
  }
  assert.deepEqual(findViolations(right, checkImports), [])
})

describe('check-docs finds', () => {
  const host = ['registry', 'example', 'org'].join('.')
  const home = ['', 'home', 'somebody', 'scholiast'].join('/')
  const resolved = ['"resolved":', '"https:'].join(' ')
  const lock = (packages: object) => JSON.stringify({ packages }, null, 2)
  const faults: readonly (readonly [string, Tree, readonly string[]])[] = [
    [
      'paths that lead nowhere',
      {
        'deploy/planted.md':
          '# Planted\n\nSee [there](missing.md#part), `server/src/missing/`, `http/missing.ts`, `missing.sql`.\n' +
          '```sh\nnode scripts/missing.ts --check\n```\n',
      },
      [
        'deploy/planted.md:3 names missing.md, which does not exist',
        'deploy/planted.md:3 names server/src/missing/, which does not exist',
        'deploy/planted.md:3 names http/missing.ts, which does not exist',
        'deploy/planted.md:3 names missing.sql, which does not exist',
        'deploy/planted.md:5 names scripts/missing.ts, which does not exist',
      ],
    ],
    [
      'commands that package.json does not have',
      { 'deploy/planted.md': 'Try `npm run missing -- NAME`.\n' },
      ['deploy/planted.md:1 names `npm run missing`, which package.json does not have'],
    ],
    [
      'commands of the operator and of the command line that do not exist',
      {
        'deploy/planted.md':
          'Run `npm run admin -- root list` or `scholiast keys make`, not `scholiast nonsense`.\n' +
          '```console\nnpm run --silent admin -- key create --colour red\nscholiast metrics sync --to x \\\n  --nonsense\n```\n',
      },
      [
        'deploy/planted.md:1 names `npm run admin -- root list`, which does not exist',
        'deploy/planted.md:1 names `scholiast keys make`, which does not exist',
        'deploy/planted.md:1 names `scholiast nonsense`, which does not exist',
        'deploy/planted.md:3 names `npm run --silent admin -- key create --colour`, which does not exist',
        'deploy/planted.md:4 names `scholiast metrics sync --nonsense`, which does not exist',
      ],
    ],
    [
      'pages that are too long',
      { 'AGENTS.md': lines(61), 'README.md': lines(151) },
      [
        'AGENTS.md:61 has 61 lines, at most 60 are allowed',
        'README.md:151 has 151 lines, at most 150 are allowed',
      ],
    ],
    [
      'pages with two titles, or that the sidebar does not list',
      {
        'docs/index.md':
          '# Scholiast\n\n[Proof](proofs.md) · [results](results.md) · [all of them](proofs.md#speed)\n',
        'docs/planted.md': '# Results\n\n# Again\n',
      },
      [
        'docs/planted.md:1 has 2 titles, not one',
        'docs/planted.md:1 has the title of docs/results.md',
        'docs/planted.md:1 is not listed in site/.vitepress/sidebar.ts',
        'docs/results.md:1 has the title of docs/planted.md',
        'docs/index.md:3 calls proofs.md "Proof", its title is "Proofs and benchmarks"',
      ],
    ],
    [
      'traces of a machine',
      {
        'scripts/planted.ts': `// see ${home}\n`,
        'deploy/planted.md': `\nFrom ${host}.\n`,
        '.npmrc': 'registry=x\n',
      },
      [
        '.npmrc:1 names the host of a package registry: registry=',
        `deploy/planted.md:2 names the host of a package registry: ${host}`,
        `scripts/planted.ts:1 names an absolute path of a machine: ${home.split('/').slice(0, 3).join('/')}`,
      ],
    ],
    [
      'where a package was fetched from',
      { 'package-lock.json': lock({ 'node_modules/a': { resolved: 'https://x' } }) },
      [`package-lock.json:4 names the host of a package registry: ${resolved}`],
    ],
    [
      'install scripts that are not listed',
      { 'package-lock.json': lock({ 'node_modules/a/node_modules/@b/c': { hasInstallScript: true } }) },
      ['package-lock.json:3 node_modules/a/node_modules/@b/c runs a script when it is installed'],
    ],
  ]
  for (const [name, planted, expected] of faults) {
    test(name, () => assert.deepEqual(findViolations(planted, checkDocs), expected))
  }
})

test('check-docs accepts correct files', () => {
  const right = {
    'deploy/planted.md':
      '[Rules](../package.json) · [top](#top) · [web](https://example.com/a.md) · `server/src/routes.ts` · `db/connect.ts`\n' +
      '`sql.ts` · `.dev/demo.json` · `application/json` · `/v1/organizations` · `resources/<noun>/route.ts` · `npm run dev`\n' +
      '`scholiast keys` · `scholiast keys create --json | jq` · `scholiast metrics export reviews --format csv` · `npm run admin -- workspace list --json`\n',
    'package-lock.json': JSON.stringify({ packages: { 'node_modules/node': { hasInstallScript: true } } }),
  }
  assert.deepEqual(findViolations(right, checkDocs), [])
})

describe('check-coverage finds', () => {
  const rules = 'acceptance/rules.jsonl'
  const written = readFileOrEmpty(join(root, rules))
  const last = written.trimEnd().split('\n').length
  /** The rules with these after them, in the lines `last` + 1 and following. */
  const withRules = (...more: object[]) =>
    `${written}${more.map((rule) => JSON.stringify(rule)).join('\n')}\n`
  const plantedTest = "test('a planted test', () => {})\n"
  const faults: readonly (readonly [string, Tree, readonly string[]])[] = [
    [
      'a rule without cover, or with a cover that says nothing',
      { [rules]: withRules({ id: 'B-p1' }, { id: 'B-p2', cover: ['later'] }) },
      [
        `${rules}:${last + 1} B-p1 has no cover`,
        `${rules}:${last + 2} B-p2 has a cover that is no proof and no rule: later`,
      ],
    ],
    [
      'proofs that CI does not run, and rules that do not exist',
      {
        [rules]: withRules(
          { id: 'B-p1', cover: ['proof missing', 'proof mutants'] },
          { id: 'B-p2', cover: ['see B-missing'] },
        ),
        'scripts/planted.test.ts': "test('one [B-p2 B-none]', () => {})\n",
      },
      [
        `${rules}:${last + 1} B-p1 names a proof that CI does not run: missing`,
        `${rules}:${last + 1} B-p1 names a proof that CI does not run: mutants`,
        `${rules}:${last + 2} B-p2 refers to B-missing`,
        'scripts/planted.test.ts:1 names a rule that does not exist: B-none',
      ],
    ],
    [
      'an id that is used twice',
      { [rules]: withRules({ id: 'B-1', cover: ['nothing to test'] }) },
      [`${rules}:${last + 1} B-1 is the id of a rule above`],
    ],
    [
      'a rule whose tests are skipped or commented out',
      {
        [rules]: withRules({ id: 'B-p1' }, { id: 'B-p2' }, { id: 'B-p3' }),
        'scripts/planted.test.ts':
          "test('one [B-p1]', { skip: true }, () => {})\ntest.skip('two [B-p2]')\n// test('three [B-p3]')\n",
      },
      [
        `${rules}:${last + 2} B-p2 has no cover`,
        `${rules}:${last + 3} B-p3 has no cover`,
        'scripts/planted.test.ts:1 is skipped, but covers a rule: one',
      ],
    ],
    [
      'acceptance tests that name no rule, that share a title or that are hidden',
      { 'acceptance/planted.test.ts': `${plantedTest}${plantedTest}describe('x', () => {})\n` },
      [
        'acceptance/planted.test.ts:1 names no rule: a planted test',
        'acceptance/planted.test.ts:2 names no rule: a planted test',
        'acceptance/planted.test.ts:2 repeats a title: a planted test',
        'acceptance/planted.test.ts:1 has a test that is nested, skipped, or whose title is not in single quotes',
      ],
    ],
  ]
  for (const [name, planted, expected] of faults) {
    test(name, () => assert.deepEqual(findViolations(planted, checkCoverage), expected))
  }
})

test('check-language finds the dialect, except in excluded files', () => {
  const [word, constant] = ['do-or'.replace('-', ''), 'MO-ST_ROWS'.replace('-', '')]
  const planted = {
    'docs/planted.md': `One\n\nThe ${word}.\n`,
    'server/src/planted.ts': `export const ${constant} = 1\n`,
    'server/migrations/9999_planted.sql': `-- the ${word}\n`,
    'server/schema.sql': `-- the ${word}\n`,
  }
  assert.deepEqual(findViolations(planted, checkLanguage), [
    `docs/planted.md:3 uses "${word}"`,
    `server/migrations/9999_planted.sql:1 uses "${word}"`,
    `server/src/planted.ts:1 uses "${constant}"`,
  ])
})

describe('a check that is run', () => {
  for (const [name, planted] of [
    [
      'check-imports',
      { file: 'server/src/http/planted.ts', text: "import { endpoints } from '../routes.ts'\n" },
    ],
    ['check-docs', { file: 'docs/planted.md', text: 'See `server/src/missing.ts`.\n' }],
  ] as const) {
    test(`${name} prints where, what, why and what to do, and fails`, () => {
      plant(planted.file, planted.text)
      const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', `${name}.ts`), copy], {
        encoding: 'utf8',
      })
      rmSync(join(copy, planted.file))
      assert.equal(status, 1)
      assert.match(
        stderr,
        new RegExp(`^${planted.file}:1 {2}(?:imports|names) .+\\n {4}why: .+\\n {4}do: {2}.+$`, 'm'),
      )
    })
  }
})

describe('generate', () => {
  test('reports a stale file with its first difference, and a missing file', () => {
    const fresh = generateOpenApi()
    const stale = fresh.text.replace('"title": "Scholiast"', '"title": "Planted"')
    assert.deepEqual(
      findStale([fresh], () => fresh.text),
      [],
    )
    assert.deepEqual(
      findStale([fresh], () => null),
      ['openapi.json does not exist'],
    )
    assert.deepEqual(
      findStale([fresh], () => stale),
      ['openapi.json is stale: line 4 is ""title": "Planted",", should be ""title": "Scholiast","'],
    )
    assert.match(findStale([fresh], () => `${fresh.text}more`)[0] ?? '', /is "more", should be ""$/)
  })

  test('fills the lists of pages and nothing else', () => {
    const pages = listFiles(root)
      .filter((file) => /^docs\/[\w-]+\.md$/.test(file))
      .map((file) => ({ file, text: readFileOrEmpty(join(root, file)) }))
    const planted = {
      file: 'docs/planted.md',
      text: 'a\n<!-- generated: limits -->\nold\n<!-- /generated -->\nb\n',
    }
    const filled = fillPages([...pages, planted]).find(({ file }) => file === planted.file)
    assert.match(
      filled?.text ?? '',
      /^a\n<!-- generated: limits -->\n\| Setting .*\n<!-- \/generated -->\nb\n$/s,
    )
    assert.throws(() => fillPages([{ ...planted, text: planted.text.replace('limits', 'x') }]), /"x"/)
    assert.throws(() => fillPages([planted]), /No page in docs\/ has the lists: events-accepted/)
  })

  test('strips everything from a dump but the schema', () => {
    const dump = [
      '--\n-- PostgreSQL database dump\n--\n',
      '\\restrict abc\n\n-- Dumped from database version 17.1\n-- Dumped by pg_dump version 17.2\n',
      "SET statement_timeout = 0;\nSELECT pg_catalog.set_config('search_path', '', false);\n",
      '--\n-- Name: f(); Type: FUNCTION; Schema: public; Owner: -\n--\n',
      'CREATE FUNCTION f() RETURNS int\n    SET search_path TO public\n    AS $$\n  -- why\n  select 1\n$$;\n\n',
      'CREATE POLICY tenant ON public.t TO worker, api USING (true);\n\n',
      '--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict abc\n',
    ].join('\n')
    const [, ...rest] = stripDumpNoise(dump).split('\n\n')
    assert.deepEqual(rest, [
      'CREATE FUNCTION f() RETURNS int\n    SET search_path TO public\n    AS $$\n  -- why\n  select 1\n$$;',
      'CREATE POLICY tenant ON public.t TO api, worker USING (true);\n',
    ])
  })
})

test('the README names every rate limit that the demo raises', () => {
  const raised = readFileOrEmpty(join(root, 'scripts/installation.ts')).match(/LIMIT_\w+/g) ?? []
  assert.ok(raised.length > 0)
  const readme = readFileOrEmpty(join(root, 'README.md'))
  for (const name of raised) assert.ok(readme.includes(`\`${name}\``), name)
})

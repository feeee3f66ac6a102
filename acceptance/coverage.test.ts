import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const repository = new URL('../', import.meta.url)
const statement = 'nothing to test'

type Rule = { id: string; covers: string[] }
type Reference = { file: string; title: string }

test('every rule in COVERAGE.md has an id of its own and says what covers it', () => {
  const rules = readRules()
  const ids = rules.map(({ id }) => id)
  assert.ok(rules.length > 0)
  assert.deepEqual(repeated(ids), [], 'ids used twice')
  assert.deepEqual(idsOf(rules.filter(({ covers }) => covers.length === 0)), [], 'rules without a cover')
  for (const { id, covers } of rules) {
    for (const cover of covers) assert.ok(isKnownForm(cover), `${id}: "${cover}" names no test`)
  }
})

test('every acceptance test that COVERAGE.md names exists', () => {
  const written = writtenTests()
  const missing = namedTests().filter((named) => !written.includes(named))
  assert.deepEqual(missing, [])
})

test('every acceptance test is named in COVERAGE.md', () => {
  const named = namedTests()
  assert.deepEqual(
    writtenTests().filter((title) => !named.includes(title)),
    [],
  )
})

test('no two acceptance tests of a file share a title', () => {
  assert.deepEqual(repeated(writtenTests()), [])
})

// Files run at the same time, on the same tenants.
test('no two acceptance files store pull requests in the same year', () => {
  const folder = new URL('acceptance/', repository)
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))
  const years = files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/calendarOf\((\d{4})\)/g)].map(
      ([, year]) => year ?? '',
    ),
  )
  assert.ok(years.length > 0)
  assert.deepEqual(repeated(years), [])
})

test('every server test and proof that COVERAGE.md names exists', () => {
  const covers = readRules().flatMap((rule) => rule.covers)
  const files = new Set(covers.flatMap((cover) => fileOf(cover) ?? []))
  const missing = [...files].filter((file) => !existsSync(new URL(file, repository)))
  assert.deepEqual(missing, [])
})

test('every rule that COVERAGE.md refers to exists', () => {
  const rules = readRules()
  const ids = idsOf(rules)
  for (const { id, covers } of rules) {
    for (const cover of covers) {
      const other = /^see (\S+)$/.exec(cover)?.[1]
      assert.ok(other === undefined || ids.includes(other), `${id} refers to ${other}`)
    }
  }
})

/** A rule is a list item `id`; its covers follow "→", separated by " · ", or stand below as inner items. */
function readRules(): Rule[] {
  const rules: Rule[] = []
  for (const line of readFileSync(new URL('acceptance/COVERAGE.md', repository), 'utf8').split('\n')) {
    const [, id, rest] = /^- `([SPB][\w-]+)` (.+)$/.exec(line) ?? []
    const inner = /^ {2}- (.+)$/.exec(line)?.[1]
    if (id !== undefined && rest !== undefined) rules.push({ id, covers: inlineCovers(rest) })
    if (inner !== undefined) {
      const rule = rules.at(-1)
      assert.ok(rule, `"${inner}" stands below no rule`)
      rule.covers.push(inner)
    }
  }
  return rules
}

function inlineCovers(text: string): string[] {
  const arrow = text.lastIndexOf(' → ')
  return arrow === -1 ? [] : text.slice(arrow + 3).split(' · ')
}

function isKnownForm(cover: string): boolean {
  const rule = /^see \S+$/.test(cover)
  return rule || cover === statement || fileOf(cover) !== null || reference(cover) !== null
}

function reference(cover: string): Reference | null {
  const [, file, title] = /^`([\w-]+\.test\.ts)` (.+)$/.exec(cover) ?? []
  return file === undefined || title === undefined ? null : { file, title }
}

function fileOf(cover: string): string | null {
  const proof = /^proof `([\w-]+)`$/.exec(cover)?.[1]
  if (proof !== undefined) return `proofs/${proof}.ts`
  return /^`(server\/[\w/.-]+\.test\.ts)`$/.exec(cover)?.[1] ?? null
}

function namedTests(): string[] {
  const covers = readRules().flatMap((rule) => rule.covers)
  const named = covers.flatMap((cover) => reference(cover) ?? [])
  return [...new Set(named.map(({ file, title }) => `${file}: ${title}`))]
}

function writtenTests(): string[] {
  const folder = new URL('acceptance/', repository)
  const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts') && file !== 'coverage.test.ts')
  return files.flatMap((file) => {
    const source = readFileSync(new URL(file, folder), 'utf8')
    const titles = [...source.matchAll(/^test\(\s*'([^'\\]+)'/gm)].map((match) => `${file}: ${match[1]}`)
    // A title that is computed, quoted otherwise or nested would escape the comparison.
    assert.equal(
      titles.length,
      source.match(/(?<![.\w])(?:test|it|describe|suite)(?:\.\w+)?\(/g)?.length,
      file,
    )
    return titles
  })
}

function idsOf(rules: Rule[]): string[] {
  return rules.map(({ id }) => id)
}

function repeated(values: string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

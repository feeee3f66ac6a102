// Checks acceptance/COVERAGE.md against the tests: every rule names what covers it, every named test and proof exists, and every
// acceptance test is named. `node scripts/check-coverage.ts [folder]` prints every violation and fails if there is one.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getLineNumber, listFiles, printViolations, readFileOrEmpty, type Violation } from './sources.ts'

const page = 'acceptance/COVERAGE.md'
/** The cover of a sentence that promises nothing. */
const nothingToTest = 'nothing to test'
const anyTest = /(?<![.\w])(?:test|it|describe|suite)(?:\.\w+)?\(/g
const plainTest = /^test\(\s*'[^'\\\n]+'/gm
const titledTest = /^[ \t]*(?:test|it)\(\s*(?:'([^'\n]+)'|`([^`]+)`)(,\s*\{[^}]*\b(?:skip|todo)\b)?/gm

interface Cover {
  readonly line: number
  readonly text: string
}

interface Rule {
  readonly id: string
  readonly line: number
  readonly covers: Cover[]
}

interface Test {
  readonly file: string
  readonly title: string
  readonly line: number
  readonly skipped: boolean
}

export function checkCoverage(root: string): Violation[] {
  const rules = readRules(readFileOrEmpty(join(root, page)))
  const tests = listFiles(root)
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => readTests(root, file))
  return [
    ...checkIds(rules),
    ...rules.flatMap((rule) => checkRule(rule, rules, tests, root)),
    ...checkAcceptanceTests(root, rules, tests),
  ]
}

/** A rule is a list item `id`; its covers follow "→", separated by " · ", or stand below as inner items. */
function readRules(text: string): Rule[] {
  const rules: Rule[] = []
  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1
    const [, id, rest] = /^- `([SPB][\w-]+)` (.+)$/.exec(content) ?? []
    const inner = /^ {2}- (.+)$/.exec(content)?.[1]
    if (id !== undefined && rest !== undefined) {
      const arrow = rest.lastIndexOf(' → ')
      const covers = arrow === -1 ? [] : rest.slice(arrow + 3).split(' · ')
      rules.push({ id, line, covers: covers.map((cover) => ({ line, text: cover })) })
    } else if (inner !== undefined) rules.at(-1)?.covers.push({ line, text: inner })
  }
  return rules
}

function readTests(root: string, file: string): Test[] {
  const text = readFileOrEmpty(join(root, file))
  return [...text.matchAll(titledTest)].map(({ 0: whole, 1: quoted, 2: computed, 3: skip, index }) => ({
    file,
    title: quoted ?? computed ?? '',
    line: getLineNumber(text, index + whole.search(/\S/)),
    skipped: skip !== undefined,
  }))
}

function checkIds(rules: readonly Rule[]): Violation[] {
  return [...Map.groupBy(rules, ({ id }) => id).values()].flatMap(([, ...repeated]) =>
    repeated.map(({ id, line }) =>
      violate(line, `uses the id ${id} again`, 'give the rule an id of its own'),
    ),
  )
}

function checkRule(
  { id, line, covers }: Rule,
  rules: readonly Rule[],
  tests: readonly Test[],
  root: string,
): Violation[] {
  if (covers.length === 0)
    return [violate(line, `${id} has no cover`, 'name a test of it below the rule, as file and title')]
  return covers.flatMap((cover) => {
    const fault = findFault(cover.text, rules, tests, root)
    return fault === null
      ? []
      : [violate(cover.line, `${id} ${fault}`, 'write - `server/src/x.test.ts` and its title')]
  })
}

function findFault(
  cover: string,
  rules: readonly Rule[],
  tests: readonly Test[],
  root: string,
): string | null {
  if (cover === nothingToTest) return null
  const other = /^see (\S+)$/.exec(cover)?.[1]
  if (other !== undefined) return rules.some(({ id }) => id === other) ? null : `refers to ${other}`
  const proof = /^proof `([\w-]+)`$/.exec(cover)?.[1]
  if (proof !== undefined) return findProofFault(proof, root)
  const named = parseTestName(cover)
  if (named === null) return `names no test: ${cover}`
  const { file, title } = named
  const found = tests.filter((test) => test.file === file && test.title === title)
  if (found.length === 0) return `names a test that does not exist: ${file} ${title}`
  return found.some(({ skipped }) => skipped) ? `names a test that is skipped: ${file} ${title}` : null
}

/** A file without a folder is one of acceptance/. */
function parseTestName(cover: string): Pick<Test, 'file' | 'title'> | null {
  const [, path, title] = /^`([\w./-]+\.test\.ts)` (.+)$/.exec(cover) ?? []
  if (path === undefined || title === undefined) return null
  return { file: path.includes('/') ? path : `acceptance/${path}`, title }
}

function findProofFault(name: string, root: string): string | null {
  const listed = readFileOrEmpty(join(root, 'proofs/run.ts')).includes(`name: '${name}'`)
  if (!listed) return `names a proof that does not exist: ${name}`
  const ci = readFileOrEmpty(join(root, '.ci/run'))
  const inCi = [...ci.matchAll(/proofs=\(([\w -]+)\)$/gm)].flatMap(([, names = '']) => names.split(' '))
  return inCi.includes(name) ? null : `names a proof that CI does not run: ${name}`
}

function checkAcceptanceTests(root: string, rules: readonly Rule[], tests: readonly Test[]): Violation[] {
  const covers = rules.flatMap((rule) => rule.covers.map(({ text }) => parseTestName(text)))
  const named = new Set(covers.map((test) => `${test?.file} ${test?.title}`))
  // This file is about the tests themselves.
  const ours = tests.filter(({ file }) => /^acceptance\/(?!coverage\.)/.test(file))
  const why = 'a test that no rule names holds the service to nothing that was promised'
  const unnamed = ours.filter(({ file, title }) => !named.has(`${file} ${title}`))
  const repeated = [...Map.groupBy(ours, ({ file, title }) => `${file} ${title}`).values()].flatMap(
    ([, ...others]) => others,
  )
  const todo = `name it below a rule of ${page}`
  return [
    ...unnamed.map(({ file, line, title }) => ({ file, line, what: `is not named: ${title}`, why, todo })),
    ...repeated.map(({ file, line, title }) => ({
      file,
      line,
      what: `repeats a title: ${title}`,
      why: 'a rule names a test by its title',
      todo: 'give the test a title of its own',
    })),
    ...[...new Set(ours.map(({ file }) => file))]
      .filter((file) => {
        const text = readFileOrEmpty(join(root, file))
        return text.match(anyTest)?.length !== text.match(plainTest)?.length
      })
      .map((file) => ({
        file,
        line: 1,
        what: 'has a test that is nested, skipped, or whose title is not in single quotes',
        why: 'such a test would escape the comparison with the rules',
        todo: "write it as test('title', …)",
      })),
  ]
}

function violate(line: number, what: string, todo: string): Violation {
  return {
    file: page,
    line,
    what,
    why: 'a rule is kept only as long as a test holds the service to it',
    todo,
  }
}

if (import.meta.main) {
  const root = process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url))
  process.exitCode = printViolations('check-coverage', checkCoverage(root))
}

// Checks the rules of the contract (acceptance/rules.jsonl) against the tests, whose titles end with the ids of the rules that
// they cover: every rule is covered, every id is a rule, and every acceptance test names one.
// `node scripts/check-coverage.ts [folder]` prints every violation and fails if there is one; `--list [RULE]` prints what covers
// every rule, or this one.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getLineNumber, listFiles, printViolations, readFileOrEmpty, type Violation } from './sources.ts'

const rulesFile = 'acceptance/rules.jsonl'
const anyTest = /(?<![.\w])(?:test|it|describe|suite)(?:\.\w+)?\(/g
const plainTest = /^test\(\s*'[^'\\\n]+'/gm
const titledTest = /^[ \t]*(?:test|it)\(\s*(?:'([^'\n]+)'|`([^`]+)`)(,\s*\{[^}]*\b(?:skip|todo)\b)?/gm
const whyCovered = 'a rule is kept only as long as a test holds the service to it'

interface Rule {
  readonly id: string
  readonly section: string
  readonly sentence: string
  /** What covers the rule beside tests: `nothing to test`, `proof NAME` or `see RULE`. */
  readonly cover?: readonly string[]
}

interface Test {
  readonly file: string
  readonly title: string
  readonly rules: readonly string[]
  readonly line: number
  readonly skipped: boolean
}

export function checkCoverage(root: string): Violation[] {
  const { rules, tests } = read(root)
  const ids = new Set(rules.map(({ id }) => id))
  const covered = new Set(tests.flatMap((test) => test.rules))
  return [
    ...rules.flatMap((rule, index) =>
      findFaults(rule, index, rules, covered, root).map((what) => ({
        file: rulesFile,
        line: index + 1,
        what: `${rule.id} ${what}`,
        why: whyCovered,
        todo: 'end the title of a test of it with its id: [P1-shape-1]',
      })),
    ),
    ...tests.flatMap((test) => checkTest(test, ids)),
    ...checkAcceptanceTests(root, tests),
  ]
}

function read(root: string): { rules: Rule[]; tests: Test[] } {
  const rules = readFileOrEmpty(join(root, rulesFile)).split('\n').filter(Boolean)
  return {
    rules: rules.map((line) => JSON.parse(line) as Rule),
    tests: listFiles(root)
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) => readTests(root, file)),
  }
}

/** `test('what it shows [S-rc-17 P1-lists-1]', …)` covers two rules. */
function readTests(root: string, file: string): Test[] {
  const text = readFileOrEmpty(join(root, file))
  return [...text.matchAll(titledTest)].map(({ 0: whole, 1: quoted, 2: computed, 3: skip, index }) => {
    const [title = '', rules = ''] = (quoted ?? computed ?? '').split(/ \[([^[\]]+)\]$/)
    return {
      file,
      title,
      rules: rules.split(' ').filter(Boolean),
      line: getLineNumber(text, index + whole.search(/\S/)),
      skipped: skip !== undefined,
    }
  })
}

function findFaults(
  { id, cover = [] }: Rule,
  index: number,
  rules: readonly Rule[],
  covered: ReadonlySet<string>,
  root: string,
): string[] {
  return [
    ...(rules.findIndex((rule) => rule.id === id) < index ? ['is the id of a rule above'] : []),
    ...(cover.length === 0 && !covered.has(id) ? ['has no cover'] : []),
    ...cover.map((text) => findCoverFault(text, rules, root)).filter((fault) => fault !== null),
  ]
}

function findCoverFault(cover: string, rules: readonly Rule[], root: string): string | null {
  if (cover === 'nothing to test') return null
  const other = /^see (\S+)$/.exec(cover)?.[1]
  if (other !== undefined) return rules.some(({ id }) => id === other) ? null : `refers to ${other}`
  const proof = /^proof ([\w-]+)$/.exec(cover)?.[1]
  if (proof === undefined) return `has a cover that is no proof and no rule: ${cover}`
  const ci = readFileOrEmpty(join(root, '.ci/run'))
  const inCi = [...ci.matchAll(/proofs=\(([\w -]+)\)$/gm)].flatMap(([, names = '']) => names.split(' '))
  return inCi.includes(proof) ? null : `names a proof that CI does not run: ${proof}`
}

function checkTest({ file, line, title, rules, skipped }: Test, ids: ReadonlySet<string>): Violation[] {
  const faults = rules.filter((id) => !ids.has(id)).map((id) => `names a rule that does not exist: ${id}`)
  if (skipped && rules.length > 0) faults.push(`is skipped, but covers a rule: ${title}`)
  return faults.map((what) => ({
    file,
    line,
    what,
    why: whyCovered,
    todo: `name rules of ${rulesFile} in the title of a test that runs`,
  }))
}

function checkAcceptanceTests(root: string, tests: readonly Test[]): Violation[] {
  // The excluded file is about the tests themselves.
  const ours = tests.filter(({ file }) => /^acceptance\/(?!coverage\.)/.test(file))
  const repeated = [...Map.groupBy(ours, ({ file, title }) => `${file} ${title}`).values()].flatMap(
    ([, ...others]) => others,
  )
  return [
    ...ours
      .filter(({ rules }) => rules.length === 0)
      .map(({ file, line, title }) => ({
        file,
        line,
        what: `names no rule: ${title}`,
        why: 'such a test holds the service to nothing that was promised',
        todo: `end its title with the ids of the rules that it covers, from ${rulesFile}`,
      })),
    ...repeated.map(({ file, line, title }) => ({
      file,
      line,
      what: `repeats a title: ${title}`,
      why: 'a report names a test by its title',
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
        todo: "write it as test('title [RULE]', …)",
      })),
  ]
}

/** Every rule, or one, with its tests and other covers below it. */
function listCoverage(root: string, wanted?: string): string {
  const { rules, tests } = read(root)
  const listed = rules.filter(({ id }) => id === (wanted ?? id))
  return listed
    .map(({ id, section, sentence, cover = [] }, index) => {
      const heading = section === listed[index - 1]?.section ? '' : `\n## ${section}\n\n`
      const covers = tests
        .filter((test) => test.rules.includes(id))
        .map(({ file, line, title }) => `${file}:${line} ${title}`)
      return `${heading}${[`${id} ${sentence}`, ...covers, ...cover].join('\n    ')}`
    })
    .join('\n')
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const [argument = root, wanted] = process.argv.slice(2)
  if (argument === '--list') {
    const list = listCoverage(root, wanted)
    if (list === '') throw new Error(`${rulesFile} has no rule ${wanted}`)
    console.log(list)
  } else process.exitCode = printViolations('check-coverage', checkCoverage(argument))
}

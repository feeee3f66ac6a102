import type { RedactionRule } from '../../server/test/redaction.ts'

const INPUT_LENGTH = 100_000
const SUSPICIOUS_MS = 10
/** The clock of CPU time has steps of up to 10 ms: shorter searches cannot be compared. */
const SLOW_MS = 30
const MAX_REPEATS = 3
const MAX_LITERALS_PER_RULE = 4
const QUICK_INPUTS_PER_RULE = 7

type Search = (text: string, rule: RedactionRule) => unknown

export interface SlowestSearch {
  readonly rule: string
  readonly milliseconds: number
  /** The most that a slow search took for a text, divided by four searches of a quarter of it: 1 is linear, 4 quadratic. */
  readonly growth: number
  /** The number of searches that were measured. */
  readonly searches: number
}

/**
 * Runs every rule on hostile input. It takes CPU time, and the best of three runs if the first is slow, so that a busy
 * machine is not mistaken for a slow pattern. How the time grows with the text does not depend on the machine's speed.
 */
export function findSlowestSearch(
  rules: readonly RedactionRule[],
  search: Search,
  hostileInputs: readonly string[],
  quick: boolean,
): SlowestSearch {
  const commonInputs = hostileInputs.map(repeatToLength)
  let slowest = { rule: '', milliseconds: 0 }
  let searches = 0
  let growth = 0
  for (const rule of rules) {
    const ruleInputs = createInputs(rule)
    const inputs = quick ? ruleInputs.slice(0, QUICK_INPUTS_PER_RULE) : [...ruleInputs, ...commonInputs]
    for (const text of inputs) {
      searches++
      const milliseconds = measureBest(() => search(text, rule))
      if (milliseconds > slowest.milliseconds) slowest = { rule: rule.name, milliseconds }
      if (milliseconds > SLOW_MS)
        growth = Math.max(growth, milliseconds / measureQuarters(text, rule, search))
    }
  }
  return { ...slowest, growth, searches }
}

/**
 * Redacts hostile texts in full, each beginning with the literals of all rules, so that no rule is skipped. A Learning has
 * at most `length` characters.
 */
export function findSlowestRedaction(
  rules: readonly RedactionRule[],
  redact: (text: string) => unknown,
  hostileInputs: readonly string[],
  length: number,
  quick: boolean,
): { readonly milliseconds: number; readonly texts: number } {
  const literals = [...new Set(rules.flatMap((rule) => rule.literals))].join(' ')
  const units = [...hostileInputs, ...rules.map((rule) => `${rule.literals[0] ?? ''}="aB3_x" `)]
  const texts = units
    .filter((_, index) => !quick || index % QUICK_INPUTS_PER_RULE === 0)
    .map((unit) => `${literals} ${repeatToLength(unit)}`.slice(0, length))
  const milliseconds = Math.max(...texts.map((text) => measureBest(() => redact(text))))
  return { milliseconds, texts: texts.length }
}

/** Inputs for one rule: its literals repeated, near matches, and a match without an end. */
function createInputs({ literals }: RedactionRule): string[] {
  return literals
    .filter((literal) => literal !== '')
    .slice(0, MAX_LITERALS_PER_RULE)
    .flatMap((literal) => [literal, literal.toUpperCase()])
    .flatMap((start) => [
      repeatToLength(start),
      repeatToLength(`${start} `),
      repeatToLength(`${start}="`),
      repeatToLength(`${start}a1B`),
      repeatToLength(`${start}${'a'.repeat(15)} `),
      repeatToLength(`${start}${'aB3_x'.repeat(20)}!`),
      start + repeatToLength('aB1'),
    ])
}

function repeatToLength(unit: string): string {
  return unit.repeat(Math.ceil(INPUT_LENGTH / unit.length)).slice(0, INPUT_LENGTH)
}

function measureQuarters(text: string, rule: RedactionRule, search: Search): number {
  const quarter = text.slice(0, INPUT_LENGTH / 4)
  return measureBest(() => {
    for (let run = 0; run < 4; run++) search(quarter, rule)
  })
}

function measureBest(work: () => unknown): number {
  let best = measureCpuTime(work)
  for (let run = 1; run < MAX_REPEATS && best > SUSPICIOUS_MS; run++)
    best = Math.min(best, measureCpuTime(work))
  return best
}

function measureCpuTime(work: () => unknown): number {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

import { measureBest, measureGrowth } from '../../server/test/growth.ts'
import type { RedactionRule } from '../../server/test/redaction.ts'

const INPUT_LENGTH = 100_000
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
      const measured = measureGrowth(text.length, (size) => search(text.slice(0, size), rule))
      const { milliseconds } = measured
      if (milliseconds > slowest.milliseconds) slowest = { rule: rule.name, milliseconds }
      growth = Math.max(growth, measured.growth)
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

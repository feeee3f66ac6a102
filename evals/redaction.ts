import { pathToFileURL } from 'node:url'
import type { ProofOptions } from '../proofs/run.ts'
import { copyWithout } from '../proofs/tools/copy.ts'
import { type Measurement, report } from '../proofs/tools/report.ts'
import { MAX_GROWTH } from '../server/test/growth.ts'
import * as server from '../server/test/redaction.ts'
import { type Corpus, loadCorpus } from './redaction/corpus.ts'
import { findSlowestRedaction, findSlowestSearch } from './redaction/hostile.ts'
import {
  countCombinedLeaks,
  getRecall,
  measureRecall,
  type Recall,
  type Redact,
  renderLeakCounts,
} from './redaction/recall.ts'
import {
  type LintCounts,
  lintKinds,
  lintTexts,
  renderCounts,
  type SecondOpinion,
  sumCounts,
} from './redaction/second-opinion.ts'

const MIN_KNOWN_KINDS = 60
const MIN_KNOWN_RECALL = 0.99
const MIN_HELD_OUT_RECALL = 0.9 // guards against decay; it is no promise, because nobody writes rules for these kinds
const MIN_CLEAN_LINES = 5_000
const MAX_SEARCH_MS = 50
/** The quick form runs on machines of unknown speed: there, growth shows whether the pattern is bad. */
const QUICK_MAX_SEARCH_MS = 250
const MAX_TEXT_LENGTH = 10_000
const MAX_REDACTION_MS = 250
const COMBINED_TEXTS = 60
const QUICK_COMBINED_TEXTS = 6
const QUICK_EVERY = 7

/** Redaction removes secrets, leaves other text unchanged, and no input makes it slow. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const corpus = loadCorpus()
  const every = quick || withoutCure ? QUICK_EVERY : 1
  if (withoutCure) await proveWithoutContextRules(corpus, every)
  else await proveRedaction(corpus, every, quick)
}

async function proveRedaction(corpus: Corpus, every: number, quick: boolean): Promise<void> {
  const { knownKinds, heldOutKinds, templates, cleanLines } = corpus
  const known = measureRecall(knownKinds, templates, server.redact, every)
  const heldOut = measureRecall(heldOutKinds, templates, server.redact, every)
  const knownOpinion = await lintKinds(knownKinds, templates, server.redact, every)
  const heldOutOpinion = await lintKinds(heldOutKinds, templates, server.redact, every)
  report(`redaction, version ${server.REDACTOR_VERSION} with ${server.rules.length} rules`, [
    ...checkKnownRecall(known),
    atLeast(
      `recall on ${heldOut.kinds} held-out kinds, ${heldOut.samples} samples`,
      MIN_HELD_OUT_RECALL,
      getRecall(heldOut),
    ),
    ...checkCleanLines(cleanLines, server.redact),
    zero('redacted texts that a second pass changes', known.unstable + heldOut.unstable),
    checkSecondOpinion(knownOpinion),
    checkCombined(corpus, quick),
    ...checkSpeed(corpus.hostileInputs, quick),
    checkSpeedOfAllRules(corpus.hostileInputs, quick),
  ])
  printRecall('known kinds', known)
  printRecall('held-out kinds', heldOut)
  printOpinions(knownOpinion, heldOutOpinion, await lintTexts(cleanLines))
}

async function proveWithoutContextRules({ knownKinds, templates }: Corpus, every: number): Promise<void> {
  const copy = await copyWithout([
    { file: 'text/redact/context.ts', name: 'contextRules', by: 'export const contextRules = []' },
  ])
  const module = new URL('text/redact.ts', pathToFileURL(copy.apiEntry)).href
  const { redact } = (await import(module)) as { redact: Redact }
  const known = measureRecall(knownKinds, templates, redact, every)
  await copy.remove()
  report('redaction without its cure: no rules that use the surrounding text', checkKnownRecall(known))
}

function checkKnownRecall(known: Recall): Measurement[] {
  return [
    atLeast('known kinds of credentials', MIN_KNOWN_KINDS, known.kinds),
    atLeast(`recall on known kinds, ${known.samples} samples`, MIN_KNOWN_RECALL, getRecall(known)),
  ]
}

function checkCleanLines(lines: readonly string[], redact: Redact): Measurement[] {
  const redacted = lines.map((line) => redact(line).text)
  const changed = redacted.filter((text, index) => text !== lines[index]).length
  return [
    atLeast('distinct clean lines', MIN_CLEAN_LINES, lines.length),
    zero('clean lines changed', changed),
    zero('distinct clean lines that became equal', lines.length - new Set(redacted).size),
  ]
}

/** Requires matches before redaction: a linter that finds nothing anywhere proves nothing. */
function checkSecondOpinion({ before, after }: SecondOpinion): Measurement {
  const remaining = sumCounts(after)
  return {
    measure: `secretlint matches in redacted known kinds (before redaction: ${sumCounts(before)})`,
    goal: '0',
    result: remaining,
    met: remaining === 0 && sumCounts(before) > 0,
  }
}

function checkSpeed(hostileInputs: readonly string[], quick: boolean): Measurement[] {
  const slowest = findSlowestSearch(server.rules, server.findSecrets, hostileInputs, quick)
  const max = quick ? QUICK_MAX_SEARCH_MS : MAX_SEARCH_MS
  return [
    {
      measure: `slowest of ${slowest.searches} searches of 100 kB of hostile input (${slowest.rule})`,
      goal: `≤ ${max} ms`,
      result: `${slowest.milliseconds.toFixed(1)} ms`,
      met: slowest.milliseconds <= max,
    },
    {
      measure: 'most growth: a search of over 30 ms ÷ four searches of a quarter of its text',
      goal: `≤ ${MAX_GROWTH} ×`,
      result: `${slowest.growth.toFixed(1)} ×`,
      met: slowest.growth <= MAX_GROWTH,
    },
  ]
}

function checkCombined({ knownKinds, templates }: Corpus, quick: boolean): Measurement {
  const texts = quick ? QUICK_COMBINED_TEXTS : COMBINED_TEXTS
  const { leaked, samples } = countCombinedLeaks(knownKinds, templates, server.redact, texts)
  const recall = (samples - leaked) / samples
  return atLeast(
    `recall of all rules on one text, ${texts} texts with ${samples} secrets`,
    MIN_KNOWN_RECALL,
    recall,
  )
}

function checkSpeedOfAllRules(hostileInputs: readonly string[], quick: boolean): Measurement {
  const { rules, redact } = server
  const { milliseconds, texts } = findSlowestRedaction(rules, redact, hostileInputs, MAX_TEXT_LENGTH, quick)
  return {
    measure: `slowest redaction of ${texts} hostile texts of ${MAX_TEXT_LENGTH} characters by all rules`,
    goal: `≤ ${MAX_REDACTION_MS} ms`,
    result: `${milliseconds.toFixed(1)} ms`,
    met: milliseconds <= MAX_REDACTION_MS,
  }
}

function atLeast(measure: string, min: number, result: number): Measurement {
  const shown = Number.isInteger(result) && min > 1 ? result : result.toFixed(4)
  return { measure, goal: `≥ ${min}`, result: shown, met: result >= min }
}

function zero(measure: string, result: number): Measurement {
  return { measure, goal: '0', result, met: result === 0 }
}

/** By form and family only: authors of rules read this. */
function printRecall(title: string, { byForm, byFamily }: Recall): void {
  console.log(`\n${title}, redacted samples by form: ${renderLeakCounts(byForm)}`)
  console.log(`${title}, redacted samples by family: ${renderLeakCounts(byFamily)}`)
}

/** Only counts for held-out kinds: the name of a rule would reveal them. */
function printOpinions(known: SecondOpinion, heldOut: SecondOpinion, clean: LintCounts): void {
  console.log(`\nsecretlint on known kinds, before redaction: ${renderCounts(known.before)}`)
  console.log(`secretlint on known kinds, after redaction: ${renderCounts(known.after)}`)
  console.log(
    `secretlint on held-out kinds, before redaction: ${sumCounts(heldOut.before)} by ${heldOut.before.size} rules, ` +
      `after redaction: ${sumCounts(heldOut.after)} by ${heldOut.after.size}`,
  )
  console.log(`secretlint on clean lines: ${renderCounts(clean)}`)
}

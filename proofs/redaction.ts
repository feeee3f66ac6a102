import { pathToFileURL } from 'node:url'
import * as server from '../server/test/redaction.ts'
import { cleanLines } from './redaction/clean-corpus.ts'
import { heldOutKinds } from './redaction/held-out-kinds.ts'
import { knownKinds } from './redaction/known-kinds.ts'
import { findSlowest } from './redaction/measure/hostile.ts'
import {
  describeShares,
  measureRecall,
  type Recall,
  type Redact,
  recallOf,
} from './redaction/measure/recall.ts'
import {
  askAbout,
  askAboutKinds,
  countObjections,
  describeOpinion,
  type SecondOpinion,
} from './redaction/measure/second-opinion.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

const LEAST_KINDS = 60
const LEAST_KNOWN = 0.99
const LEAST_HELD_OUT = 0.9 // a floor against decay, not a promise: nobody looks at these kinds while writing rules
const LEAST_LINES = 5_000
const MOST_MILLISECONDS = 50
const QUICK_EVERY = 7

/** What is a secret is taken out, what is none stays as it is, and no text makes that slow. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const every = quick || withoutCure ? QUICK_EVERY : 1
  if (withoutCure) {
    const { redact, remove } = await redactorWithoutContext()
    const known = measureRecall(knownKinds, redact, every)
    await remove()
    report('redaction without its cure: tokens are known by their look alone', [...recallFindings(known)])
    return
  }
  const known = measureRecall(knownKinds, server.redact, every)
  const heldOut = measureRecall(heldOutKinds, server.redact, every)
  const asked = await askAboutKinds(knownKinds, server.redact, every)
  const askedHeldOut = await askAboutKinds(heldOutKinds, server.redact, every)
  report(`redaction, version ${server.REDACTOR_VERSION} with ${server.rules.length} rules`, [
    ...recallFindings(known),
    atLeast(
      `recall on ${heldOut.kinds} held-out kinds, ${heldOut.samples} samples`,
      LEAST_HELD_OUT,
      recallOf(heldOut),
    ),
    ...cleanFindings(server.redact),
    zero('redacted texts that a second pass changes', known.unsettled + heldOut.unsettled),
    opinionFinding(asked),
    speedFinding(quick),
  ])
  describe('known', known)
  describe('held out', heldOut)
  await describeOpinions(asked, askedHeldOut)
}

function recallFindings(known: Recall): Measurement[] {
  return [
    atLeast('kinds of credentials the rules may know', LEAST_KINDS, known.kinds),
    atLeast(`recall on known kinds, ${known.samples} samples`, LEAST_KNOWN, recallOf(known)),
  ]
}

function cleanFindings(redact: Redact): Measurement[] {
  const redacted = cleanLines.map((line) => redact(line).text)
  const changed = redacted.filter((text, place) => text !== cleanLines[place]).length
  return [
    atLeast('distinct clean lines', LEAST_LINES, cleanLines.length),
    zero('clean lines changed', changed),
    zero('distinct clean lines that became one', cleanLines.length - new Set(redacted).size),
  ]
}

/** Objections before redaction are in the measure, because an opinion that finds nothing anywhere proves nothing. */
function opinionFinding({ before, after }: SecondOpinion): Measurement {
  const measure = `secretlint finds in known kinds we have redacted (before: ${countObjections(before)})`
  const left = countObjections(after)
  return { measure, goal: '0', result: left, met: left === 0 && countObjections(before) > 0 }
}

function speedFinding(quick: boolean): Measurement {
  const { rule, milliseconds, searches } = findSlowest(server.rules, server.findSecrets, quick)
  return {
    measure: `slowest of ${searches} searches of 100 kB of hostile input (${rule})`,
    goal: `≤ ${MOST_MILLISECONDS} ms`,
    result: `${milliseconds.toFixed(1)} ms`,
    met: milliseconds <= MOST_MILLISECONDS,
  }
}

function atLeast(measure: string, least: number, result: number): Measurement {
  const shown = Number.isInteger(result) && least > 1 ? result : result.toFixed(4)
  return { measure, goal: `≥ ${least}`, result: shown, met: result >= least }
}

function zero(measure: string, result: number): Measurement {
  return { measure, goal: '0', result, met: result === 0 }
}

/** By form and family only: whoever reads this may write rules. */
function describe(title: string, { byForm, byFamily }: Recall): void {
  console.log(`\n${title}, found of all by form: ${describeShares(byForm)}`)
  console.log(`${title}, found of all by family: ${describeShares(byFamily)}`)
}

/** Of held-out kinds the number alone: the name of a rule would tell what they are. */
async function describeOpinions(known: SecondOpinion, heldOut: SecondOpinion): Promise<void> {
  console.log(`\nsecretlint on known kinds, before: ${describeOpinion(known.before)}`)
  console.log(`secretlint on known kinds, after our redaction: ${describeOpinion(known.after)}`)
  console.log(
    `secretlint on held-out kinds, before: ${countObjections(heldOut.before)} by ${heldOut.before.size} rules, ` +
      `after our redaction: ${countObjections(heldOut.after)} by ${heldOut.after.size}`,
  )
  console.log(
    `secretlint on clean lines, which we leave as they are: ${describeOpinion(await askAbout(cleanLines))}`,
  )
}

async function redactorWithoutContext(): Promise<{ redact: Redact; remove: () => Promise<void> }> {
  const copy = await copyWithout([
    { file: 'text/redact/rules.ts', find: '  ...contextRules,\n', replace: '' },
  ])
  const module = new URL('text/redact.ts', pathToFileURL(copy.apiEntry)).href
  const { redact } = (await import(module)) as { redact: Redact }
  return { redact, remove: () => copy.remove() }
}

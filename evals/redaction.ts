import { MAX_GROWTH } from '../server/test/growth.ts'
import * as server from '../server/test/redaction.ts'
import { atLeast, type Evaluation, getRecall, type Judged, type Row, zero } from './evaluation.ts'
import { type Corpus, loadCorpus } from './redaction/corpus.ts'
import { findSlowestRedaction, findSlowestSearch } from './redaction/hostile.ts'
import { createSamples, leaks, type Redact, type Sample } from './redaction/samples.ts'
import { lintTexts, renderCounts, sumCounts } from './redaction/second-opinion.ts'

const MIN_KNOWN_KINDS = 60
const MIN_CLEAN_LINES = 5_000
const MAX_SEARCH_MS = 50
/** The quick form runs on machines of unknown speed: there, growth shows whether the pattern is bad. */
const QUICK_MAX_SEARCH_MS = 250
const MAX_TEXT_LENGTH = 10_000
const MAX_REDACTION_MS = 250
const COMBINED_TEXTS = 60
const QUICK_COMBINED_TEXTS = 6
const QUICK_EVERY = 7

/** A sample of a kind, and what redaction leaves of it. */
interface RedactedSample {
  readonly judged: Judged
  readonly text: string
  readonly redacted: string
}

/** Redaction removes secrets, leaves other text unchanged, and no input makes it slow. */
export const evaluation: Evaluation = {
  data: new URL('data/redaction', import.meta.url),
  measures: [
    {
      name: 'recall of secrets',
      count: getRecall('secret'),
      // The goal for held-out kinds guards against decay; it is no promise, because nobody writes rules for these kinds.
      goals: { calibration: { min: 0.99 }, 'held-out': { min: 0.9 } },
    },
    { name: 'clean lines changed', count: getRecall('clean', 'secret'), goals: { all: { max: 0 } } },
  ],
  cures: [
    {
      title: 'no rules that use the surrounding text',
      edit: { file: 'text/redact/context.ts', name: 'contextRules', by: 'export const contextRules = []' },
    },
  ],
  async judge({ cases, isBrought, options: { quick }, copy, load }) {
    const corpus = loadCorpus(cases)
    const { redact } = await load<{ redact: Redact }>(server, 'text/redact.ts')
    const samples = redactSamples(corpus, redact, quick || copy !== null ? QUICK_EVERY : 1)
    const clean = redactCleanLines(corpus, redact)
    const judged = [...samples, ...clean].map((sample) => sample.judged)
    if (isBrought || copy !== null) return { judged }
    const known = samples.filter((sample) => sample.judged.split === 'calibration')
    const heldOut = samples.filter((sample) => sample.judged.split === 'held-out')
    const knownKinds = corpus.kinds.filter(({ split }) => split === 'calibration')
    const before = await lintTexts(known.map(({ text }) => text))
    const after = await lintTexts(known.map(({ redacted }) => redacted))
    const [heldOutBefore, heldOutAfter] = [
      await lintTexts(heldOut.map(({ text }) => text)),
      await lintTexts(heldOut.map(({ redacted }) => redacted)),
    ]
    return {
      judged: [...judged, ...judgeCombined({ ...corpus, kinds: knownKinds }, redact, quick)],
      rows: [
        atLeast('known kinds of credentials', MIN_KNOWN_KINDS, knownKinds.length),
        atLeast('distinct clean lines', MIN_CLEAN_LINES, clean.length),
        zero(
          'distinct clean lines that became equal',
          clean.length - new Set(clean.map(({ redacted }) => redacted)).size,
        ),
        zero(
          'redacted texts that a second pass changes',
          samples.filter(({ redacted }) => redact(redacted).text !== redacted).length,
        ),
        {
          // Requires matches before redaction: a linter that finds nothing anywhere proves nothing.
          measure: `secretlint matches in redacted known kinds (before redaction: ${sumCounts(before)})`,
          goal: '0',
          result: sumCounts(after),
          met: sumCounts(after) === 0 && sumCounts(before) > 0,
        },
        ...checkSpeed(corpus.hostileInputs, quick),
      ],
      notes: [
        `version ${server.REDACTOR_VERSION} with ${server.rules.length} rules`,
        `secretlint on known kinds, before redaction: ${renderCounts(before)}`,
        // Only counts for held-out kinds: the name of a rule would reveal them.
        `secretlint on held-out kinds, before redaction: ${sumCounts(heldOutBefore)} by ${heldOutBefore.size} rules, after redaction: ${sumCounts(heldOutAfter)} by ${heldOutAfter.size}`,
        `secretlint on clean lines: ${renderCounts(await lintTexts(clean.map(({ text }) => text)))}`,
      ],
    }
  },
}

/** `every`: takes every nth sample of a kind. */
function redactSamples(corpus: Corpus, redact: Redact, every: number): RedactedSample[] {
  const generated = corpus.kinds.flatMap((kind) => {
    // A name would reveal a held-out kind to authors of rules.
    const of = kind.split === 'held-out' ? { ...kind, id: 'name not shown' } : kind
    return createSamples(kind, corpus.templates)
      .filter((_, index) => index % every === 0)
      .map((sample) => ({ of, sample }))
  })
  const asTheyAre = corpus.leaks.map((of) => {
    const start = of.text.indexOf(of.secret)
    return { of, sample: { text: of.text, secrets: [{ start, end: start + of.secret.length }] } }
  })
  return [...generated, ...asTheyAre].map(({ of: { set, source, split, id, kind }, sample }) => {
    const redacted = redact(sample.text).text
    const judged = { set, source, split, id, kind, ...judgeSample(sample, redacted) }
    return { judged, text: sample.text, redacted }
  })
}

function judgeSample(sample: Sample, redacted: string): Pick<Judged, 'label' | 'answer'> {
  return { label: 'secret', answer: leaks(sample, redacted) ? 'clean' : 'secret' }
}

function redactCleanLines({ cleanLines }: Corpus, redact: Redact): RedactedSample[] {
  return cleanLines.map((line) => {
    const redacted = redact(line.text).text
    const { set, source, split, id, kind, text } = line
    const answer = redacted === text ? 'clean' : 'secret'
    return { judged: { set, source, split, id, kind, label: 'clean', answer }, text, redacted }
  })
}

/**
 * Puts a secret of every kind into one text, so that all rules apply to it: what one rule replaces must not hide the secret
 * of another.
 */
function judgeCombined({ kinds, templates }: Corpus, redact: Redact, quick: boolean): Judged[] {
  const all = kinds.map((kind) => ({ kind, samples: createSamples(kind, templates) }))
  return Array.from({ length: quick ? QUICK_COMBINED_TEXTS : COMBINED_TEXTS }, (_, round) => {
    const chosen = all.flatMap(({ kind, samples }) => {
      const sample = samples[round % samples.length]
      return sample === undefined ? [] : [{ kind, sample }]
    })
    const redacted = redact(chosen.map(({ sample }) => sample.text).join('\n\n')).text
    return chosen.map(
      ({ kind: { source, split, id, kind }, sample }): Judged => ({
        set: 'all kinds in one text',
        source,
        split,
        id,
        kind,
        ...judgeSample(sample, redacted),
      }),
    )
  }).flat()
}

function checkSpeed(hostileInputs: readonly string[], quick: boolean): Row[] {
  const { rules, redact, findSecrets } = server
  const search = findSlowestSearch(rules, findSecrets, hostileInputs, quick)
  const whole = findSlowestRedaction(rules, redact, hostileInputs, MAX_TEXT_LENGTH, quick)
  return [
    atMost(
      `slowest of ${search.searches} searches of 100 kB of hostile input (${search.rule})`,
      quick ? QUICK_MAX_SEARCH_MS : MAX_SEARCH_MS,
      search.milliseconds,
      'ms',
    ),
    atMost(
      'most growth: a search of over 30 ms ÷ four searches of a quarter of its text',
      MAX_GROWTH,
      search.growth,
      '×',
    ),
    atMost(
      `slowest redaction of ${whole.texts} hostile texts of ${MAX_TEXT_LENGTH} characters by all rules`,
      MAX_REDACTION_MS,
      whole.milliseconds,
      'ms',
    ),
  ]
}

function atMost(measure: string, max: number, result: number, unit: string): Row {
  return { measure, goal: `≤ ${max} ${unit}`, result: `${result.toFixed(1)} ${unit}`, met: result <= max }
}

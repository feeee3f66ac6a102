import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ExpectedFinding,
  loadParserCorpus,
  ownBots,
  THREAD_FILE,
  toSnapshot,
} from '../../../../test/connectors/parser-corpus.ts'
import type { ParsedFinding } from '../finding.ts'
import { parseReview } from './parse-review.ts'

const corpus = loadParserCorpus()
const MIN_BODIES = 30

test(`every bot has at least ${MIN_BODIES} bodies`, () => {
  const counts = Map.groupBy(corpus, ({ bot }) => bot)
  assert.equal(counts.size, 12)
  for (const [bot, items] of counts) assert.ok(items.length >= MIN_BODIES, `${bot}: ${items.length}`)
})

for (const [bot, items] of Map.groupBy(corpus, (item) => item.bot)) {
  test(`${bot}: ${items.length} bodies are read as written`, () => {
    for (const item of items) {
      const { findings, reviewers, unparsedComments } = parseReview(toSnapshot(item), ownBots)
      const about = `${item.id}: ${item.about}`
      assert.deepEqual(
        findings.map(toExpected),
        item.findings.map((one) => complete(one, bot, item.location)),
        about,
      )
      assert.equal(unparsedComments, item.unparsed, about)
      assert.deepEqual(reviewers, item.reviewed ? [bot] : [], about)
      for (const finding of findings) {
        assert.ok(finding.id !== '' && finding.sketch.length <= 64, about)
        assert.equal(finding.threadId, item.location === 'thread' ? 'thread-1' : null, about)
      }
    }
  })
}

function toExpected(finding: ParsedFinding) {
  const { parser, severity, rawSeverity, category, botKey, file, startLine, endLine, postedAs, clues } =
    finding
  return { parser, severity, rawSeverity, category, botKey, file, startLine, endLine, postedAs, clues }
}

function complete(expected: ExpectedFinding, bot: string, location: string): ReturnType<typeof toExpected> {
  return {
    parser: `${bot}@${expected.version}`,
    severity: (expected.severity ?? null) as ParsedFinding['severity'],
    rawSeverity: expected.raw_severity ?? null,
    category: (expected.category ?? null) as ParsedFinding['category'],
    botKey: expected.bot_key ?? null,
    ...(location === 'thread' ? threadLocation : getLocation(expected)),
    clues: {
      suggestion: expected.suggestion ?? null,
      botOutcome: (expected.verdict ?? null) as ParsedFinding['clues']['botOutcome'],
      botCommits: expected.commits ?? [],
    },
  }
}

type Location = Pick<ParsedFinding, 'file' | 'startLine' | 'endLine' | 'postedAs'>

const threadLocation: Location = { file: THREAD_FILE, startLine: 10, endLine: 12, postedAs: 'inline' }

function getLocation(expected: ExpectedFinding): Location {
  return {
    file: expected.file ?? null,
    startLine: expected.start_line ?? null,
    endLine: expected.end_line ?? null,
    postedAs: (expected.posted_as ?? 'body') as Location['postedAs'],
  }
}

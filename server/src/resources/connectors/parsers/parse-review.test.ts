import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptySnapshot, getBotUser, toSnapshot } from '../../../../test/connectors/parser-corpus.ts'
import type { ProviderComment, ProviderUser, PullRequestSnapshot, ReviewThread } from '../snapshot.ts'
import { parseReview } from './parse-review.ts'

const ada: ProviderUser = { id: '136622811', login: 'ada', isBot: false }
const codex = '**<sub><sub>![P1 Badge](x.svg)</sub></sub>  Await the insert**\n\nNobody awaits it.'

function threadOf(
  user: ProviderUser | null,
  body: string,
  changes: Partial<ReviewThread> = {},
): ReviewThread {
  const [thread] = toSnapshot({ bot: 'codex', location: 'thread', body }).threads
  assert.ok(thread)
  const [comment] = thread.comments
  assert.ok(comment)
  return { ...thread, comments: [{ ...comment, user }], ...changes }
}

function withThreads(...threads: ReviewThread[]): PullRequestSnapshot {
  return { ...emptySnapshot, threads }
}

test('texts of people are not read, whatever their id or login', () => {
  for (const user of [ada, { id: '9', login: 'cursor', isBot: false }, null]) {
    const review = parseReview(withThreads(threadOf(user, codex)))
    assert.deepEqual(review, { reviewers: [], findings: [], unparsedComments: 0 })
  }
})

test('a bot is found by its id, and else by its login', () => {
  const byId = parseReview(withThreads(threadOf({ id: '199175422', login: 'renamed', isBot: true }, codex)))
  assert.deepEqual(byId.reviewers, ['codex'])
  const byLogin = parseReview(
    withThreads(threadOf({ id: '77', login: 'chatgpt-codex-connector[bot]', isBot: true }, codex)),
  )
  assert.deepEqual(byLogin.reviewers, ['codex'])
})

test('a custom bot is found by its account, and its format is the documented one or that of a known bot', () => {
  const service: ProviderUser = { id: '77', login: 'review-service', isBot: false }
  const own = [{ account_id: '77', reviewer: 'our-codex', format: 'codex' }]
  const [finding] = parseReview(withThreads(threadOf(service, codex)), own).findings
  assert.equal(finding?.reviewer, 'our-codex')
  assert.equal(finding?.parser, 'codex@1')
  const custom = parseReview(withThreads(threadOf(service, '**High** Await it')), [
    { account_id: '77', reviewer: 'ours' },
  ])
  assert.equal(custom.findings[0]?.severity, 'major')
  assert.equal(custom.findings[0]?.parser, 'custom@1')
})

test('a bug that is posted again on a push is one finding with its first time and its last thread', () => {
  const body = '### Await it\n\n**High Severity**\n\n<!-- BUGBOT_BUG_ID: c967a8b2-515a -->'
  const first = threadOf(getBotUser('bugbot'), body)
  const again = threadOf(getBotUser('bugbot'), body, {
    id: 'thread-2',
    originalStartLine: 20,
    originalEndLine: 22,
    originalCommit: 'e'.repeat(40),
  })
  const later = again.comments.map(
    (comment): ProviderComment => ({ ...comment, id: '1002', createdAt: '2026-10-06T10:00:00.000Z' }),
  )
  const orders = [
    [first, { ...again, comments: later }],
    [{ ...again, comments: later }, first],
  ]
  for (const threads of orders) {
    const { findings } = parseReview(withThreads(...threads))
    assert.equal(findings.length, 1)
    assert.equal(findings[0]?.id, 'bugbot:c967a8b2-515a')
    assert.equal(findings[0]?.postedAt, '2026-10-05T10:00:00.000Z')
    assert.equal(findings[0]?.threadId, 'thread-2')
    assert.equal(findings[0]?.startLine, 20)
  }
})

test('an overview of Copilot gives its threads severity and verdict', () => {
  const user = getBotUser('copilot')
  const overview = (title: string) =>
    `<!-- ccr-overview-v2 -->\n\n<details>\n<summary><strong>${title}</strong></summary>\n\n- <img alt="High severity" src="x"> [Await it](#discussion_r1001)\n</details>`
  const read = (title: string) =>
    parseReview({
      ...withThreads(threadOf(user, 'Nobody awaits it.')),
      reviews: toSnapshot({ bot: 'copilot', location: 'review', body: overview(title) }).reviews,
    }).findings[0]
  assert.equal(read('Open (1)')?.severity, 'major')
  assert.equal(read('Open (1)')?.clues.botOutcome, null)
  assert.equal(read('Resolved since last review (1)')?.clues.botOutcome, 'addressed')
})

test('a Qodo finding on lines and in its comment is one finding, with the state of the comment', () => {
  const inline = '<img alt="Action required" src="x">\n\n1\\. Await it <code>🐞 Bug</code>\n\n<pre>x</pre>'
  const listed =
    '<h3>Code Review by Qodo</h3>\n\n<img alt="Action required" src="x">\n\n<details>\n<summary>  1.  <s>Await it</s> <code>✓ Resolved</code> <code>🐞 Bug</code></summary>\nx\n</details>'
  const { findings } = parseReview({
    ...withThreads(threadOf(getBotUser('qodo'), inline)),
    comments: toSnapshot({ bot: 'qodo', location: 'comment', body: listed }).comments,
  })
  assert.equal(findings.length, 1)
  assert.equal(findings[0]?.threadId, 'thread-1')
  assert.equal(findings[0]?.postedAs, 'inline')
  assert.equal(findings[0]?.clues.botOutcome, 'addressed')
})

test('a row of a check that is also on lines is one finding', () => {
  const row = '| 🔴 Important | src/thread.ts:11 | Await it |'
  const other = '| 🔴 Important | src/other.ts:11 | Await it |'
  const { findings, reviewers } = parseReview({
    ...withThreads(threadOf(getBotUser('claude'), '🔴 Important: Await it')),
    checkRuns:
      toSnapshot({
        bot: 'claude',
        location: 'check',
        body: `${row}\n${other}\n<!-- bughunter-severity: {"normal":2} -->`,
      }).checkRuns ?? [],
  })
  assert.deepEqual(reviewers, ['claude'])
  assert.deepEqual(
    findings.map(({ postedAs, file }) => [postedAs, file]),
    [
      ['inline', 'src/thread.ts'],
      ['annotation', 'src/other.ts'],
    ],
  )
})

test('a reply of the bot itself can say that the finding was addressed, a reply of a person cannot', () => {
  const bot = getBotUser('coderabbit')
  const thread = threadOf(bot, '_⚠️ Potential issue_ | _🟠 Major_\n\n**Await it**')
  const reply = (user: ProviderUser): ProviderComment[] =>
    thread.comments.map((comment) => ({
      ...comment,
      id: '1002',
      user,
      body: '✅ Addressed in commit 1a2b3c4',
    }))
  const read = (user: ProviderUser) =>
    parseReview(withThreads({ ...thread, comments: [...thread.comments, ...reply(user)] })).findings[0]?.clues
  assert.deepEqual(read(bot), { suggestion: null, botOutcome: 'addressed', botCommits: ['1a2b3c4'] })
  assert.deepEqual(read({ ...ada, id: '5' }), { suggestion: null, botOutcome: null, botCommits: [] })
})

test('a bot that approves reviewed, and one whose limit was reached did not', () => {
  const user = getBotUser('coderabbit')
  const review = {
    id: '1',
    url: 'https://github.example/r',
    user,
    commit: null,
    submittedAt: emptySnapshot.createdAt,
  }
  const approved = parseReview({ ...emptySnapshot, reviews: [{ ...review, state: 'approved', body: '' }] })
  assert.deepEqual(approved.reviewers, ['coderabbit'])
  for (const body of ['', '## Review limit reached']) {
    const none = parseReview({ ...emptySnapshot, reviews: [{ ...review, state: 'commented', body }] })
    assert.deepEqual(none.reviewers, [])
  }
})

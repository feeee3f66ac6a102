import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostileTexts } from '../../../../test/connectors/mutated-bodies.ts'
import { loadParserCorpus, ownBots, toSnapshot } from '../../../../test/connectors/parser-corpus.ts'
import { eventKinds } from '../../../consumers.ts'
import { createEventChecker } from '../../events/accept.ts'
import type { DetectedOutcome } from '../finding.ts'
import { parseReview } from '../parsers/parse-review.ts'
import type { PullRequestSnapshot, ReviewThread } from '../snapshot.ts'
import type { SyncedConnector } from './context.ts'
import { computeDigest, toPullRequestEvents, toSentEvents } from './events.ts'

const AT = '2026-10-06T10:00:00.000Z'
const connector = {
  provider: 'github',
  host: 'github.example',
  account: 'acme',
  organizationId: '41',
} as SyncedConnector
const check = createEventChecker(eventKinds)

interface Accepted {
  readonly type: string
  readonly payload: {
    readonly findings: readonly {
      readonly id: string
      readonly url: string
      readonly details: Readonly<Record<string, unknown>>
    }[]
    readonly finding_id: string
    readonly last_commit_at: string | null
    readonly evidence: readonly { readonly at: string | null }[]
  }
}

/** Sends every finding with an outcome. Every event must be accepted. */
async function send(snapshot: PullRequestSnapshot, at: string | null = AT): Promise<Accepted[]> {
  const review = parseReview(snapshot, ownBots)
  const outcomes = review.findings.map(({ id }): DetectedOutcome => {
    return {
      findingId: id,
      accepted: true,
      source: 'detector',
      rule: 'suggestion',
      evidence: [{ kind: 'commit', at }],
    }
  })
  const events = toPullRequestEvents(
    connector,
    { ...snapshot, state: 'merged', mergedAt: AT, closedAt: AT },
    review,
    outcomes,
  )
  const accepted: Accepted[] = []
  for (const event of toSentEvents(events, computeDigest(events), AT)) {
    const checked = await check(event, new Date(AT))
    assert.ok('text' in checked, 'message' in checked ? `${event.type}: ${checked.message}` : '')
    accepted.push(JSON.parse(checked.text) as Accepted)
  }
  return accepted
}

const corpus = loadParserCorpus()
const find = (bot: string) =>
  corpus.find((item) => item.bot === bot && item.location === 'thread') ?? assert.fail(bot)
const inThread = (bot: string, body = find(bot).body) => toSnapshot({ bot, location: 'thread', body })

function withThread(snapshot: PullRequestSnapshot, change: Partial<ReviewThread>): PullRequestSnapshot {
  return { ...snapshot, threads: snapshot.threads.map((thread) => ({ ...thread, ...change })) }
}

test('a commit that a force push lost, and paths that an event cannot have, are left out', async () => {
  const lost = withThread(inThread('coderabbit'), { originalCommit: '' })
  const [finalized] = await send(lost)
  const [finding] = finalized?.payload.findings ?? []
  assert.equal(finding?.details['commit'], undefined)
  assert.equal(finding?.details['file'], 'src/thread.ts')
  for (const path of ['a\tb.ts', 'a\nb.ts', '\u0000', 'x/'.repeat(600), 'half\uD800.ts', '']) {
    const [event] = await send(withThread(inThread('coderabbit'), { path }))
    assert.equal(event?.payload.findings[0]?.details['file'], undefined)
  }
})

test('lines and addresses that an event cannot have are left out', async () => {
  const lines = { originalStartLine: 0, originalEndLine: 2 ** 40 }
  const [
    {
      payload: { findings },
    } = assert.fail(),
  ] = await send(withThread(inThread('coderabbit'), lines))
  assert.equal(findings[0]?.details['start_line'], undefined)
  const snapshot = toSnapshot(
    corpus.find(({ location, findings: { length } }) => location === 'check' && length > 0) ?? assert.fail(),
  )
  const checkRuns = snapshot.checkRuns?.map((run) => ({ ...run, url: '' })) ?? []
  const [event] = await send({ ...snapshot, checkRuns })
  assert.ok((event?.payload.findings.length ?? 0) > 0)
  assert.ok(event?.payload.findings.every(({ url }) => url === snapshot.url))
})

test('a long key of a bot identifies its finding, and its outcome too', async () => {
  const sendKey = async (key: string) => {
    const body = find('reviewdog').body.replace(/__reviewdog__:[\w+/=-]+/, `__reviewdog__:${key}`)
    const [finalized, outcome] = await send(inThread('reviewdog', body))
    const [finding = assert.fail('no finding')] = finalized?.payload.findings ?? []
    assert.equal(finding.id, outcome?.payload.finding_id)
    return [finding.id, finding.details['bot_key']]
  }
  const long = await sendKey('A'.repeat(390))
  const [id, key] = await sendKey(`${'A'.repeat(390)}B`)
  assert.deepEqual(await sendKey('A'.repeat(390)), long)
  assert.ok(!long.includes(id) && !long.includes(key))
})

test('commits may have any time', async () => {
  for (const committedAt of ['+012026-01-01T00:00:00Z', '', 'never']) {
    const commits = [
      { sha: 'a'.repeat(20), message: 'm', committedAt },
      { sha: 'b'.repeat(40), message: 'm', committedAt: AT },
    ]
    const [finalized, outcome] = await send({ ...inThread('coderabbit'), commits }, committedAt)
    assert.equal(finalized?.payload.last_commit_at, AT)
    assert.equal(outcome?.payload.evidence[0]?.at, null)
  }
})

test('a thousand findings fit: first sketches are left out, then findings, and none has an outcome without being sent', async () => {
  const [thread = assert.fail()] = inThread('coderabbit').threads
  const body = `${find('coderabbit').body.split('\n', 1)[0]}\n\n**The title**\n\n${Array.from({ length: 200 }, (_, index) => `w${(index * 7919 + 10_000).toString(36)}`).join(' ')}`
  const make = (path: string, length = 1000) =>
    Array.from({ length }, (_, index) => ({
      ...thread,
      id: `t${index}`,
      path,
      comments: thread.comments.map((one) => ({
        ...one,
        id: String(index),
        url: `${one.url}${index}`,
        body,
      })),
    }))
  const [finalized, ...outcomes] = await send({
    ...inThread('coderabbit'),
    threads: make(`src/${'a'.repeat(20)}.ts`),
  })
  const findings = finalized?.payload.findings ?? []
  assert.equal(findings.length, 1000)
  assert.equal(outcomes.length, 1000)
  const sketched = findings.filter(({ details }) => details['sketch'] !== undefined)
  assert.ok(sketched.length > 100 && sketched.length < 1000, String(sketched.length))
  const [cut, ...fewer] = await send({ ...inThread('coderabbit'), threads: make('中'.repeat(1000)) })
  assert.ok((cut?.payload.findings.length ?? 0) > 50)
  assert.equal(fewer.length, cut?.payload.findings.length)
  const [few] = await send({ ...inThread('coderabbit'), threads: make('src/a.ts', 100) })
  assert.ok(few?.payload.findings.every(({ details }) => details['sketch'] !== undefined))
})

test('whatever a bot posts, its events are accepted', async () => {
  for (const [, [item]] of Map.groupBy(corpus, ({ bot }) => bot)) {
    assert.ok(item)
    for (const text of ['', ...hostileTexts, '\u0000\u0007\uD800'])
      await send(toSnapshot({ ...item, body: item.body + text }))
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGit } from '../../../../test/connectors/git-server.ts'
import type { FindingClues, ParsedFinding } from '../finding.ts'
import { GitError } from '../git/git-error.ts'
import type { GitReader } from '../git/git-reader.ts'
import type { ProviderComment, ProviderUser, PullRequestSnapshot, ReviewThread } from '../snapshot.ts'
import { createOutcomeDetector, type KnownOutcomes } from './detect.ts'

const { folder, server, workspaces } = await openGit()

const source = folder.create('source.git')
const lines = [
  ...Array.from({ length: 19 }, (_, index) => `const value${index + 1} = read(${index + 1})`),
  'print(0, value10)',
]
const toFile = (content: readonly string[]) => ({ 'src/a.ts': content.map((line) => `${line}\n`).join('') })
const commented = source.commit(toFile(lines))
const suggestion = ['const value10 = readSafely(10)']
const heads = {
  unchanged: source.commit({ ...toFile(lines), 'src/b.ts': 'b\n' }, commented),
  applied: source.commit(toFile(lines.with(9, suggestion[0] ?? '')), commented),
  changed: source.commit(toFile(lines.with(9, 'const value10 = 10')), commented),
  elsewhere: source.commit(toFile(lines.with(0, suggestion[0] ?? '')), commented),
  indented: source.commit(toFile(lines.with(9, `  ${lines[9]}`)), commented),
  wrapped: source.commit(toFile(lines.toSpliced(9, 1, 'const value10 = read(', '  10,', ');')), commented),
  renamed: source.commit(toFile(lines.map((line) => line.replace(/\bvalue10\b/, 'total'))), commented),
  movedAway: source.commit(
    { ...toFile(lines.toSpliced(9, 1)), 'src/b.ts': `// Moved\n${lines[9]}\n` },
    commented,
  ),
  deleted: source.commit({ 'src/b.ts': 'b\n' }, commented),
  lost: 'd'.repeat(40),
}

const bot: ProviderUser = { id: '1', login: 'reviewer[bot]', isBot: true }
const person: ProviderUser = { id: '2', login: 'alice', isBot: false }
const detect = createOutcomeDetector()

interface Situation {
  readonly head?: keyof typeof heads
  readonly thread?: Partial<ReviewThread>
  readonly clues?: Partial<FindingClues>
  readonly snapshot?: Partial<PullRequestSnapshot>
  readonly reply?: string
  readonly body?: string
  readonly thumbsDown?: ProviderUser
  readonly known?: Partial<KnownOutcomes>
  readonly git?: GitReader
}

function createComment(id: string, user: ProviderUser, body: string): ProviderComment {
  const at = '2026-11-01T10:00:00Z'
  return { id, url: `https://forge.example/c/${id}`, user, body, createdAt: at, updatedAt: at, reactions: [] }
}

async function detectOutcome({
  head = 'unchanged',
  thread,
  clues,
  snapshot,
  reply,
  body = 'a finding',
  thumbsDown,
  known,
  git,
}: Situation) {
  const comment: ProviderComment = {
    ...createComment('c1', bot, body),
    reactions: thumbsDown === undefined ? [] : [{ user: thumbsDown, content: 'thumbs_down' }],
  }
  const read: PullRequestSnapshot = {
    repository: { id: '1', fullName: 'acme/api', isPrivate: true },
    number: 1,
    url: 'https://forge.example/1',
    state: 'merged',
    author: person,
    createdAt: '2026-11-01T09:00:00Z',
    readyForReviewAt: null,
    mergedAt: '2026-11-02T09:00:00Z',
    closedAt: '2026-11-02T09:00:00Z',
    updatedAt: '2026-11-02T09:00:00Z',
    headSha: heads[head],
    mergeSha: null,
    commits: [],
    reviews: [],
    threads: [
      {
        id: 't1',
        path: 'src/a.ts',
        originalStartLine: 10,
        originalEndLine: 10,
        side: 'right',
        originalCommit: commented,
        isResolved: false,
        resolvedBy: null,
        resolvedAt: null,
        isOutdated: false,
        suggestionApplied: null,
        comments: [comment, ...(reply === undefined ? [] : [createComment('c2', person, reply)])],
        ...thread,
      },
    ],
    comments: [],
    readAt: '2026-11-03T09:00:00Z',
    ...snapshot,
  }
  const finding: ParsedFinding = {
    id: 'c1',
    reviewer: 'reviewer',
    severity: null,
    category: null,
    rawSeverity: null,
    botKey: null,
    parser: 'reviewer@1',
    postedAs: 'inline',
    postedAt: '2026-11-01T10:00:00Z',
    url: comment.url,
    file: 'src/a.ts',
    startLine: 10,
    endLine: 10,
    commit: commented,
    threadId: 't1',
    sketch: [],
    clues: { suggestion: null, botOutcome: null, botCommits: [], ...clues },
  }
  const review = { reviewers: ['reviewer'], findings: [finding], unparsedComments: 0 }
  const knownOutcomes = { verdicts: new Map(), alerts: new Map(), ...known }
  const [outcome] =
    git === undefined
      ? await workspaces.withRepository(
          'tenant',
          { url: `${server.origin}/source.git`, header: null },
          [],
          (repository) => detect(read, review, repository, knownOutcomes),
        )
      : await detect(read, review, git, knownOutcomes)
  assert.ok(outcome !== undefined)
  return outcome
}

async function decide(situation: Situation) {
  const { accepted, rule } = await detectOutcome(situation)
  return [accepted, rule]
}

async function run(situation: Situation) {
  const outcome = await detectOutcome(situation)
  const { accepted, rule, evidence } = outcome
  return [accepted, rule, outcome.source, ...evidence.map(({ kind }) => kind)]
}

test('a person’s outcome comes first', async () => {
  const known = { verdicts: new Map([['c1', { accepted: false, at: '2026-11-02T10:00:00Z' }]]) }
  assert.deepEqual(await run({ head: 'applied', clues: { suggestion }, known }), [
    false,
    'verdict',
    'person',
    'person_verdict',
  ])
})

test('the state of an alert and an applied suggestion are the word of the provider', async () => {
  const alert = (state: 'dismissed' | 'fixed') => ({ alerts: new Map([['c1', { state, at: null }]]) })
  assert.deepEqual(await run({ known: alert('fixed') }), [true, 'provider', 'provider', 'alert_fixed'])
  assert.deepEqual(await run({ known: alert('dismissed') }), [
    false,
    'provider',
    'provider',
    'alert_dismissed',
  ])
  assert.deepEqual(await run({ thread: { suggestionApplied: true } }), [
    true,
    'provider',
    'provider',
    'suggestion_applied',
  ])
})

test('a suggestion counts where it was made, and not before the merge', async () => {
  assert.deepEqual(await run({ head: 'applied', clues: { suggestion }, thread: { isResolved: true } }), [
    true,
    'suggestion',
    'detector',
    'suggestion_present',
  ])
  assert.equal((await run({ head: 'changed', clues: { suggestion } }))[1], 'undecided')
  assert.equal(
    (await run({ head: 'elsewhere', clues: { suggestion }, thread: { isResolved: true } }))[1],
    'undecided',
  )
  const open = { state: 'open', mergedAt: null, closedAt: null } as const
  assert.equal((await run({ head: 'applied', clues: { suggestion }, snapshot: open }))[1], 'undecided')
})

test('a suggestion that the Git provider applied and somebody edited later counts, a reverted one does not', async () => {
  const commits = [
    {
      sha: heads.applied,
      message: 'Apply suggestion from @reviewer[bot]',
      committedAt: '2026-11-01T11:00:00Z',
    },
  ]
  assert.deepEqual(await run({ head: 'changed', clues: { suggestion }, snapshot: { commits } }), [
    true,
    'suggestion',
    'detector',
    'suggestion_commit',
    'commit',
  ])
  assert.deepEqual(await decide({ clues: { suggestion }, snapshot: { commits } }), [false, 'evidence'])
})

test('the word of the bot counts only if the code changed in substance', async () => {
  const addressed = { clues: { botOutcome: 'addressed' }, thread: { isResolved: true } } as const
  assert.deepEqual(await run({ ...addressed, head: 'changed' }), [
    true,
    'evidence',
    'detector',
    'lines_changed',
    'bot_addressed',
    'thread_resolved',
  ])
  assert.deepEqual(await decide(addressed), [null, 'undecided'])
  for (const head of ['wrapped', 'renamed', 'movedAway'] as const)
    assert.deepEqual(await decide({ ...addressed, head }), [null, 'undecided'], head)
})

test('a change counts if a person resolves the thread, if a commit names the review, or if it has what was described', async () => {
  const commits = (message: string) => [{ ...toCommit(heads.changed, 12), message }]
  const resolved = { isResolved: true, resolvedBy: person }
  assert.deepEqual(await decide({ head: 'changed' }), [null, 'undecided'])
  assert.deepEqual(await decide({ head: 'changed', thread: resolved }), [true, 'evidence'])
  const named = { head: 'changed', snapshot: { commits: commits('Address review comments') } } as const
  assert.deepEqual(await decide(named), [true, 'evidence'])
  assert.deepEqual(await decide({ head: 'applied', body: 'Use `readSafely`.' }), [true, 'evidence'])
  const merged = {
    head: 'changed',
    thread: resolved,
    snapshot: { commits: commits("Merge branch 'main'") },
  } as const
  assert.deepEqual(await decide(merged), [null, 'undecided'])
})

test('a suggestion that was not followed speaks against the change', async () => {
  const resolved = { isResolved: true, resolvedBy: person }
  const other = ['const value10 = await load(10, { safe: true })']
  assert.deepEqual(await decide({ head: 'changed', thread: resolved, clues: { suggestion: other } }), [
    null,
    'undecided',
  ])
})

test('the bot must name the commit that changed the code', async () => {
  const commits = [toCommit(heads.unchanged, 11), toCommit(heads.changed, 12)]
  const addressed = (sha: string) => ({
    head: 'changed' as const,
    snapshot: { commits },
    clues: { botOutcome: 'addressed' as const, botCommits: [sha.slice(0, 7)] },
  })
  assert.deepEqual(await decide(addressed(heads.changed)), [true, 'evidence'])
  assert.deepEqual(await decide(addressed(heads.unchanged)), [null, 'undecided'])
})

test('a reply that says where it was fixed counts, if something was pushed after the finding', async () => {
  const reply = 'Good catch, fixed in b.ts.'
  assert.deepEqual(await decide({ reply }), [true, 'evidence'])
  assert.deepEqual(await decide({ reply, snapshot: { headSha: commented } }), [null, 'undecided'])
})

test('a command says that a finding was not accepted, unless its author may not write', async () => {
  for (const reason of ['wrong', 'wontfix', 'later']) {
    const said = { reply: `/scholiast ${reason}`, thread: { isResolved: true } }
    assert.deepEqual((await run(said)).slice(0, 4), [false, 'evidence', 'detector', 'lines_unchanged'])
    assert.ok((await run(said)).includes(`command_${reason}`))
    const outsiders = new Set([person.id])
    assert.deepEqual(await decide({ ...said, known: { outsiders } }), [null, 'undecided'])
  }
})

const toCommit = (sha: string, hour: number) => ({
  sha,
  message: 'Work',
  committedAt: `2026-11-01T${hour}:00:00Z`,
})

/** The time of the commit that fixed the finding; undefined = it is not known. */
async function findFix(situation: Situation) {
  const { accepted, evidence } = await detectOutcome(situation)
  assert.equal(accepted, true)
  return evidence.find(({ kind }) => kind === 'commit')?.at
}

test('the fix is the first commit after the finding that has the suggestion', async () => {
  const commits = [
    // Forges list them in different orders.
    toCommit(heads.applied, 14),
    toCommit(heads.applied, 13),
    toCommit(heads.changed, 12),
    toCommit(heads.unchanged, 11),
    toCommit(heads.applied, 9),
  ]
  const applied = { head: 'applied', clues: { suggestion } } as const
  assert.equal(await findFix({ ...applied, snapshot: { commits } }), '2026-11-01T13:00:00Z')
  const provided = { ...applied, thread: { suggestionApplied: true }, snapshot: { commits } }
  assert.equal(await findFix(provided), '2026-11-01T13:00:00Z')
})

test('without a suggestion, the fix is the first commit after the finding that changed its lines', async () => {
  const addressed = { head: 'changed', clues: { botOutcome: 'addressed' } } as const
  const commits = [
    toCommit(heads.changed, 9),
    toCommit(heads.indented, 11),
    toCommit(heads.changed, 12),
    toCommit(heads.applied, 13),
  ]
  assert.equal(await findFix({ ...addressed, snapshot: { commits } }), '2026-11-01T12:00:00Z')
})

test('a fix that is in none of the commits has no time', async () => {
  const addressed = { head: 'changed', clues: { botOutcome: 'addressed' } } as const
  assert.equal(await findFix({ ...addressed, snapshot: { commits: [] } }), undefined)
  const commits = [toCommit(heads.lost, 11), toCommit(heads.unchanged, 12)]
  assert.equal(await findFix({ ...addressed, snapshot: { commits } }), undefined)
  assert.equal(await findFix({ head: 'applied', clues: { suggestion }, snapshot: { commits } }), undefined)
  const verdicts = new Map([['c1', { accepted: true, at: '2026-11-02T10:00:00Z' }]])
  const said = { snapshot: { commits: [toCommit(heads.changed, 11)] }, known: { verdicts } }
  assert.equal(await findFix({ ...addressed, ...said }), undefined)
})

test('a person declines by a reaction or a reply, a bot does not', async () => {
  const resolved = { isResolved: true }
  assert.deepEqual(await run({ thumbsDown: person, thread: resolved }), [
    false,
    'evidence',
    'detector',
    'lines_unchanged',
    'thumbs_down',
    'thread_resolved',
  ])
  assert.deepEqual(
    await run({ reply: "Won't fix, this is intentional.", head: 'indented', thread: resolved }),
    [false, 'evidence', 'detector', 'lines_formatted', 'declining_reply', 'thread_resolved'],
  )
  assert.equal((await run({ thumbsDown: bot, thread: resolved }))[1], 'undecided')
  assert.equal((await run({ thumbsDown: person, head: 'changed' }))[1], 'undecided')
  const known = { outsiders: new Set([person.id]) }
  assert.equal((await run({ thumbsDown: person, thread: resolved, known }))[1], 'undecided')
})

test('an unresolved thread with the same code at the merge was not accepted', async () => {
  assert.deepEqual(await run({}), [false, 'evidence', 'detector', 'lines_unchanged', 'thread_unresolved'])
  for (const head of ['wrapped', 'renamed', 'indented'] as const)
    assert.deepEqual(await decide({ head, thread: { isOutdated: true } }), [false, 'evidence'], head)
  assert.equal((await run({ snapshot: { mergedAt: '2026-11-01T09:59:00Z' } }))[1], 'undecided')
  assert.equal((await run({ snapshot: { state: 'closed', mergedAt: null } }))[1], 'undecided')
})

test('if nothing was pushed after the finding, it was not accepted', async () => {
  const last = { snapshot: { headSha: commented }, thread: { isResolved: true, resolvedBy: person } }
  assert.deepEqual(await decide(last), [false, 'evidence'])
  assert.deepEqual(await decide({ ...last, reply: 'Good point, will fix.' }), [false, 'evidence'])
})

test('without a commit, a file or a side to look at, the outcome is unknown', async () => {
  assert.deepEqual((await run({ head: 'lost' })).slice(1, 4), ['undecided', 'detector', 'commit_lost'])
  assert.deepEqual((await run({ head: 'deleted' })).slice(1, 4), ['undecided', 'detector', 'lines_deleted'])
  assert.deepEqual(await decide({ thread: { side: 'left' } }), [null, 'undecided'])
  assert.deepEqual(await decide({ thread: { side: 'left' }, reply: "Won't fix." }), [null, 'undecided'])
})

test('a repository beyond the limits leaves everything unknown, another failure is passed on', async () => {
  const failing = (error: Error): GitReader => ({
    prefetch: () => Promise.reject(error),
    hasCommit: () => Promise.reject(error),
    readFile: () => Promise.reject(error),
    diffFile: () => Promise.reject(error),
    readChanges: () => Promise.reject(error),
  })
  assert.deepEqual((await run({ git: failing(new GitError('limit')) })).slice(0, 2), [null, 'undecided'])
  await assert.rejects(run({ git: failing(new GitError('timeout')) }), /in time/)
})
